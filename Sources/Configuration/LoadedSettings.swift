/// The settings of a profile and where each value came from.
package struct LoadedSettings: Hashable, Sendable {
    /// The profile's name; `default` where none was named.
    package let profile: String
    /// The profiles of the configuration file, if `profile` is not among them.
    let otherProfiles: [String]
    /// All values, with paths expanded and contradictions excluded.
    package let settings: Settings
    /// Origins by dotted key; a setting that is missing here has its default.
    let origins: [String: SettingOrigin]

    /// A clause that the file has other profiles than the one that is used; `nil` if it has that one, or none.
    ///
    /// Otherwise the default one, with a typing mistake in its name, would look as if nothing were set.
    package var missingProfile: String? {
        otherProfiles.isEmpty ? nil : Self.lack(of: profile, among: otherProfiles)
    }

    /// A clause that the file has no such profile, and which it has.
    static func lack(of profile: String, among known: [String]) -> String {
        let names = known.map { "\"\($0)\"" }.joined(separator: ", ")
        return "has no profile \"\(profile)\"; it has \(names.isEmpty ? "none" : names)"
    }

    /// Where the value of the setting with that dotted key came from.
    package func origin(of key: String) -> SettingOrigin { origins[key] ?? .standard }

    /// The settings that options gave, by their dotted keys.
    package var ofOptions: Set<String> {
        Set(
            origins.keys.filter { key in
                if case .flag? = origins[key] { true } else { false }
            })
    }

    /// Every setting with its value and origin, in the order of the configuration file.
    package var rows: [Row] {
        (Setting.all + Setting.own(of: settings)).map {
            Row(key: $0.key, value: $0.value(settings), origin: origin(of: $0.key))
        }
    }

    /// One line of `config show`.
    package struct Row: Hashable, Sendable {
        /// The setting's dotted key.
        package let key: String
        /// The value as the configuration file would write it.
        package let value: SettingValue
        /// Where the value came from.
        package let origin: SettingOrigin
    }
}
