package import Catalog
package import Providers
package import Supabase

/// A wish for a new video, as the command line says it.
package struct GenerateOrder: Hashable, Codable, Sendable {
    package var provider: ProviderName
    package var model: String
    /// What the model gets.
    package var input: JSONValue
    /// What it may cost, in millionths of the provider's unit.
    package var cost: Int64?
    /// The user has said yes to a cost that nobody knows or limits.
    package var isConfirmed: Bool

    private enum CodingKeys: String, CodingKey { case provider, model, input, cost, isConfirmed }

    package init(
        _ provider: ProviderName, model: String, input: JSONValue, cost: Int64? = nil, isConfirmed: Bool = false
    ) {
        self.provider = provider
        self.model = model
        self.input = input
        self.cost = cost
        self.isConfirmed = isConfirmed
    }

    /// Providers that videos can be ordered from.
    package static let providers: [ProviderName] = [.fal, .rendio]

    /// Why it is not to be sent, given the user's limit; `nil` where nothing is in the way.
    package func refusal(limit: Int64?) -> Ending? {
        let name = provider.rawValue
        guard Self.providers.contains(provider) else {
            return .usage("Videos are ordered from fal and rendio; from \(name) \"jobs add\" follows those made there")
        }
        guard !isConfirmed else { return nil }
        guard limit != nil else {
            return .usage("This may cost money at \(name): add --yes, or set providers.\(name).maxSpend")
        }
        guard cost == nil else { return nil }
        return .usage("Nobody says what \(model) costs: name it with --cost, so that maxSpend holds, or add --yes")
    }
}

extension GenerateOrder {
    /// Millionths of a unit for an amount such as 0.35; `nil` for what is none.
    package static func millionths(_ amount: Double) -> Int64? {
        guard amount.isFinite, 0...1_000_000 ~= amount else { return nil }
        return Int64((amount * 1_000_000).rounded())
    }
}
