package import Catalog
package import Configuration
import Platform
import Roots
package import Text

/// Finds roots whose directories were renamed.
package struct RenamedRoots: Sendable {
    let library: Library
    let configured: [Settings.Root]
    let log: Log

    /// Looks for the roots of `library` at the places that the configuration names.
    package init(library: Library, configured: [Settings.Root], log: Log) {
        (self.library, self.configured, self.log) = (library, configured, log)
    }

    /// Finds roots at their new places: directories that were renamed, and that the configuration names as they are called.
    ///
    /// Else such a root would be a new one, of which all is stored again under another name. It is the very directory, by
    /// its file system and its inode, and nothing is where it was.
    package func follow() async throws {
        for wanted in configured {
            guard let name = wanted.name else { continue }
            let known = try await library.roots()
            guard let root = known.first(where: { $0.name == name }),
                !known.contains(where: { $0.path == wanted.path }),
                !configured.contains(where: { $0.path == root.path })
            else { continue }
            let identity = try await library.disks(of: root.id)[FilePath(bytes: [])]
            let isThere = await Blocking.run { identity.map { Self.is($0, at: wanted.path, not: root.path) } }
            guard isThere == true else { continue }
            try await library.setPath(of: root.id, to: wanted.path)
            log.info("The root \(root.name) was renamed: \(root.path.display) is \(wanted.path.display) now")
        }
    }

    /// Whether that directory lies at `path`, and nothing at `former`; blocks.
    private static func `is`(_ known: DirectoryIdentity, at path: FilePath, not former: FilePath) -> Bool {
        guard known.inode != nil, (try? FileFacts.existing(former)) == .some(nil),
            let now = try? Directory(path).identity()
        else { return false }
        return now.inode != nil && now.likeness(to: known) == .same
    }
}
