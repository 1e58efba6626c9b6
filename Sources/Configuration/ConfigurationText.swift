import Cleansing

/// A configuration file as `init` changes it.
package enum ConfigurationText {
    /// The whole file with `profile` in it; everything else stays as it is, comments too where that is possible.
    ///
    /// - Parameter existing: The content of the file; `nil` where there is none yet.
    package static func text(profile: String, _ value: SettingValue, in existing: [UInt8]?) throws -> String {
        var (top, profiles): ([String: SettingValue], [String: SettingValue]) = ([:], [:])
        let present = try existing.map(SettingValue.parsing)
        if case .table(let known)? = present { top = known }
        if case .table(let known)? = top["profiles"] { profiles = known }
        profiles[profile] = value
        top["profiles"] = .table(profiles)
        if let existing, let present, let text = ConfigurationEdit.text(existing, from: present, to: .table(top)) {
            return text
        }
        let head = """
            // Settings of gallery-sync. "gallery-sync config show" lists every setting with its value;
            // config/gallery-sync.json5 explains each.

            """
        return head + lines(.table(["profiles": .table(profiles)]), indent: 0) + "\n"
    }

    /// JSON5 with four spaces per level; a table or list that fits on a line stays on one.
    static func lines(_ value: SettingValue, indent: Int) -> String {
        let inner = String(repeating: " ", count: indent + 4)
        let outer = String(repeating: " ", count: indent)
        switch value {
        case .table(let table) where !table.isEmpty:
            let members = table.sorted { $0.key < $1.key }.map { key, value in
                "\(inner)\(name(key)): \(lines(value, indent: indent + 4)),\n"
            }
            return "{\n\(members.joined())\(outer)}"
        case .list(let list)
        where list.contains { if case .table = $0 { true } else { false } } || value.line.count > 90:
            return "[\n" + list.map { "\(inner)\($0.line),\n" }.joined() + "\(outer)]"
        default: return value.line
        }
    }

    /// A name without quotes where JSON5 allows it.
    static func name(_ key: String) -> String {
        let isPlain =
            key.first?.isLetter == true && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return isPlain ? key : JSONText.quoted(key)
    }
}
