import Gallery
import Platform
import Providers
import Supabase
import Transfer

/// The providers that the settings and the environment give an account at.
struct ProviderSites {
    let settings: Settings
    let environment: [String: String]
    let user: UInt32
    let transport: any Transport

}

extension ProviderSites {
    init(_ setup: Setup, in surroundings: Surroundings, transport: any Transport) {
        self.init(
            settings: setup.settings, environment: surroundings.environment, user: surroundings.user,
            transport: transport)
    }

    /// Every provider that is configured; throws where a key's file is unreadable.
    func all() throws -> [ProviderName: any Provider] {
        var sites: [ProviderName: any Provider] = [:]
        for name in Settings.Providers.known {
            let account = settings.providers[name]
            let key = try AccountKey.find(name, environment: environment, settings: settings, user: user)
            sites[name] = Self.site(name, at: account, key: key?.secret, transport)
        }
        return sites
    }

    /// The rules for links: what the settings name may be plain and private, everything else is public and https.
    var linkRules: LinkRules {
        LinkRules(
            hosts: settings.rescue.hosts,
            configured: settings.rescue.origins + Settings.Providers.known.compactMap { settings.providers[$0].url },
            sizeLimit: Int64(settings.rescue.maxFileBytes))
    }

    /// `nil` where something is missing that the provider cannot be asked without.
    private static func site(
        _ name: ProviderName, at account: Settings.Account, key: String?, _ transport: any Transport
    ) -> (any Provider)? {
        if name == .storyToVideo { return account.url.map { StoryToVideo(base: $0, transport: transport) } }
        guard let key else { return nil }
        switch (name, account.url) {
        case (.fal, nil): return Fal(key: key, models: account.models, transport: transport)
        case (.fal, let url?):
            return Fal(key: key, models: account.models, base: url, history: url, transport: transport)
        case (.rendio, let url?):
            return Rendio(
                project: url, credentials: StorageCredentials(key: key), userID: account.user, transport: transport)
        case (.openAI, let url?): return OpenAIVideos(base: url, key: key, transport: transport)
        case (.gemini, nil): return GeminiVeo(key: key, transport: transport)
        case (.gemini, let url?): return GeminiVeo(key: key, base: url, transport: transport)
        case (.runway, nil): return Runway(key: key, transport: transport)
        case (.runway, let url?): return Runway(key: key, base: url, transport: transport)
        case (.luma, nil): return Luma(key: key, transport: transport)
        case (.luma, let url?): return Luma(key: key, base: url, transport: transport)
        case (.replicate, nil): return Replicate(key: key, transport: transport)
        case (.replicate, let url?): return Replicate(key: key, base: url, transport: transport)
        default: return nil
        }
    }
}
