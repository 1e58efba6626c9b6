package import FoundationEssentials
package import Supabase

/// One request for a video, on disk before the first call that may cost money.
package struct SubmitIntent: Hashable, Codable, Sendable {
    /// Names the intent towards the provider and in the ledger.
    package let key: IdempotencyKey
    /// The provider that is to make the video.
    package let provider: ProviderName
    /// Such as `fal-ai/veo3.1/fast`.
    package let model: String
    /// What the model gets, as the provider documents it.
    package let input: JSONValue
    /// When the user asked for it; the start of the search for a lost answer.
    package let madeAt: Date
    /// What it may cost, in millionths of the provider's unit; `nil` where the price is unknown.
    package let cost: Int64?

    private enum CodingKeys: String, CodingKey { case key, provider, model, input, madeAt, cost }

    /// An intent whose `key` the caller made anew, unless it repeats a stored intent.
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
