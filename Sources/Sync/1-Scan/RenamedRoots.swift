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
    /// A renamed directory that the configuration calls by a root's name is that root, if it is the same directory by
    /// file system and inode, and nothing is at its former place.
    package func roots() async throws -> [KnownRoot] {
        var known = try await library.roots()
        for wanted in configured {
            guard let name = wanted.name, let index = known.firstIndex(where: { $0.name == name }),
                !known.contains(where: { $0.path == wanted.path }),
                !configured.contains(where: { $0.path == known[index].path })
            else { continue }
            let former = known[index]
            let identity = try await library.disks(of: former.id)[FilePath(bytes: [])]
            let isThere = await Blocking.run { identity.map { Self.is($0, at: wanted.path, not: former.path) } }
            if isThere == true { known[index] = KnownRoot(id: former.id, name: name, path: wanted.path) }
        }
        return known
    }

    /// Whether that directory lies at `path`, and nothing at `former`; blocks.
    private static func `is`(_ known: DirectoryIdentity, at path: FilePath, not former: FilePath) -> Bool {
        guard known.inode != nil, (try? FileFacts.existing(former)) == .some(nil),
            let now = try? Directory(path).identity()
        else { return false }
        return now.inode != nil && now.likeness(to: known) == .same
    }
}
