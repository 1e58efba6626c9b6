import Formats
import Platform
import Text

extension SettingSources {
    /// The profile's values in the configuration file, each under its dotted key.
    ///
    /// - Parameter profiles: All profiles of the file.
    func fileValues(_ profiles: [String: SettingValue]) throws(SettingsError) -> [SettingOverride] {
        guard let file else {
            guard let profile, profile != Self.standardProfile else { return [] }
            throw SettingsError(
                source: "--profile \(profile)",
                reason: "has no configuration yet. Run \"gallery-sync init --profile \(profile)\".")
        }
        guard let values = profiles[profile ?? Self.standardProfile] else {
            guard let profile else { return [] }
            let lack = LoadedSettings.lack(of: profile, among: profiles.keys.sorted())
            throw SettingsError(source: file.path.display, reason: lack + ".")
        }
        var found: [SettingOverride] = []
        try collect(values, at: "", in: file, into: &found)
        found.sort { $0.key < $1.key }
        // The text itself names each of them once: one in its group, and one by its dotted key.
        if let twice = zip(found, found.dropFirst()).first(where: { $0.key == $1.key })?.0.key {
            throw SettingsError(
                source: file.path.display, key: profilePath + twice,
                reason: "is set twice, as \"\(twice)\" and inside its group; keep one.")
        }
        return found
    }

    /// The profiles of the configuration file, by their names; none where there is no file.
    func profiles() throws(SettingsError) -> [String: SettingValue] {
        guard let file else { return [:] }
        let whole: SettingValue
        do {
            whole = try SettingValue.parsing(file.bytes)
        } catch {
            throw SettingsError(
                source: file.path.display,
                reason: JSON5.fault(in: file.bytes, expecting: "{profiles: {default: {}}}") + ".")
        }
        guard case .table(let top) = whole else {
            throw SettingsError(
                source: file.path.display, reason: "is \(whole.line), expected {profiles: {default: {…}}}.")
        }
        if let unknown = top.keys.sorted().first(where: { $0 != "profiles" }) {
            throw SettingsError(
                source: file.path.display, key: unknown,
                reason: "is not known here; settings belong below profiles.default.")
        }
        guard let profiles = top["profiles"] else { return [:] }
        guard case .table(let table) = profiles else {
            throw SettingsError(
                source: file.path.display, key: "profiles", reason: "is \(profiles.line), expected {default: {…}}.")
        }
        return table
    }

    /// Descends through the groups of settings to the settings themselves.
    private func collect(
        _ value: SettingValue, at key: String, in file: ConfigurationFile, into found: inout [SettingOverride]
    ) throws(SettingsError) {
        if Setting.isKnown(key) || Setting.describesOwn(key, value) {
            found.append(SettingOverride(key, value, from: .file(file.path)))
            return
        }
        let members = Setting.members(of: key)
        guard !members.isEmpty else {
            throw SettingsError(
                source: file.path.display, key: profilePath + key,
                reason: "is not a setting.\(Setting.suggestion(for: key))")
        }
        guard case .table(let table) = value else {
            let place = key.isEmpty ? String(profilePath.dropLast()) : profilePath + key
            // The text is not repeated: it may be a key, written in place of the group that names the key's file.
            let said = if case .text = value { "text" } else { value.line }
            throw SettingsError(
                source: file.path.display, key: place,
                reason: "is \(said), expected {\(members.joined(separator: ", "))}.")
        }
        for (name, member) in table.sorted(by: { $0.key < $1.key }) {
            try collect(member, at: key.isEmpty ? name : "\(key).\(name)", in: file, into: &found)
        }
    }
}

extension Setting {
    /// The names one level below `group`, in order; empty where it is not a group.
    static func members(of group: String) -> [String] {
        let prefix = group.isEmpty ? "" : group + "."
        var members: [String] = []
        for setting in all where setting.key.hasPrefix(prefix) {
            let name = String(setting.key.dropFirst(prefix.count).prefix { $0 != "." })
            if !members.contains(name) { members.append(name) }
        }
        return members
    }

    /// ` Did you mean "x"?` for an unknown key: first among its neighbours, then anywhere.
    package static func suggestion(for key: String) -> String {
        let segments = key.split(separator: ".").map(String.init)
        guard let name = segments.last else { return "" }
        let group = segments.dropLast().joined(separator: ".")
        if let near = Spelling.nearest(to: name, among: members(of: group)) {
            return " Did you mean \"\(group.isEmpty ? near : "\(group).\(near)")\"?"
        }
        return Spelling.suggestion(for: key, among: all.map(\.key))
    }
}
