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
        case .fal: Fal(key: key, models: models, base: base, history: base, transport: transport)
        default: PolledProvider(Self.api(of: site), key: key, base: base, transport: transport)
        }
    }

    /// The provider's table; the stand-in asks for no time between two questions.
    private static func api(of site: ProviderName) -> JobAPI {
        var api = site.api ?? .openAI
        api.leastWait = .zero
        return api
    }
}
