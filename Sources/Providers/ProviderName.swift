/// A video provider's name as settings and job files spell it, such as `fal`.
package struct ProviderName: RawRepresentable, Hashable, Codable, Sendable {
    /// The stored spelling, in lower case.
    package let rawValue: String

    /// Accepts any spelling; a name outside `all` has no client.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// fal's queue, which runs the models of many makers.
    package static let fal = ProviderName(rawValue: "fal")
    /// Rendio's edge functions on a Supabase project.
    package static let rendio = ProviderName(rawValue: "rendio")
    /// A StoryToVideo server, usually run by the user.
    package static let storyToVideo = ProviderName(rawValue: "storytovideo")
    /// Veo through the Gemini API.
    package static let gemini = ProviderName(rawValue: "gemini")
    /// OpenAI's `/videos` calls, which several gateways also answer.
    package static let openAI = ProviderName(rawValue: "openai")
    /// Runway's tasks.
    package static let runway = ProviderName(rawValue: "runway")
    /// Luma's generations.
    package static let luma = ProviderName(rawValue: "luma")
    /// Replicate's predictions.
    package static let replicate = ProviderName(rawValue: "replicate")

    /// Every provider there is a client for, in the order of the configuration file.
    package static let all: [ProviderName] = [
        .fal, .rendio, .storyToVideo, .gemini, .openAI, .runway, .luma, .replicate,
    ]
}

extension ProviderName {
    /// How long a finished file is kept according to the provider; `nil` where nothing is documented.
    ///
    /// The shorter figure where a range is documented (contract, section 3.0).
    package var lifetime: Duration? {
        switch self {
        case .storyToVideo: .seconds(72 * 3_600)
        case .gemini: .seconds(48 * 3_600)
        case .runway: .seconds(24 * 3_600)
        case .openAI, .replicate: .seconds(3_600)
        default: nil
        }
    }
}
