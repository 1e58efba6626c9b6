/// The settings of a profile and where each value came from.
package struct LoadedSettings: Hashable, Sendable {
    /// The profile's name; `default` where none was named.
    package let profile: String
    /// All values, with paths expanded and contradictions excluded.
    package let settings: Settings
    /// Origins by dotted key; a setting that is missing here has its default.
    let origins: [String: SettingOrigin]

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
