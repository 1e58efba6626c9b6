package import Catalog
package import Configuration
package import Platform
import Roots
import Sync

/// Accepts other disks at the paths of known roots, because the user said so.
package struct DiskTaking: Sendable {
    private let library: Library
    private let settings: Settings

    /// Works on the roots of `library`; `settings` give new roots their names.
    package init(library: Library, settings: Settings) {
        self.library = library
        self.settings = settings
    }

    /// Accepts the disk at `path`; returns one sentence about the root there, or `nil` if there was nothing to do.
    ///
    /// A disk that holds the files of a known root, such as a copy of one that broke, becomes the disk of that root;
    /// any other becomes a new root beside those that were seen there.
    package func take(_ path: FilePath) async throws -> String? {
        let known = try await library.roots().filter { $0.path == path || path.relative(to: $0.path) != nil }
        guard let place = known.first?.path else { return nil }
        let identity = try Directory(place).identity()
        for root in known {
            let disks = try await library.disks(of: root.id)
            guard let own = disks[FilePath(bytes: [])] else { return nil }
            guard identity.likeness(to: own) == .other else {
                if path == place, let sentence = try await takeEmptied(root) { return sentence }
                return try await take(path, below: root, disks)
            }
        }
        // A root in which no file was seen waits for no disk: it takes any.
        for root in known where try await !library.knowsFiles(below: root.id) { return nil }
        var owner: KnownRoot?
        for root in known where owner == nil {
            let holdsFiles = try await library.holdsFiles(below: root.id)
            if holdsFiles, try await Witnesses(library, root).testify(at: place) { owner = root }
        }
        // The right disk may have come meanwhile.
        guard try Directory(place).identity().likeness(to: identity) != .other else { return try await take(path) }
        if let owner {
            try await remember(identity, as: owner)
            return "\(place.display) holds the files of the root \(owner.name): it is that root from now on."
        }
        return try await addRoot(at: place, identity, beside: known)
    }

    private func addRoot(
        at place: FilePath, _ identity: DirectoryIdentity, beside known: [KnownRoot]
    ) async throws -> String {
        let new = try await library.addRoot(at: place, name: settings.root(at: place)?.name)
        try await remember(identity, as: new)
        for root in known { try await library.setFact(RootAbsence.fact(root), to: nil) }
        return "\(place.display) is the new root \(new.name); \(known.map(\.name).joined(separator: ", ")) waits for "
            + "the disk that it was on."
    }

    /// Accepts that a root without any file was emptied, if it is on the disk that it was on.
    private func takeEmptied(_ root: KnownRoot) async throws -> String? {
        guard try await library.holdsFiles(below: root.id), try RootState(of: root.path).isEmpty else { return nil }
        try await library.setFact(RootAbsence.emptiedFact(root), to: "yes")
        try await library.setFact(RootAbsence.fact(root), to: nil)
        return "\(root.path.display) is taken as it is now, empty; what was stored of it stays in storage."
    }

    private func remember(_ identity: DirectoryIdentity, as root: KnownRoot) async throws {
        for path in try await library.disks(of: root.id).keys where !path.isEmpty {
            try await library.remember(nil, of: root.id, at: path)
        }
        try await library.remember(identity, of: root.id, at: FilePath(bytes: []))
        try await library.setFact(RootAbsence.fact(root), to: nil)
        let state = try RootState(of: root.path)
        // A root that is no mount point never waits for a disk to be mounted.
        try await library.setFact("root.\(root.name)", to: state.isMountPoint ? RootState.mountPoint : nil)
    }

    /// Accepts the disks mounted at, above or below `path` as they are now.
    private func take(
        _ path: FilePath, below root: KnownRoot, _ disks: [FilePath: DirectoryIdentity]
    ) async throws -> String? {
        let directory = try Directory(root.path)
        let below = path.relative(to: root.path) ?? FilePath(bytes: [])
        let concerned = disks.keys.filter { mount in
            !mount.isEmpty
                && (below.isEmpty || mount == below || mount.relative(to: below) != nil
                    || below.relative(to: mount) != nil)
        }
        var isNews = false
        for mount in Set(concerned + (below.isEmpty ? [] : [below])) {
            let now = try Self.disk(at: mount, in: directory)
            if let now, let was = disks[mount], now.likeness(to: was) != .other { continue }
            if now == nil, disks[mount] == nil { continue }
            try await library.remember(now, of: root.id, at: mount)
            isNews = true
        }
        guard isNews else { return nil }
        try await library.setFact(RootAbsence.fact(root), to: nil)
        return "\(path.display) is taken as it is now; what was on disks that are gone counts as deleted here."
    }

    /// The identity of the disk mounted at `path`; `nil` where none is.
    private static func disk(at path: FilePath, in root: Directory) throws(SystemError) -> DirectoryIdentity? {
        guard try root.existingFacts(of: path)?.kind == .directory else { return nil }
        let directory = try root.open(directory: path)
        let parent = try root.open(directory: path.parent)
        return try directory.place().isMounted(below: parent.place()) ? try directory.identity() : nil
    }
}
