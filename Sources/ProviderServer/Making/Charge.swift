import FoundationEssentials
package import Providers

/// One job that a provider accepted and charged for.
package struct Charge: Hashable, Sendable {
    /// The provider.
    package let site: ProviderName
    /// The provider's id of the job.
    package let job: String
    /// The model's name as the request gave it.
    package let model: String
    /// The idempotency key of the request; `nil` without one.
    package let key: String?
    /// When the job was accepted, by the server's clock.
    let at: Date
}
