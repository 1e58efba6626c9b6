package import Configuration
package import Platform

/// A watched directory tree, ready to be walked and read.
package struct Root: Sendable {
    /// The root's row in the library.
    package let known: KnownRoot
    /// Whether its assets are sent unasked; if not, they are indexed and thumbnailed, and sent only when named.
    package let autoUpload: Bool
    /// Whether the settings ask for it: they name it or a part of it, or name no root at all.
    package let isConfigured: Bool
    /// What is left out below it.
    package let rules: IgnoreRules
    /// Whether sound files, which other roots leave out, are stored, too, as for rescued files.
    package let takesSound: Bool
    /// What is remembered of its directory and its disks.
    package let sight: RootIdentity

    /// A root with these rules; all copies of it share `sight`.
    package init(
        known: KnownRoot, autoUpload: Bool = true, isConfigured: Bool = true, rules: IgnoreRules = IgnoreRules(),
        takesSound: Bool = false, sight: RootIdentity = RootIdentity()
    ) {
        self.isConfigured = isConfigured
        self.sight = sight
        self.takesSound = takesSound
        self.known = known
        self.autoUpload = autoUpload
        self.rules = rules
    }
}

extension Root {
    /// A known root as the settings describe it; the one in the directory `rescued` takes sound.
    package init(_ known: KnownRoot, settings: Settings, rescued: FilePath? = nil) {
        let own = settings.root(at: known.path)
        let takesSound = known.path == rescued
        let isNamed = settings.roots.contains { $0.path == known.path || $0.path.relative(to: known.path) != nil }
        self.init(
            known: known, autoUpload: own?.autoUpload ?? true,
            isConfigured: isNamed || takesSound || settings.roots.isEmpty,
            rules: IgnoreRules(settings.scan, own: own?.ignore ?? [], keepsParts: takesSound), takesSound: takesSound)
    }

    /// The name that begins the key of every object below it.
    package var name: String { known.name }

    /// Whether the directory is there, and is the one that is remembered; blocks.
    package var isHere: Bool { (try? open()) != nil }

    /// Opens the directory; nothing keeps it open, so its disk can be unmounted at any time.
    ///
    /// Throws an error that `isDiskAway` if the directory is missing, or is not the remembered one.
    package func open() throws(SystemError) -> Directory {
        let directory: Directory
        do {
            directory = try Directory(known.path)
        } catch {
            throw error.isMissing ? .diskAway(known.path) : error
        }
        guard try sight.admits(directory) else { throw .diskAway(known.path) }
        return directory
    }

    /// Opens the file at `path` below the root, following no symlink on the way.
    ///
    /// Throws an error that `isDiskAway` if nothing is known about the file because its disk is away.
    package func open(_ path: FilePath) throws(SystemError) -> OpenFile {
        let directory = try open()
        do {
            return try directory.open(file: path)
        } catch {
            guard error.isMissing else { throw error }
            guard try existingFacts(of: path) == nil else { return try directory.open(file: path) }
            throw error
        }
    }

    /// What the file system knows about the file at `path`, or `nil` when it is surely not there.
    ///
    /// Throws an error that `isDiskAway` if the disk that it lies on is away, or goes away meanwhile.
    package func existingFacts(of path: FilePath) throws(SystemError) -> FileFacts? {
        try facts(of: path) { directory throws(SystemError) in try directory.existingFacts(of: path) }
    }

    /// The same, if the directories list the file by this very name; a disk that ignores case lists only one.
    ///
    /// May read the directories along `path`, so it is meant for files that may be gone, and not for each file.
    package func listedFacts(of path: FilePath) throws(SystemError) -> FileFacts? {
        try facts(of: path) { directory throws(SystemError) in try directory.listedFacts(of: path) }
    }

    /// `path` as the directories below the root spell it; unchanged if that is not known.
    package func spelling(of path: FilePath) -> FilePath {
        (try? open().spelling(of: path)).flatMap { $0 } ?? path
    }

    private func facts(
        of path: FilePath, _ look: (Directory) throws(SystemError) -> FileFacts?
    ) throws(SystemError) -> FileFacts? {
        let directory = try open()
        for (mounted, identity) in sight.mounts where mounted == path || path.relative(to: mounted) != nil {
            guard try Self.holds(directory, mounted, identity) else {
                throw .diskAway(directory.path.appending(mounted))
            }
        }
        if let facts = try look(directory) { return facts }
        // After an unmount a process can still read directories that it has open, so the root is opened again.
        let now = try open()
        guard try now.place() == directory.place() else { throw .diskAway(known.path) }
        // A share that has lost its volume shows an empty directory, so it is not believed that all files were deleted.
        guard try !now.isEmpty() else { throw .diskAway(known.path) }
        // The volume may be back by now.
        return try look(now)
    }

    /// Whether the directory at `path` is the one that `identity` describes.
    private static func holds(
        _ root: Directory, _ path: FilePath, _ identity: DirectoryIdentity
    ) throws(SystemError) -> Bool {
        do {
            return try root.open(directory: path).identity().likeness(to: identity) != .other
        } catch {
            guard error.isMissing else { throw error }
            return false
        }
    }
}
