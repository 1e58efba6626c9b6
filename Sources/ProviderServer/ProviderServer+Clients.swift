package import Providers
import Supabase
package import Transfer

extension ProviderServer {
    /// The real client of a provider, directed to this server, with the right key unless another is given.
    ///
    /// - Parameter models: The models whose finished jobs are requested from fal.
    package func provider(
        _ site: ProviderName, key: String? = nil, models: [String] = ["fal-ai/veo3.1"], transport: any Transport
    ) -> any Provider {
        let base = base(of: site)
        let key = key ?? self.key
        return switch site {
        case .rendio:
            Rendio(project: base, credentials: StorageCredentials(key: key), userID: "u-1", transport: transport)
        case .storyToVideo: StoryToVideo(base: base, transport: transport)
        case .gemini: GeminiVeo(key: key, base: base, transport: transport)
        case .openAI: OpenAIVideos(base: base, key: key, transport: transport)
        case .runway: Runway(key: key, base: base, transport: transport)
        case .luma: Luma(key: key, base: base, transport: transport)
        case .replicate: Replicate(key: key, base: base, transport: transport)
        default: Fal(key: key, models: models, base: base, history: base, transport: transport)
        }
    }
}
