package import Configuration
package import Platform

/// Which names below a root do not belong to the gallery, and why.
///
/// Names alone decide, so that a walk opens no file. If a name only raises a doubt whether the file belongs to the
/// gallery, its first bytes decide when it is read: see `doubt`.
package struct IgnoreRules: Sendable {
    private let user: [(pattern: String, glob: Glob)]
    private let includeHidden: Bool
    /// The built-in rules in effect; `scan.defaultRules` turns them off.
    private let files: [Rule]
    private let directories: [Rule]
    private let doubtful: [Rule]

    /// The rules in one text, by which a later run sees whether they have changed.
    package var text: String {
        let names = user.map(\.pattern) + (files + directories).map(\.reason)
        return (["hidden: \(includeHidden)"] + names).joined(separator: "\n")
    }

    private typealias Rule = (glob: Glob, reason: String)

    /// The built-in rules, and the user's patterns for all roots and for this one.
    ///
    /// - Parameters:
    ///   - usesDefaults: Whether names that programs leave behind are left out; hidden names have their own switch.
    ///   - keepsParts: Whether unfinished downloads are left out even without the defaults, as where rescues land.
    package init(
        patterns: [String] = [], includeHidden: Bool = false, usesDefaults: Bool = true, keepsParts: Bool = false
    ) {
        user = patterns.map { ($0, Glob($0)) }
        self.includeHidden = includeHidden
        files = usesDefaults ? Self.unfinished : keepsParts ? Array(Self.unfinished.prefix(1)) : []
        directories = usesDefaults ? Self.systemDirectories : []
        doubtful = usesDefaults ? Self.temporaries : []
    }

    /// The rules that the settings ask for, with the patterns of one root.
    package init(_ scan: Settings.Scan, own: [String] = [], keepsParts: Bool = false) {
        self.init(
            patterns: scan.ignore + own, includeHidden: scan.includeHidden, usesDefaults: scan.defaultRules,
            keepsParts: keepsParts)
    }

    /// Files that are left out whatever they hold, because half a photo begins like a whole one.
    private static let unfinished = rules(
        ("*.part", "an unfinished download"), ("*.crdownload", "an unfinished download"))

    /// Files that are left out unless their bytes say media.
    private static let temporaries = rules(
        ("*.tmp", "a temporary file"), ("*~", "an editor's backup"), ("#*#", "an editor's autosave"),
        ("*.swp", "an editor's swap file"))

    private static let systemDirectories = rules(
        ("@eaDir", "a NAS index directory"), ("#recycle", "a NAS recycle bin"), (".Trash-*", "a trash directory"),
        ("lost+found", "the file system's own directory"))

    private static func rules(_ rules: (pattern: String, reason: String)...) -> [Rule] {
        rules.map { (Glob($0.pattern), $0.reason) }
    }
}

extension IgnoreRules {
    /// Why `name` in `directory` is left out, or `nil` when it is not; makes no path unless a rule asks for it.
    package func reason(forName name: [UInt8], _ kind: FileKind, in directory: FilePath) -> String? {
        reason(forName: name, kind) { directory.appending(name) }
    }

    /// Why the file at `path` below the root is left out by its name, or `nil` when it is not.
    ///
    /// Says nothing about the directories above it; use `reason(for:)` for a path whose parents were not walked.
    package func reasonForFile(at path: FilePath) -> String? { reason(forName: path.name, .file) { path } }

    /// Why the directory at `path` below the root is left out with all in it, or `nil` when it is not.
    package func reasonForDirectory(at path: FilePath) -> String? { reason(forName: path.name, .directory) { path } }

    /// Whether `path` is left out both as a file and as a directory, so that it need not be examined.
    package func leavesOutAnything(at path: FilePath) -> Bool {
        reasonForDirectory(at: path) != nil && reasonForFile(at: path) != nil
    }

    /// Why the file at `path` is left out by its own name or a directory's, or `nil` when it is not.
    package func reason(for path: FilePath) -> String? {
        var walked = FilePath(bytes: [])
        for component in path.components.dropLast() {
            walked = walked.appending(component)
            if let reason = reasonForDirectory(at: walked) { return reason }
        }
        return reasonForFile(at: path)
    }

    /// Why a file of that name is left out unless its first bytes say media.
    package func doubt(about name: [UInt8]) -> String? { doubtful.first { $0.glob.matches(name) }?.reason }

    private func reason(forName name: [UInt8], _ kind: FileKind, path: () -> FilePath) -> String? {
        if let reason = builtInReason(forName: name, kind) { return reason }
        let rule = user.first { $0.glob.matches($0.glob.isPath ? path().bytes : name) }
        return rule.map { "your rule “\($0.pattern)”" }
    }

    private func builtInReason(forName name: [UInt8], _ kind: FileKind) -> String? {
        switch kind {
        case .file: if let rule = files.first(where: { $0.glob.matches(name) }) { return rule.reason }
        case .directory: if let rule = directories.first(where: { $0.glob.matches(name) }) { return rule.reason }
        case .symlink: return "a symlink"
        case .other: return "no file, but a pipe, a socket or a device"
        }
        return !includeHidden && name.first == UInt8(ascii: ".") ? "hidden" : nil
    }
}
