/// Who makes videos, as settings and job files spell it, such as `fal`.
package struct ProviderName: RawRepresentable, Hashable, Codable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let fal = ProviderName(rawValue: "fal")
    package static let rendio = ProviderName(rawValue: "rendio")
    package static let storyToVideo = ProviderName(rawValue: "storytovideo")
    package static let gemini = ProviderName(rawValue: "gemini")
    package static let openAI = ProviderName(rawValue: "openai")
    package static let runway = ProviderName(rawValue: "runway")
    package static let luma = ProviderName(rawValue: "luma")
    package static let replicate = ProviderName(rawValue: "replicate")

    /// Every provider there is a client for, in the order of the configuration file.
    package static let all: [ProviderName] = [
        .fal, .rendio, .storyToVideo, .gemini, .openAI, .runway, .luma, .replicate,
    ]
}

extension ProviderName {
    /// How long a finished file lives by the provider's own word; `nil` where it promises nothing.
    ///
    /// The shorter figure where a range is documented (contract section 3.0).
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
