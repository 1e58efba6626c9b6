package import Platform
package import Providers

extension Settings {
    /// How the files of providers are brought into storage.
    package struct Rescue: Hashable, Sendable {
        /// The root of rescued files; `nil` means `generated` below the data directory.
        package var folder: FilePath?
        /// The most bytes that one file may have.
        package var maxFileBytes = 20_000_000_000
        /// The most bytes that are fetched over a metered network, and only of files with a deadline.
        package var meteredBytes = 1_000_000_000
        /// Hosts that files may come from.
        package var hosts = HostLists()
        /// Origins that may use plain HTTP and private addresses, such as `http://minio:9000`.
        package var origins: [String] = []
        /// How long a job may take before the agent stops asking the provider about it.
        package var jobTime = Duration.seconds(2 * 3600)
        /// What database rows get in place of a provider's link.
        package var table = RescueTable()
        /// Whether a watch takes the jobs that webhooks left in the project's inbox.
        package var inbox = false
    }

    /// What database rows get in place of a provider's link.
    package struct RescueTable: Hashable, Sendable {
        /// Which kind of link.
        package var link = RowLinkKind.path
        /// How long a signed link works.
        package var linkTime = Duration.seconds(7 * 86400)
    }

    /// Which kind of link a row gets.
    package enum RowLinkKind: String, CaseIterable, Hashable, Sendable {
        /// The object's address, which answers only to a key or a sign-in.
        case path
        /// A link for everyone, which works in a public bucket only.
        case `public`
        /// A link that anyone who has it can use until it expires; it is renewed before that.
        case signed
    }

    /// The accounts at providers, by name.
    package struct Providers: Hashable, Sendable {
        private var accounts: [ProviderName: Account] = [:]
        private var owns: [ProviderName: OwnProvider] = [:]

        /// The account at one provider; the defaults where nothing is set.
        package subscript(name: ProviderName) -> Account {
            get { accounts[name] ?? Account() }
            set { accounts[name] = newValue == Account() ? nil : newValue }
        }

        /// The user's own provider of that name; `nil` without one.
        package subscript(own name: ProviderName) -> OwnProvider? {
            get { owns[name] }
            set {
                owns[name] = newValue
                self[name] = newValue?.account ?? Account()
            }
        }

        /// The names of the user's own providers, in order.
        var ownNames: [ProviderName] { owns.keys.sorted { $0.rawValue < $1.rawValue } }
        /// Every provider that may have an account: those that are known, and the user's own.
        package var names: [ProviderName] { ProviderName.all + ownNames }
    }

    /// The settings of one provider's account; its key is found by `AccountKey`.
    package struct Account: Hashable, Sendable {
        /// The base URL; `nil` means the provider's usual address, where it has one.
        package var url: String?
        /// A file with mode 0600 that holds the key.
        package var keyFile: FilePath?
        /// Models whose finished jobs are listed, where a provider lists them by model.
        package var models: [String] = []
        /// The most that "generate" may cost there in total, in the provider's unit; `nil` sets no limit.
        package var maxSpend: Double?
        /// The user whose jobs are listed, where a provider lists them by user.
        package var user: String?
    }
}

extension Settings.RescueTable {
    /// Why rows cannot get public links, and what to do.
    package static func privateBucket(_ name: String) -> String {
        "rescue.table.link is \"public\", but bucket \"\(name)\" is not public, so no such link would work: set it to "
            + "\"signed\", or make the bucket public and set destination.allowPublicBucket to true."
    }
}

extension Settings.Providers {
    /// A sentence for the user: how to configure a provider that has no account yet.
    package static func missing(_ name: ProviderName) -> String {
        let key = "set \(AccountKey.variable(of: name)), or name a file with providers.\(name.rawValue).keyFile"
        let url = "set providers.\(name.rawValue).url"
        return switch name {
        case .storyToVideo: "\(name.rawValue) is not configured: \(url) to its address."
        case .rendio, .openAI: "\(name.rawValue) is not configured: \(url) to its address, and \(key)."
        default: "\(name.rawValue) is not configured: \(key)."
        }
    }

    /// What to do about a provider that refuses its key or demands payment first, in the words of `error`.
    package static func refused(_ name: ProviderName, _ error: ProviderError) -> String {
        guard name != .storyToVideo else {
            return "\(name.rawValue) permits nothing (\(error)): look at the server at providers.\(name.rawValue).url"
        }
        guard error.kind != .insufficientCredits else {
            return "\(name.rawValue) does nothing until it is paid (\(error)): add to the balance there"
        }
        return
            "\(name.rawValue) refuses the key (\(error)): renew it in \(AccountKey.variable(of: name)) or in the file "
            + "of providers.\(name.rawValue).keyFile"
    }
}

extension AccountKey {
    /// The variable that holds the key of the provider of that name, such as `GALLERY_SYNC_FAL_KEY`.
    package static func variable(of provider: ProviderName) -> String {
        "GALLERY_SYNC_\(provider.rawValue.uppercased())_KEY"
    }

    /// The provider's key from its variable, else the file in its settings, else systemd's credentials.
    package static func find(
        _ provider: ProviderName, environment: [String: String], settings: Settings, user: UInt32
    ) throws(SettingsError) -> AccountKey? {
        try find(
            Places(
                variable: variable(of: provider), file: settings.providers[provider].keyFile,
                credential: "gallery-sync-\(provider.rawValue)-key"),
            environment: environment, user: user)
    }
}

extension Setting {
    /// The settings of `rescue` and `providers`.
    static let rescue: [Setting] =
        [
            Setting("rescue.folder", \.rescue.folder, .optional(.path)),
            Setting("rescue.maxFileBytes", \.rescue.maxFileBytes, .bytes(1000...1_000_000_000_000)),
            Setting("rescue.meteredBytes", \.rescue.meteredBytes, .bytes(0...1_000_000_000_000)),
            Setting("rescue.hosts", \.rescue.hosts, .hostLists),
            Setting("rescue.origins", \.rescue.origins, .list(.webAddress, separator: ",")),
            Setting("rescue.jobTime", \.rescue.jobTime, .duration(.seconds(60) ... .seconds(30 * 86400))),
            Setting("rescue.table.link", \.rescue.table.link, .choice),
            Setting(
                "rescue.table.linkTime", \.rescue.table.linkTime, .duration(.seconds(600) ... .seconds(365 * 86400))),
            Setting("rescue.inbox", \.rescue.inbox, .flag),
        ] + ProviderName.all.flatMap(account)

    private static func account(at provider: ProviderName) -> [Setting] {
        let start = "providers.\(provider.rawValue)"
        let common = [
            Setting("\(start).url", \.providers[provider].url, .optional(.webAddress)),
            Setting("\(start).keyFile", \.providers[provider].keyFile, .optional(.keyFile)),
        ]
        guard provider == .fal || provider == .rendio else { return common }
        let limit = Setting(
            "\(start).maxSpend", \.providers[provider].maxSpend, .optional(.decimal(0...1_000_000)))
        guard provider == .fal else {
            return common + [limit, Setting("\(start).user", \.providers[provider].user, .optional(.modelName))]
        }
        return common + [
            limit,
            Setting("\(start).models", \.providers[provider].models, .list(.modelName, separator: ",")),
        ]
    }
}

extension SettingFormat where Value == String {
    /// A model's or a user's name at a provider.
    fileprivate static var modelName: Self {
        .text("a name without spaces, like \"fal-ai/veo3.1/fast\"") { text in
            (1...200).contains(text.utf8.count) && text != "null" && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        }
    }
}
