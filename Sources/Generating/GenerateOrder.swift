package import Providers
package import Records
package import Supabase

/// An order for a new video, as given on the command line.
package struct GenerateOrder: Hashable, Codable, Sendable {
    /// The provider to send it to; one of `providers`, else `refusal` says so.
    package var provider: ProviderName
    /// The model's name as the provider spells it.
    package var model: String
    /// The model's input, sent to the provider unchanged.
    var input: JSONValue
    /// What it may cost, in millionths of the provider's unit; `nil` where the user named no cost.
    var cost: Int64?
    /// Whether the user agreed to a cost that is unknown or unlimited.
    package var isConfirmed: Bool

    private enum CodingKeys: String, CodingKey { case provider, model, input, cost, isConfirmed }

    /// An order for one video; nothing is checked until `refusal(limit:)`.
    package init(
        _ provider: ProviderName, model: String, input: JSONValue, cost: Int64? = nil, isConfirmed: Bool = false
    ) {
        self.provider = provider
        self.model = model
        self.input = input
        self.cost = cost
        self.isConfirmed = isConfirmed
    }

    /// The providers that videos can be ordered from.
    package static let providers: [ProviderName] = [.fal, .rendio, .storyToVideo]

    /// Why the order must not be sent, given the user's limit; `nil` where it may be.
    ///
    /// - Parameter limit: In millionths of the provider's unit; `nil` where the user set none.
    package func refusal(limit: Int64?) -> Ending? {
        let name = provider.rawValue
        guard Self.providers.contains(provider) else {
            return .usage(
                "Videos are ordered from fal, rendio and storytovideo; from \(name) \"jobs add\" follows those made there"
            )
        }
        // The user's own server takes no money.
        guard !isConfirmed, provider != .storyToVideo else { return nil }
        guard limit != nil else {
            return .usage("This may cost money at \(name): add --yes, or set providers.\(name).maxSpend")
        }
        guard cost == nil else { return nil }
        return .usage("It is not known what \(model) costs: name it with --cost, so that maxSpend holds, or add --yes")
    }
}

extension GenerateOrder {
    /// Millionths of a unit for an amount such as 0.35; `nil` outside 0 to 1,000,000.
    package static func millionths(_ amount: Double) -> Int64? {
        guard amount.isFinite, 0...1_000_000 ~= amount else { return nil }
        return Int64((amount * 1_000_000).rounded())
    }
}
