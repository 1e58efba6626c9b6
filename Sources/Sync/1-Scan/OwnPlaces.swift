package import Configuration
package import Platform
import Roots

/// The directories that this program itself fills and no scan enters: state, cache, embedded storage.
///
/// Directories are compared by device and inode, so neither a symlink nor a bind mount hides one.
package struct OwnPlaces: Sendable {
    private let paths: [FilePath]
    /// The directory of rescued files, which is scanned even if it lies in one of those.
    private let generated: FilePath?

    /// The directories of `locations`; rescued files lie in `generated`, or where `locations` puts them.
    package init(_ locations: Locations, generated: FilePath? = nil) {
        self.generated = generated ?? locations.generated
        paths = [
            // The parent also has the state of other profiles.
            locations.state.parent, locations.cache, locations.thumbnails, locations.storage,
            locations.storage.appending("objects"), locations.runtime,
        ]
    }

    init() { (paths, generated) = ([], nil) }

    /// Why they are left out, as the report and `why` say it.
    package static let reason = "this program's own state, cache or storage"

    /// The keys of the directories that exist now.
    func keys() -> Set<DirectoryKey> {
        Set(paths.compactMap { path in (try? FileFacts.existing(path)).flatMap { $0 }.map { DirectoryKey($0) } })
    }

    /// Whether the directory at `path` is one of them or lies in one.
    package func holds(_ path: FilePath) -> Bool {
        let own = keys()
        let rescued = generated.flatMap { (try? FileFacts.existing($0)).flatMap { $0 } }.map { DirectoryKey($0) }
        let above = DirectoryKey.ancestors(of: path).map(\.key)
        return above.prefix { $0 != rescued }.contains { own.contains($0) }
    }

    /// Whether the file or directory at `path` below `root` lies in one of them.
    package func holds(_ path: FilePath, below root: FilePath) -> Bool {
        let own = keys()
        guard !own.isEmpty else { return false }
        var walked = root
        for name in path.components {
            walked = walked.appending(name)
            guard let facts = (try? FileFacts.existing(walked, followingLinks: false)).flatMap({ $0 }) else { break }
            if facts.kind == .directory, own.contains(DirectoryKey(facts)) { return true }
        }
        return false
    }

    /// Those that lie below `root`, as paths from there.
    package func below(_ root: FilePath) -> [FilePath] {
        guard let facts = (try? FileFacts.existing(root)).flatMap({ $0 }) else { return [] }
        let key = DirectoryKey(facts)
        let found = paths.compactMap { path -> FilePath? in
            guard let path = try? path.resolved() else { return nil }
            let above = DirectoryKey.ancestors(of: path).first { $0.key == key }?.path
            return above.flatMap { path.relative(to: $0) }
        }
        let all = Set(found)
        return all.filter { path in !all.contains { path.relative(to: $0) != nil } }.sorted()
    }
}
