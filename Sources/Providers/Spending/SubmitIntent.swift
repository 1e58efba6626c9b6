package import FoundationEssentials
package import Supabase

/// One wish for a video, on disk before the first call that may cost money.
package struct SubmitIntent: Hashable, Codable, Sendable {
    package let key: IdempotencyKey
    package let provider: ProviderName
    /// Such as `fal-ai/veo3.1/fast`.
    package let model: String
    /// What the model gets, as the provider documents it.
    package let input: JSONValue
    package let madeAt: Date
    /// What it may cost, in millionths of the provider's unit; `nil` where nobody knows.
    package let cost: Int64?

    private enum CodingKeys: String, CodingKey { case key, provider, model, input, madeAt, cost }

    package init(
        key: IdempotencyKey, provider: ProviderName, model: String, input: JSONValue, madeAt: Date, cost: Int64? = nil
    ) {
        self.cost = cost
        self.key = key
        self.provider = provider
        self.model = model
        self.input = input
        self.madeAt = madeAt
    }
}
