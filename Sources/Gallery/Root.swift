package import Platform

/// A watched directory tree, ready to be walked and read.
package struct Root: Sendable {
    package let known: KnownRoot
    /// Off: its assets are indexed and thumbnailed, and sent only when the user names them.
    package let autoUpload: Bool
    package let rules: IgnoreRules
    /// Whether sound that galleries leave aside is stored as well, as of what was rescued.
    package let takesSound: Bool

    package init(
        known: KnownRoot, autoUpload: Bool = true, rules: IgnoreRules = IgnoreRules(), takesSound: Bool = false
    ) {
        self.takesSound = takesSound
        self.known = known
        self.autoUpload = autoUpload
        self.rules = rules
    }
}

extension Root {
    /// A known root as the settings describe it.
    package init(_ known: KnownRoot, settings: Settings, takesSound: Bool = false) {
        let own = settings.roots.first { $0.path == known.path }
        self.init(
            known: known, autoUpload: own?.autoUpload ?? true,
            rules: IgnoreRules(
                patterns: settings.scan.ignore + (own?.ignore ?? []), includeHidden: settings.scan.includeHidden),
            takesSound: takesSound)
    }

    package var name: String { known.name }

    /// Opens the directory; nothing keeps it open, so its disk can be unmounted at any time.
    package func open() throws(SystemError) -> Directory {
        try Directory(known.path)
    }

    /// Opens the file at `path` below the root, following no symlink on the way.
    package func open(_ path: FilePath) throws(SystemError) -> OpenFile {
        try open().open(file: path)
    }
}
