package import Configuration

/// The answers of the set-up, from a terminal or the page.
package struct ProfileAnswers: Hashable, Sendable {
    /// The values for the profile.
    package var draft = ProfileDraft()
    /// A typed key, to be kept in the keyring or in a file of its own.
    package var key: String?

    /// Answers that change nothing yet.
    package init() {}

    /// The typed key in the form that opens the destination.
    package var typedKey: AccountKey? { key.map { AccountKey(secret: $0, origin: "your answer") } }
}
