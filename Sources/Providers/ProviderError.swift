/// Why a provider did not do as asked, in its own words.
package struct ProviderError: Error, Hashable, Sendable {
    /// What the error means for the caller.
    package enum Kind: String, Hashable, Codable, Sendable {
        /// Nothing came back.
        case noAnswer
        /// The answer could not be read.
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
        /// Any other refusal.
        case refused
    }

    /// What the error means for the caller; decides what is retried.
    package var kind: Kind
    /// One sentence for people; holds no secret.
    package var message: String
    /// The provider's own word for it, such as `content_policy_violation`.
    package var code: String?
    /// The HTTP status; `nil` if the error was inside a success, or no answer came.
    package var status: Int?
    /// Whether the same call may succeed later.
    package var isRetryable: Bool
    /// Whether the provider may have acted although the call failed.
    package var mayHaveArrived = false
    /// What the account holds and what the call costs, where the provider says so.
    package var credits: Credits?
    /// The body, redacted, at most 2,000 characters.
    package var body: String?
    /// How long the provider asks us to wait before the next call; not stored.
    package var retryAfter: Duration?

    /// An account's credits against a call's price.
    package struct Credits: Hashable, Codable, Sendable {
        /// Credits left in the account.
        package let current: Int
        /// Credits that the call costs.
        package let required: Int

        private enum CodingKeys: String, CodingKey { case current, required }

        /// The two figures as the provider's answer states them.
        package init(current: Int, required: Int) {
            self.current = current
            self.required = required
        }
    }

    /// An error with neither a code nor a status from the provider.
    package init(_ kind: Kind, _ message: String, isRetryable: Bool = false) {
        self.kind = kind
        self.message = message
        self.isRetryable = isRetryable
    }
}

extension ProviderError {
    /// What an error means for the job that was asked about.
    package enum Bearing: Hashable, Sendable, CaseIterable {
        /// Nothing was learned about the job, because no answer came or too many questions were asked.
        case unheard
        /// The key was refused: nothing can be learned until the user corrects it.
        case key
        /// The job cannot be reached at the moment; it may be later.
        case passing
        /// The provider has decided about this job, or refuses this kind of question.
        case final
    }

    /// What this error means for the job that was asked about.
    ///
    /// Of all statuses only 400 and 422 are final: a 404 or 500 may come from a deployment, and the job was paid for.
    /// For the same reason no failure on this computer or on the way is final.
    package var bearing: Bearing {
        switch kind {
        case .unauthorized: return .key
        // The account answers nothing until its bill is paid.
        case .insufficientCredits where status == 403: return .key
        case .rateLimited: return .unheard
        case .noAnswer: return isRetryable ? .unheard : .passing
        // A job that the provider has cancelled has a code; without one, the request was cancelled here.
        case .cancelled where code == nil: return .unheard
        case .contentFiltered, .cancelled, .unsupported: return .final
        default: break
        }
        guard let status else { return isRetryable ? .passing : .final }
        return status == 400 || status == 422 ? .final : .passing
    }
}

extension ProviderError: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, message, code, status, isRetryable, mayHaveArrived, credits, body
    }
}

extension ProviderError: CustomStringConvertible {
    /// The message, with the provider's code or else the HTTP status in parentheses.
    package var description: String {
        guard let detail = code ?? status.map({ "HTTP \($0)" }) else { return message }
        return "\(message) (\(detail))"
    }
}
