import Glibc
import Platform
import Synchronization

/// Gives Unix sockets a path that the kernel accepts, however long their real path is.
///
/// A socket address holds 107 bytes. A longer path is reached through its directory's descriptor, which
/// stays open, so that the short path stays the same and curl reuses connections.
final class ShortSocketPaths: Sendable {
    private let directories = Mutex<[FilePath: [OpenFile]]>([:])

    /// A path of at most 107 bytes to the same socket.
    func short(_ path: FilePath?) throws(TransferError) -> FilePath? {
        guard let path, path.bytes.count > 107 else { return path }
        let directory = try directories.withLock { directories throws(TransferError) in
            if let known = directories[path.parent]?.last, Self.isStill(known, at: path.parent) { return known }
            let directory = try Self.open(path.parent)
            // Descriptors of former directories stay open, so that a short path never leads to another socket.
            directories[path.parent, default: []].append(directory)
            return directory
        }
        return FilePath("/proc/self/fd/\(directory.descriptor)").appending(path.name)
    }

    /// Whether `path` still names the open directory: it may have been moved away and replaced by a new one.
    private static func isStill(_ directory: OpenFile, at path: FilePath) -> Bool {
        guard let own = try? directory.facts(), let named = try? FileFacts(of: path) else { return false }
        return own.inode == named.inode && own.device == named.device
    }

    private static func open(_ directory: FilePath) throws(TransferError) -> OpenFile {
        do throws(SystemError) {
            return try OpenFile(reading: directory)
        } catch {
            throw TransferError(.unreachable, "\(error)", mayHaveArrived: false)
        }
    }
}
