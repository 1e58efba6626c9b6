extension Report {
    /// Stored files that changed at the same time and are not sent until the user confirms the change.
    package struct Brake: Codable, Hashable, Sendable {
        /// The number of held files.
        package var count: Int
        /// Why they are held, such as `60 of 500 stored files changed within one hour`.
        package var reason: String
        /// The first of them, with their root's name.
        package var files: [String]
        /// What the user can do now.
        package var next = Self.advice

        /// How many files changed and are held, without a full stop; the first that changed may have been sent before.
        package var message: String { "\(reason): \(count) of them \(count == 1 ? "is" : "are") held, and not sent" }

        /// The most files that are named.
        static let fileLimit = 1_000

        /// The next step for the user, which names the command that releases the files.
        static let advice =
            "Look at some of them. If the changes are yours, run \"gallery-sync reupload --changed --yes\"; "
            + "if not, their stored versions are untouched: see \"gallery-sync restore\"."

        /// A brake that holds `count` files, of which the caller names at most `fileLimit`.
        package init(count: Int, reason: String, files: [String]) {
            self.count = count
            self.reason = reason
            self.files = files
        }
    }
}
