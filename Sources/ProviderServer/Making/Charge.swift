package import FoundationEssentials
package import Providers

/// One job that a provider took on, which costs.
package struct Charge: Hashable, Sendable {
    package let site: ProviderName
    package let job: String
    package let model: String
    /// The key that came along; `nil` without one.
    package let key: String?
    package let at: Date
}
