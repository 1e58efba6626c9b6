package import Platform

/// Which names below a root are no part of the gallery, and why.
package struct IgnoreRules: Sendable {
    private let user: [(pattern: String, glob: Glob)]
    private let includeHidden: Bool

    /// The built-in rules, and the user's patterns for all roots and for this one.
    package init(patterns: [String] = [], includeHidden: Bool = false) {
        user = patterns.map { ($0, Glob($0)) }
        self.includeHidden = includeHidden
    }

    /// Names that programs leave behind, in the words `why` shows.
    private static let builtIn: [(glob: Glob, reason: String)] = [
        ("thumb_*", "a thumbnail made by another program"),
        ("*.part", "an unfinished download"),
        ("*.crdownload", "an unfinished download"),
        ("*.tmp", "a temporary file"),
        ("*~", "an editor's backup"),
        ("#*#", "an editor's autosave"),
        ("*.swp", "an editor's swap file"),
        ("@eaDir", "a NAS index directory"),
        ("#recycle", "a NAS recycle bin"),
        (".Trash-*", "a trash directory"),
        ("lost+found", "the file system's own directory"),
    ].map { (Glob($0.0), $0.1) }

    /// Why the file or directory at `path` below the root is left out, or `nil` when it is not.
    ///
    /// Says nothing about the directories above it; use `reason(for:)` for a path whose parents were not walked.
    package func reasonForName(at path: FilePath) -> String? { reason(forName: path.name) { path } }

    /// The same for `name` in `directory`; makes no path unless a rule asks for it.
    func reason(forName name: [UInt8], in directory: FilePath) -> String? {
        reason(forName: name) { directory.appending(name) }
    }

    private func reason(forName name: [UInt8], path: () -> FilePath) -> String? {
        if let rule = Self.builtIn.first(where: { $0.glob.matches(name) }) { return rule.reason }
        if !includeHidden, name.first == UInt8(ascii: ".") { return "hidden" }
        let rule = user.first { $0.glob.matches($0.glob.isPath ? path().bytes : name) }
        return rule.map { "your rule “\($0.pattern)”" }
    }

    /// The same for a path any of whose directories may be left out.
    package func reason(for path: FilePath) -> String? {
        var walked = FilePath(bytes: [])
        for component in path.components {
            walked = walked.appending(component)
            if let reason = reasonForName(at: walked) { return reason }
        }
        return nil
    }
}
