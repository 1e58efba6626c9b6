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
    /// Grok Imagine at xAI.
    package static let xAI = ProviderName(rawValue: "xai")
    /// Seedance at ByteDance's ModelArk.
    package static let seedance = ProviderName(rawValue: "seedance")
    /// Wan at Alibaba's Model Studio.
    package static let wan = ProviderName(rawValue: "wan")
    /// Vidu.
    package static let vidu = ProviderName(rawValue: "vidu")
    /// Hailuo at MiniMax.
    package static let miniMax = ProviderName(rawValue: "minimax")
    /// Together's videos.
    package static let together = ProviderName(rawValue: "together")
    /// Luma's agents, whose API is another than that of its generations.
    package static let lumaAgents = ProviderName(rawValue: "lumaagents")
    /// Kling.
    package static let kling = ProviderName(rawValue: "kling")
    /// Veo at Vertex AI, Google's cloud.
    package static let vertex = ProviderName(rawValue: "vertex")

    /// Every provider there is a client for, in the order of the configuration file.
    package static let all: [ProviderName] = [
        .fal, .rendio, .storyToVideo, .gemini, .openAI, .runway, .luma, .replicate, .xAI, .seedance, .wan, .vidu,
        .miniMax, .together, .lumaAgents, .kling, .vertex,
    ]
    /// The providers that need nothing but a table.
    private static let tables = Dictionary(uniqueKeysWithValues: JobAPI.all.map { ($0.name, $0) })
}

extension ProviderName {
    /// The table of the provider; `nil` if it needs code, or if the user has added it.
    package var api: JobAPI? { Self.tables[self] }

    /// How long a finished file is kept according to the provider; `nil` where nothing is documented.
    ///
    /// If a range is documented, its shorter figure (contract, section 3.0).
    package var lifetime: Duration? { self == .storyToVideo ? .seconds(72 * 3_600) : api?.lifetime }

    /// Whether asking about a finished job again may give another link once the first has ended.
    package var renewsLinks: Bool {
        // StoryToVideo keeps a link that it has signed once (contract, section 1.3); all others sign a new one for each
        // answer, serve the file themselves, or sign on request, as fal does.
        self != .storyToVideo
    }

    /// How long answered questions may be refused in a row before a job is given up.
    ///
    /// Counted by the waits between answers, not by the clock. Never minutes: a deployment or an incident takes hours.
    package var patience: Duration {
        // StoryToVideo is the user's own server, with links of 72 h: a broken one is repaired over a weekend. fal looks
        // up requests for days; of Rendio nothing is documented.
        self == .storyToVideo ? .seconds(72 * 3_600) : api?.patience ?? .seconds(24 * 3_600)
    }
}
