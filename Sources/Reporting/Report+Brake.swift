extension Report {
    /// Stored files that changed all at once and are not sent until somebody says so.
    package struct Brake: Codable, Hashable, Sendable {
        /// How many files.
        package var count: Int
        /// Why it holds, such as `60 of 500 stored files changed within one hour`.
        package var reason: String
        /// The first of them, with their root's name.
        package var files: [String]
        /// What to do now.
        package var next = Self.advice

        /// Files that are named at most.
        package static let fileLimit = 1_000

        package static let advice =
            "Look at some of them. If the changes are yours, run \"gallery-sync reupload --changed --yes\"; "
            + "if not, their stored versions are untouched: see \"gallery-sync restore\"."

        package init(count: Int, reason: String, files: [String]) {
            self.count = count
            self.reason = reason
            self.files = files
        }
    }
}
