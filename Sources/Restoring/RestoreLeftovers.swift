import Platform
import Synchronization

/// The parts that earlier runs left, so that those for content an object no longer has can be removed.
final class RestoreLeftovers: Sendable {
    /// By directory: each is listed once, before its first file is restored.
    private let parts = Mutex<[FilePath: Set<FilePath>]>([:])

    /// Paths of parts for the same file with other content; forgets them, because the caller removes them.
    ///
    /// Notes the target's own part; blocks.
    func superseded(by target: RestoreTarget, in folder: any RestoreFolder) throws(SystemError) -> [FilePath] {
        let directory = target.part.parent
        if parts.withLock({ $0[directory] }) == nil {
            let found = try folder.names(in: directory).filter(RestoreTarget.isPart)
            parts.withLock { $0[directory, default: []].formUnion(found) }
        }
        let own = FilePath(bytes: target.part.name)
        let names = parts.withLock { parts in
            let others = parts[directory, default: []].filter { $0 != own && target.isPartOfSameFile($0) }
            parts[directory, default: []].subtract(others)
            parts[directory, default: []].insert(own)
            return others
        }
        return names.map { directory.appending($0) }
    }
}
