import Platform
import Text

extension SettingFormat where Value == Settings.Root {
    /// A path, or `{path, name, autoUpload, ignore}`.
    static var root: Self {
        Self(
            expectation: "a path, or {path, name, autoUpload, ignore}",
            read: { (value) throws(SettingFault) in
                guard case .table(let table) = value else {
                    return Settings.Root(path: try SettingFormat<FilePath>.path.read(value))
                }
                return try root(table)
            },
            write: { root in
                if root == Settings.Root(path: root.path) { return SettingFormat<FilePath>.path.write(root.path) }
                return .table([
                    "path": SettingFormat<FilePath>.path.write(root.path),
                    "name": root.name.map(SettingValue.text) ?? .null,
                    "autoUpload": .flag(root.autoUpload),
                    "ignore": .list(root.ignore.map(SettingValue.text)),
                ])
            })
    }

    private static func root(_ table: [String: SettingValue]) throws(SettingFault) -> Settings.Root {
        let names = ["path", "name", "autoUpload", "ignore"]
        if let unknown = table.keys.sorted().first(where: { !names.contains($0) }) {
            let suggestion = Spelling.suggestion(for: unknown, among: names)
            throw SettingFault(place: ".\(unknown)", reason: "is not a setting of a root.\(suggestion)")
        }
        func value<Member>(_ name: String, _ format: SettingFormat<Member>, else standard: Member?)
            throws(SettingFault) -> Member
        {
            guard let value = table[name] else {
                if let standard { return standard }
                throw SettingFault(reason: "has no \"\(name)\".")
            }
            do throws(SettingFault) {
                return try format.read(value)
            } catch {
                throw error.inside(".\(name)")
            }
        }
        return Settings.Root(
            path: try value("path", .path, else: nil),
            name: try value("name", .optional(.rootName), else: .some(nil)),
            autoUpload: try value("autoUpload", .flag, else: true),
            ignore: try value("ignore", .list(.pattern, separator: ","), else: []))
    }
}

extension SettingFormat where Value == String {
    /// The first segment of keys: not hidden, and without a slash.
    static var rootName: Self {
        .text("a name without \"/\" that does not begin with a dot") { name in
            // Compares bytes: a slash or dot with a combining accent is another `Character`, but the same byte.
            let bytes = name.utf8
            return (1...100).contains(bytes.count) && bytes.first != UInt8(ascii: ".")
                && !bytes.contains(UInt8(ascii: "/")) && !bytes.contains(0)
        }
    }

    /// Names or paths below a root; a pattern that can match none is refused, since it would silently exclude nothing.
    static var pattern: Self {
        .text("a name or path below a root, like \"*.tmp\" or \"Cache/**\"") { pattern in
            let text = pattern.hasSuffix("/") ? pattern.dropLast() : pattern[...]
            let segments = text.split(separator: "/", omittingEmptySubsequences: false)
            return segments.allSatisfy { !["", ".", ".."].contains($0) } && !(segments.count > 1 && segments[0] == "~")
        }
    }
}
