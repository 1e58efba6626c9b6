import Cleansing
import Configuration
import Gallery
import Platform

/// What `init` writes into a profile.
struct ProfileDraft: Hashable, Sendable {
    var roots: [Settings.Root] = []
    var destination = Settings().destination

    /// The profile as the configuration writes it: only what was chosen.
    ///
    /// - Parameter home: Paths below it begin with `~/`.
    func table(home: FilePath) -> [String: SettingValue] {
        var table: [String: SettingValue] = ["destination": .table(destinationTable(home: home))]
        if !roots.isEmpty {
            table["roots"] = .list(
                roots.map { root in
                    let path = SettingValue.text(Self.short(root.path, home: home))
                    return root.autoUpload ? path : .table(["path": path, "autoUpload": .flag(false)])
                })
        }
        return table
    }

    private func destinationTable(home: FilePath) -> [String: SettingValue] {
        if destination.local { return ["local": .flag(true)] }
        var table: [String: SettingValue] = ["bucket": .text(destination.bucket)]
        table["url"] = destination.url.map(SettingValue.text)
        table["prefix"] = destination.prefix.isEmpty ? nil : .text(destination.prefix)
        if let budget = destination.storageBudget {
            table["storageBudget"] = SettingValue(budget)
        }
        table["keyFile"] = destination.keyFile.map { .text(Self.short($0, home: home)) }
        return table
    }

    private static func short(_ path: FilePath, home: FilePath) -> String {
        if path == home { return "~" }
        return path.relative(to: home).map { "~/" + $0.display } ?? path.display
    }
}

/// A configuration file as `init` changes it.
enum ConfigurationText {
    /// The whole file with `profile` in it; other profiles stay as they are.
    ///
    /// - Parameter existing: The content of the file; `nil` where there is none yet.
    static func text(profile: String, _ value: SettingValue, in existing: SettingValue?) -> String {
        var profiles: [String: SettingValue] = [:]
        if case .table(let top) = existing, case .table(let known) = top["profiles"] { profiles = known }
        profiles[profile] = value
        let head = """
            // Settings of gallery-sync. "gallery-sync config show" lists every setting with its value;
            // config/gallery-sync.json5 explains each.

            """
        return head + lines(.table(["profiles": .table(profiles)]), indent: 0) + "\n"
    }

    /// JSON5 with four spaces per level; what fits on a line stays on it.
    private static func lines(_ value: SettingValue, indent: Int) -> String {
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
    private static func name(_ key: String) -> String {
        let isPlain =
            key.first?.isLetter == true && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return isPlain ? key : JSONText.quoted(key)
    }
}
