import Platform

/// Names one intent, so that a provider that receives it twice acts once; a UUID.
package struct IdempotencyKey: RawRepresentable, Hashable, Codable, Sendable {
    /// The UUID as it is sent and stored, in lower case where `fresh` made it.
    package let rawValue: String

    /// A key that was stored or received; its form is not checked.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A new key that no earlier intent has: a random UUID (RFC 9562, version 4).
    package static func fresh() -> IdempotencyKey { IdempotencyKey(rawValue: Randomness.uuid()) }
}
