import Cleansing
import Configuration
import Gallery
import Providers
import Supabase
import Text
import Transfer

/// The providers for which the settings and the environment name an account.
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

    /// Every provider that is configured; throws where the file of a key cannot be read.
    func all() throws -> [ProviderName: any Provider] {
        var sites: [ProviderName: any Provider] = [:]
        for name in ProviderName.all { sites[name] = try site(name) }
        return sites
    }

    /// The examination of the account at `name`; `nil` where nothing is configured for it.
    func examination(of name: ProviderName) -> ProviderExamination? {
        let account = settings.providers[name]
        let key: Result<AccountKey?, SettingsError>
        do throws(SettingsError) {
            key = .success(try AccountKey.find(name, environment: environment, settings: settings, user: user))
        } catch {
            key = .failure(error)
        }
        let found = try? key.get()
        if case .success(nil) = key, account == Settings().providers[name] { return nil }
        return ProviderExamination(
            name, key: key, site: Self.site(name, at: account, key: found?.secret, transport))
    }

    /// The provider with the key that its file holds now; `nil` while that cannot be read.
    func reread(_ name: ProviderName) -> (any Provider)? {
        do { return try site(name) } catch { return nil }
    }

    private func site(_ name: ProviderName) throws -> (any Provider)? {
        let key = try AccountKey.find(name, environment: environment, settings: settings, user: user)
        return Self.site(name, at: settings.providers[name], key: key?.secret, transport)
    }

    /// The provider that `name` spells.
    static func named(_ name: String) throws -> ProviderName {
        let known = ProviderName.all
        if let provider = known.first(where: { $0.rawValue == name }) { return provider }
        let names = known.map(\.rawValue)
        throw UsageError(
            message: "\(JSONText.quoted(name)) is no provider. Known are \(names.joined(separator: ", "))"
                + " and table.\(Spelling.suggestion(for: name, among: names))")
    }

    /// The rules for links: what the settings name may be plain and private, everything else is public and https.
    var linkRules: LinkRules {
        LinkRules(
            hosts: settings.rescue.hosts,
            configured: settings.rescue.origins + ProviderName.all.compactMap { settings.providers[$0].url },
            sizeLimit: Int64(settings.rescue.maxFileBytes))
    }

    /// A client of the provider; `nil` where its key or URL is missing.
    private static func site(
        _ name: ProviderName, at account: Settings.Account, key: String?, _ transport: any Transport
    ) -> (any Provider)? {
        if name == .storyToVideo { return account.url.map { StoryToVideo(base: $0, transport: transport) } }
        guard let key else { return nil }
        let url = account.url
        switch name {
        case .fal:
            return Fal(
                key: key, models: account.models, base: url ?? Fal.usualBase, history: url ?? Fal.usualHistory,
                transport: transport)
        case .rendio:
            return url.map {
                Rendio(
                    project: $0, credentials: StorageCredentials(key: key), userID: account.user, transport: transport)
            }
        default:
            guard let api = name.api, let base = url ?? api.base else { return nil }
            return PolledProvider(api, key: key, base: base, transport: transport)
        }
    }
}
