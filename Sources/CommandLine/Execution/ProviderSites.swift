import Cleansing
package import Configuration
package import Diagnosis
import Gallery
package import Providers
import Supabase
import Text
package import Transfer

/// The providers for which the settings and the environment name an account.
package struct ProviderSites {
    let settings: Settings
    let environment: [String: String]
    let user: UInt32
    let transport: any Transport
}

extension ProviderSites {
    /// The sites of the providers in `setup`, asked through `transport`.
    package init(_ setup: Setup, in surroundings: Surroundings, transport: any Transport) {
        self.init(
            settings: setup.settings, environment: surroundings.environment, user: surroundings.user,
            transport: transport)
    }

    /// Every configured provider; throws if the file of a key cannot be read.
    func all() throws -> [ProviderName: any Provider] {
        var sites: [ProviderName: any Provider] = [:]
        for name in settings.providers.names { sites[name] = try site(name) }
        return sites
    }

    /// The examination of the account at `name`; `nil` if nothing is configured for it.
    package func examination(of name: ProviderName) -> ProviderExamination? {
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
            name, key: key,
            site: Self.site(name, at: account, own: settings.providers[own: name], key: found?.secret, transport))
    }

    /// The provider with the key that is in its file now; `nil` while that cannot be read.
    func reread(_ name: ProviderName) -> (any Provider)? {
        do { return try site(name) } catch { return nil }
    }

    private func site(_ name: ProviderName) throws -> (any Provider)? {
        let key = try AccountKey.find(name, environment: environment, settings: settings, user: user)
        return Self.site(
            name, at: settings.providers[name], own: settings.providers[own: name], key: key?.secret, transport)
    }

    /// The provider that `name` spells, which may be one that the user has added in `settings`.
    ///
    /// - Parameter others: Other names that the caller accepts; an error then lists them, too.
    package static func named(
        _ name: String, in settings: Settings = Settings(), besides others: [String] = []
    ) throws -> ProviderName {
        let known = settings.providers.names
        if let provider = known.first(where: { $0.rawValue == name }) { return provider }
        let names = known.map(\.rawValue) + others
        throw UsageError(
            message: "\(JSONText.quoted(name)) is no provider. Known are \(names.joined(separator: ", "))."
                + Spelling.suggestion(for: name, among: names))
    }

    /// The rules for links: origins in the settings may be plain and private; all others must be public and https.
    var linkRules: LinkRules { Self.linkRules(settings) }

    /// The rules of these settings.
    package static func linkRules(_ settings: Settings) -> LinkRules {
        let urls = settings.providers.names.compactMap { settings.providers[$0].url }
        var rules = LinkRules(
            hosts: settings.rescue.hosts.usual, configured: settings.rescue.origins + urls,
            sizeLimit: Int64(settings.rescue.maxFileBytes))
        rules.providerHosts = settings.rescue.hosts.providers
        return rules
    }

    /// A client of the provider; `nil` where its key or URL is missing.
    private static func site(
        _ name: ProviderName, at account: Settings.Account, own: Settings.OwnProvider?, key: String?,
        _ transport: any Transport
    ) -> (any Provider)? {
        if let own {
            guard key != nil || own.api.authentication == .none else { return nil }
            return PolledProvider(own.api, key: key ?? "", transport: transport)
        }
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
