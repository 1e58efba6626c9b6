package import Catalog
package import Platform
import Queue
package import Roots

extension Scanner {
    /// Where the root is now, or why nothing may be concluded from what lies there.
    ///
    /// The state of a root that was never looked at, or whose disk has no name, is remembered.
    func look(at root: Root, below top: FilePath) async throws -> Result<DirectoryPlace, RootAbsence> {
        if let absence = try await absence(of: root) { return .failure(absence) }
        do {
            return .success(
                try await Blocking.run { () throws(SystemError) in
                    // The disk that holds the part to be walked must also be there.
                    if !top.isEmpty { _ = try root.existingFacts(of: top) }
                    return try root.open().place()
                })
        } catch {
            return .failure(RootAbsence("\((error.path ?? root.known.path).display) is not mounted"))
        }
    }

    /// Whether the root, and every disk found below it, is still where it was.
    func isUnchanged(
        _ root: Root, since before: DirectoryPlace, _ mounts: [FilePath: DirectoryPlace]
    ) async throws -> Bool {
        do {
            return try await Blocking.run { () throws(SystemError) in
                let directory = try root.open()
                guard try directory.place() == before else { return false }
                for (path, place) in mounts where try directory.open(directory: path).place() != place { return false }
                return true
            }
        } catch {
            return false
        }
    }

    /// Whether a root that had files, but showed none to the walk, shows some now: then its disk was away meanwhile.
    func isBack(_ root: Root) async throws -> Bool {
        guard try await library.holdsFiles(below: root.known.id) else { return false }
        do {
            return try await Blocking.run { () throws(SystemError) in try !root.open().isEmpty() }
        } catch {
            return false
        }
    }

    /// Excludes the root's files from reading until it is back, and returns the most exact reason known.
    func vanished(_ root: Root, _ reason: RootAbsence) async throws -> ScanOutcome {
        let known = try await absence(of: root, isRemembering: false)
        await library.beginAbsence(of: root.known.id, below: FilePath(bytes: []))
        try await library.commit()
        return .vanished(known ?? reason)
    }

    /// Why nothing may be concluded from what lies at the root now, or `nil`.
    ///
    /// - Parameter isRemembering: Whether the state of a root that is there is remembered.
    package func absence(of root: Root, isRemembering: Bool = true) async throws -> RootAbsence? {
        let path = root.known.path
        let state: RootState
        do {
            state = try await Blocking.run { () throws(SystemError) in try RootState(of: path) }
        } catch {
            return error.isMissing ? RootAbsence("\(path.display) is not there") : RootAbsence(error)
        }
        let hadFiles = try await library.holdsFiles(below: root.known.id)
        let wasMountPoint = try await library.fact(RootState.fact(root)) == RootState.mountPoint
        let isKnown = try await isKnown(state, as: root)
        if hadFiles || isKnown == false || !isRemembering, wasMountPoint, !state.isMountPoint {
            return RootAbsence("\(path.display) is not mounted")
        }
        let emptied = RootAbsence.emptiedFact(root.known)
        let isEmptied = try await library.fact(emptied) != nil
        if hadFiles, state.isEmpty, !isEmptied {
            return RootAbsence(
                "\(path.display) is empty, though files were there; where it was emptied, "
                    + "\"gallery-sync init \(path.display)\" takes it so")
        }
        if isEmptied, !state.isEmpty { try await library.setFact(emptied, to: nil) }
        if isKnown == false { return .other(root, at: path) }
        if isRemembering { try await remember(state, of: root, wasMountPoint: wasMountPoint) }
        return nil
    }

    /// Whether the directory is the remembered one; `nil` if none is remembered, or no file was ever seen below it.
    private func isKnown(_ state: RootState, as root: Root) async throws -> Bool? {
        guard let known = root.sight.identity else { return nil }
        guard try await library.knowsFiles(below: root.known.id) else {
            return try await isOfAnother(state.identity, at: root.known) ? false : nil
        }
        switch state.identity.likeness(to: known) {
        case .same: return true
        case .other: return false
        case .uncertain: return try await Witnesses(library, root.known).testify(at: root.known.path)
        }
    }

    /// Whether it is the directory of another root at the same place, as when a disk comes back instead of a new one.
    private func isOfAnother(_ identity: DirectoryIdentity, at place: KnownRoot) async throws -> Bool {
        for other in try await library.roots() where other.path == place.path && other.id != place.id {
            let own = try await library.disks(of: other.id)[FilePath(bytes: [])]
            if own?.likeness(to: identity) == .same { return true }
        }
        return false
    }

    private func remember(_ state: RootState, of root: Root, wasMountPoint: Bool) async throws {
        await library.endAbsence(of: root.known.id)
        if state.isMountPoint != wasMountPoint {
            try await library.setFact(RootState.fact(root), to: state.isMountPoint ? RootState.mountPoint : nil)
        }
        guard state.identity != root.sight.identity else { return }
        try await library.remember(state.identity, of: root.known.id, at: FilePath(bytes: []))
        root.sight.remember(state.identity, at: FilePath(bytes: []))
    }
}

/// Files that were seen on a root's disk, to recognise a disk that has no name.
package struct Witnesses: Sendable {
    private let files: [Library.Witness]

    /// Takes some of the files that the library saw below `root` at the last look.
    package init(_ library: Library, _ root: KnownRoot) async throws {
        files = try await library.witnesses(of: root.id)
    }

    /// Whether at least half of them are at `path` as they were, or there are none.
    package func testify(at path: FilePath) async throws -> Bool {
        do {
            let found = try await Blocking.run { [files] () throws(SystemError) in
                let directory = try Directory(path)
                return files.count { file in
                    // A file that cannot be looked at does not count.
                    guard let facts = try? directory.existingFacts(of: file.path) else { return false }
                    return facts.size == file.size && facts.modifiedAt == file.modifiedAt
                }
            }
            return found * 2 >= files.count
        } catch {
            return false
        }
    }
}
