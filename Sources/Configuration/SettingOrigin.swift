package import Platform

/// Where the value of a setting comes from; a later case wins over an earlier one.
package enum SettingOrigin: Hashable, Sendable {
    case standard
    case file(FilePath)
    /// The profile's state, which remembers for example the destination of its first receipt.
    case remembered
    /// The name of the variable.
    case environment(String)
    /// The flag as the user wrote it, such as `--limit-rate`.
    case flag(String)
}

extension SettingOrigin: CustomStringConvertible {
    /// The text in `config show`: `default`, a path, a variable or a flag.
    package var description: String {
        switch self {
        case .standard: "default"
        case .file(let path): path.display
        case .remembered: "remembered"
        case .environment(let variable): variable
        case .flag(let flag): flag
        }
    }

    /// The precedence; the higher one of two origins wins.
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
    /// The value; text has the form in which the user writes it: `8M`, `true`, `512,1024`.
    package let value: SettingValue
    /// Where the value was given.
    let origin: SettingOrigin

    /// An override of the setting `key`, which need not exist: loading reports an unknown one.
    package init(_ key: String, _ value: SettingValue, from origin: SettingOrigin) {
        self.key = key
        self.value = value
        self.origin = origin
    }
}

/// A configuration that the user must correct: one sentence that says where and what.
package struct SettingsError: Error, Hashable, CustomStringConvertible {
    /// The file, variable or flag.
    let source: String
    /// The dotted path of the setting; empty where the source as a whole is wrong.
    let key: String
    /// Follows source and key, such as `is not a setting.`; ends with a full stop.
    let reason: String
    /// Whether the command line is wrong, and not a file or a variable.
    package let isTyped: Bool

    /// An error in `source` as a whole unless `key` names a setting.
    package init(source: String, key: String = "", reason: String, isTyped: Bool = false) {
        self.source = source
        self.key = key
        self.reason = reason
        self.isTyped = isTyped
    }

    /// An error in the text that `origin` names, at `place` in it.
    init(_ origin: SettingOrigin, at place: String = "", key: String = "", reason: String) {
        let isTyped = if case .flag = origin { true } else { false }
        self.init(source: "\(origin)\(place)", key: key, reason: reason, isTyped: isTyped)
    }

    /// The sentence for the user.
    package var description: String { key.isEmpty ? "\(source) \(reason)" : "\(source): \(key) \(reason)" }
}
