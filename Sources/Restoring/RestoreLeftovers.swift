import Platform
import Synchronization

/// The parts that lie about, so that those of content which the object no longer has can go.
final class RestoreLeftovers: Sendable {
    /// By directory: each is listed once, when the first file is to come into it.
    private let parts = Mutex<[FilePath: Set<FilePath>]>([:])

    /// Paths of parts that were for the same file and other content, which is forgotten then.
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
