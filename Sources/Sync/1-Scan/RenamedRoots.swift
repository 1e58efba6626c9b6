package import Catalog
package import Configuration
import Platform
package import Roots
package import Text

/// Finds roots whose directories were renamed.
package struct RenamedRoots: Sendable {
    let library: Library
    let configured: [Settings.Root]
    let log: Log

    /// Looks for the roots of `library` at the places that the configuration names.
    package init(library: Library, configured: [Settings.Root], log: Log = .silent) {
        (self.library, self.configured, self.log) = (library, configured, log)
    }

    /// Finds roots at their new places, and writes those down in the library.
    ///
    /// Otherwise such a root would be a new one, and all of it would be stored again under another name.
    package func follow() async throws {
        let before = try await library.roots()
        for (root, now) in zip(before, try await roots()) where root.path != now.path {
            try await library.setPath(of: root.id, to: now.path)
            log.info("The root \(root.name) was renamed: \(root.path.display) is \(now.path.display) now")
        }
    }

    /// All roots of the library, in its order, at the places where they are now.
    ///
    /// A directory of the configuration is a root that was elsewhere if it is the same directory by file system and
    /// inode, and nothing is at its former place. Unless the configuration calls it by the root's name, its files must
    /// be the root's, too: an inode number is used again once its directory was deleted. If it has that name, a disk that
    /// is not mounted there yet may also bring the root.
    package func roots() async throws -> [KnownRoot] {
        var known = try await library.roots()
        for wanted in configured {
            guard let index = try await index(of: wanted, among: known) else { continue }
            known[index] = KnownRoot(id: known[index].id, name: known[index].name, path: wanted.path)
        }
        return known
    }

    /// Which of the roots in `known` is at the place `wanted` now without being known there.
    private func index(of wanted: Settings.Root, among known: [KnownRoot]) async throws -> Int? {
        guard !known.contains(where: { $0.path == wanted.path }) else { return nil }
        for (index, former) in known.enumerated() {
            guard wanted.name == nil || wanted.name == former.name,
                !known.contains(where: { $0 != former && $0.path.overlaps(wanted.path) }),
                await Blocking.run({ Self.isNothing(at: former.path) })
            else { continue }
            if try await isFollowed(former, to: wanted) { return index }
        }
        return nil
    }

    private func isFollowed(_ former: KnownRoot, to wanted: Settings.Root) async throws -> Bool {
        if try await isSame(former, at: wanted.path) {
            if wanted.name != nil { return true }
            return try await Witnesses(library, former).testify(at: wanted.path)
        }
        guard wanted.name != nil else { return false }
        if await Blocking.run({ Self.mayAwaitDisk(wanted.path) }) { return true }
        return try await !library.knowsFiles(below: former.id)
    }

    /// Whether the directory at `path` is that of the root.
    private func isSame(_ former: KnownRoot, at path: FilePath) async throws -> Bool {
        guard let known = try await library.disks(of: former.id)[FilePath(bytes: [])],
            let now = await Blocking.run({ try? Directory(path).identity() })
        else { return false }
        return known.inode != nil && now.inode != nil && now.likeness(to: known) == .same
    }

    /// Whether nothing is at `path` or in it, as before a disk is mounted there; blocks.
    private static func mayAwaitDisk(_ path: FilePath) -> Bool {
        isNothing(at: path) || (try? Directory(path).isEmpty()) ?? false
    }

    /// Whether it is certain that nothing is at `path`; blocks.
    private static func isNothing(at path: FilePath) -> Bool { (try? FileFacts.existing(path)) == .some(nil) }
}

extension FilePath {
    /// Whether one of the two paths lies in the other.
    fileprivate func overlaps(_ other: FilePath) -> Bool {
        relative(to: other) != nil || other.relative(to: self) != nil
    }
}
