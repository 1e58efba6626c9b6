package import Platform

/// Where the value of a setting comes from; a later case wins over an earlier one.
package enum SettingOrigin: Hashable, Sendable {
    case standard
    case file(FilePath)
    /// What the profile's state remembers, such as the destination of its first receipt.
    case remembered
    /// The name of the variable.
    case environment(String)
    /// As it was written, such as `--limit-rate`.
    case flag(String)
}

extension SettingOrigin: CustomStringConvertible {
    package var description: String {
        switch self {
        case .standard: "default"
        case .file(let path): path.display
        case .remembered: "remembered"
        case .environment(let variable): variable
        case .flag(let flag): flag
        }
    }

    /// Which of two origins wins: the higher one.
    var rank: Int {
        switch self {
        case .standard: 0
        case .file: 1
        case .remembered: 2
        case .environment: 3
        case .flag: 4
        }
    }
}

/// A value given outside the configuration file.
package struct SettingOverride: Hashable, Sendable {
    /// The setting's dotted key.
    package let key: String
    /// Text is read as a person would write it: `8M`, `true`, `512,1024`.
    package let value: SettingValue
    package let origin: SettingOrigin

    package init(_ key: String, _ value: SettingValue, from origin: SettingOrigin) {
        self.key = key
        self.value = value
        self.origin = origin
    }
}

/// A configuration that needs a human: one sentence that says where and what.
package struct SettingsError: Error, Hashable, CustomStringConvertible {
    /// The file, variable or flag.
    package let source: String
    /// The dotted path of the setting; empty where the source as a whole is wrong.
    package let key: String
    package let reason: String

    package init(source: String, key: String = "", reason: String) {
        self.source = source
        self.key = key
        self.reason = reason
    }

    package var description: String { key.isEmpty ? "\(source) \(reason)" : "\(source): \(key) \(reason)" }
}
