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
        let key = Self.spelled(key ?? self.key, for: site)
        return switch site {
        case .rendio:
            Rendio(project: base, credentials: StorageCredentials(key: key), userID: "u-1", transport: transport)
        case .storyToVideo: StoryToVideo(base: base, transport: transport)
        case .fal: Fal(key: key, models: models, base: base, history: base, transport: transport)
        default: PolledProvider(Self.api(of: site), key: key, base: base, transport: transport)
        }
    }

    /// The key as a user of the provider has it.
    package func key(of site: ProviderName) -> String { Self.spelled(key, for: site) }

    /// The key as `site` spells it; Kling's has two halves, and the second one signs.
    private static func spelled(_ key: String, for site: ProviderName) -> String {
        site == .kling ? "made-up:" + key : key
    }

    /// The provider's table, but without the least wait between two questions, so that tests need not wait.
    private static func api(of site: ProviderName) -> JobAPI {
        var api = site.api ?? .openAI
        api.leastWait = .zero
        return api
    }
}
