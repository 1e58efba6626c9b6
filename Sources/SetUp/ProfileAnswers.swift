package import Configuration

/// What was answered in the set-up, on a terminal or in the page.
package struct ProfileAnswers: Hashable, Sendable {
    /// What becomes the profile.
    package var draft = ProfileDraft()
    /// A key that was typed, to be kept in the keyring or a file of its own.
    package var key: String?

    /// Answers that change nothing yet.
    package init() {}

    /// That key as the destination is opened with it.
    package var typedKey: AccountKey? { key.map { AccountKey(secret: $0, origin: "your answer") } }
}
