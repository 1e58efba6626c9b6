import Catalog
import Configuration
import Platform
import Roots
import Text

extension Agent {
    /// Finds roots at their new places: directories that were renamed, and that the configuration names as they are called.
    ///
    /// Else such a root would be a new one, of which all is stored again under another name. It is the very directory, by
    /// its file system and its inode, and nothing is where it was.
    func followRenamedRoots() async throws {
        for configured in setup.settings.roots {
            guard let name = configured.name else { continue }
            let known = try await library.roots()
            guard let root = known.first(where: { $0.name == name }),
                !known.contains(where: { $0.path == configured.path }),
                !setup.settings.roots.contains(where: { $0.path == root.path })
            else { continue }
            let identity = try await library.disks(of: root.id)[FilePath(bytes: [])]
            let isThere = await Blocking.run { identity.map { Self.is($0, at: configured.path, not: root.path) } }
            guard isThere == true else { continue }
            try await library.setPath(of: root.id, to: configured.path)
            setup.log.info(
                "The root \(root.name) was renamed: \(root.path.display) is \(configured.path.display) now")
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
