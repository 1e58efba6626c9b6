package import Providers

extension Settings {
    /// A provider that only the configuration knows: its table, its account, and how the user wrote both.
    package struct OwnProvider: Hashable, Sendable {
        /// The table that the facts describe.
        package let api: JobAPI
        /// Its url and the file of its key.
        var account: Account
        /// The facts as the configuration has them.
        let written: SettingValue
    }
}

extension Setting {
    /// The setting of a provider that the user has added; `nil` for any other key.
    static func own(_ key: String) -> Setting? {
        guard let name = ownName(key) else { return nil }
        let provider = ProviderName(rawValue: name)
        return Setting(key, \.providers[own: provider], .optional(.ownProvider(provider)))
    }

    /// Whether `value` under `key` describes an added provider, and is not a misspelled known one.
    static func describesOwn(_ key: String, _ value: SettingValue) -> Bool {
        guard ownName(key) != nil, case .table(let table) = value else { return false }
        return OwnProviderReader.facts.contains { table[$0] != nil }
    }

    /// The settings of the providers that the user has added, by name.
    static func own(of settings: Settings) -> [Setting] {
        settings.providers.ownNames.compactMap { own("providers.\($0.rawValue)") }
    }

    private static func ownName(_ key: String) -> String? {
        guard key.hasPrefix("providers.") else { return nil }
        let name = key.dropFirst("providers.".count)
        let isName = (1...32).contains(name.utf8.count) && name.utf8.allSatisfy { $0 < 0x80 && isLowerOrDigit($0) }
        let isTaken = name == "table" || ProviderName.all.contains { $0.rawValue == name }
        return isName && !isTaken ? String(name) : nil
    }

    private static func isLowerOrDigit(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }
}
