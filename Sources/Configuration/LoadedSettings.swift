/// The settings of a profile and where each value came from.
package struct LoadedSettings: Hashable, Sendable {
    package let profile: String
    package let settings: Settings
    /// By dotted key; what is missing has its default.
    let origins: [String: SettingOrigin]

    /// Where the value of the setting with that dotted key came from.
    package func origin(of key: String) -> SettingOrigin { origins[key] ?? .standard }

    /// Every setting with its value and origin, in the order of the configuration file.
    package var rows: [Row] {
        Setting.all.map { Row(key: $0.key, value: $0.value(settings), origin: origin(of: $0.key)) }
    }

    /// One line of `config show`.
    package struct Row: Hashable, Sendable {
        package let key: String
        package let value: SettingValue
        package let origin: SettingOrigin
    }
}
