package import Providers

extension Settings {
    /// The hosts that files may come from, in general and by provider.
    package struct HostLists: Hashable, Sendable {
        /// Hosts such as `*.fal.media`; `nil` permits every public host.
        package var usual: [String]?
        /// The lists of providers that have one of their own.
        package var providers: [ProviderName: [String]] = [:]
    }
}

extension SettingFormat where Value == Settings.HostLists {
    /// A list, null, or `{fal: ["*.fal.media"], default: null}`.
    static var hostLists: Self {
        let usual = SettingFormat<[String]?>.optional(.list(.hostName, separator: ","))
        return Self(
            expectation: "\(usual.expectation), or such lists by provider",
            read: { (value) throws(SettingFault) in
                guard case .table(let table) = value else { return Settings.HostLists(usual: try usual.read(value)) }
                var lists = Settings.HostLists()
                for (name, list) in table.sorted(by: { $0.key < $1.key }) {
                    do throws(SettingFault) {
                        let hosts = try usual.read(list)
                        if name == "default" { lists.usual = hosts }
                        if name != "default" { lists.providers[ProviderName(rawValue: name)] = hosts }
                    } catch {
                        throw error.inside(".\(name)")
                    }
                }
                return lists
            },
            write: { lists in
                let general = usual.write(lists.usual)
                guard !lists.providers.isEmpty else { return general }
                var table = ["default": general]
                for (name, hosts) in lists.providers { table[name.rawValue] = usual.write(hosts) }
                return .table(table)
            }, separator: ",")
    }
}

extension SettingFormat where Value == String {
    /// A host, or all hosts below one.
    static var hostName: Self {
        .text("a host like \"fal.media\", or \"*.fal.media\" for all below it") { text in
            let name = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
            return !name.isEmpty && name.utf8.count <= 253
                && name.utf8.allSatisfy { $0 == 0x2D || $0 == 0x2E || isAlphanumeric($0) }
        }
    }
}
