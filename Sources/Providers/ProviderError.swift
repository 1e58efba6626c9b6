/// Why a provider did not do as asked, in its own words.
package struct ProviderError: Error, Hashable, Sendable {
    /// What it means for the one who asked.
    package enum Kind: String, Hashable, Codable, Sendable {
        /// Nothing came back.
        case noAnswer
        /// What came back makes no sense.
        case invalidResponse
        case unavailable
        case insufficientCredits
        case unauthorized
        case missing
        case expired
        case contentFiltered
        case rateLimited
        case cancelled
        /// The provider has no such call.
        case unsupported
        /// Anything else it said no to.
        case refused
    }

    package var kind: Kind
    /// One sentence for people; holds no secret.
    package var message: String
    /// The provider's own word for it, such as `content_policy_violation`.
    package var code: String?
    /// The HTTP status; `nil` where the error stood in a success, or nothing came.
    package var status: Int?
    /// Whether the same call may succeed later.
    package var isRetryable: Bool
    /// Whether the provider may have acted all the same.
    package var mayHaveArrived = false
    /// What the account holds and what the call costs, where the provider says so.
    package var credits: Credits?
    /// The body, redacted, at most 2,000 characters.
    package var body: String?
    /// How long the provider asks to be left alone; not stored.
    package var retryAfter: Duration?

    /// An account's credits against a call's price.
    package struct Credits: Hashable, Codable, Sendable {
        package let current: Int
        package let required: Int

        private enum CodingKeys: String, CodingKey { case current, required }

        package init(current: Int, required: Int) {
            self.current = current
            self.required = required
        }
    }

    package init(_ kind: Kind, _ message: String, isRetryable: Bool = false) {
        self.kind = kind
        self.message = message
        self.isRetryable = isRetryable
    }
}

extension ProviderError: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, message, code, status, isRetryable, mayHaveArrived, credits, body
    }
}

extension ProviderError: CustomStringConvertible {
    package var description: String {
        guard let detail = code ?? status.map({ "HTTP \($0)" }) else { return message }
        return "\(message) (\(detail))"
    }
}
