import FoundationEssentials
package import Platform
import Synchronization
import Text

/// Pieces of stored originals on this computer, so that viewed originals can be viewed again without a connection.
///
/// A piece is the file `<hash of the original>-<number>`, ending in a hash of its name and bytes: pieces are not
/// synced, so a power cut may leave a file of the right size with other bytes. The least recently used are removed
/// first; losing any costs only another request.
package final class KeptPieces: Sendable {
    /// Bytes of a piece; the last one of an original is shorter.
    static let size: Int64 = 1 << 20

    /// Bytes of the hash at the end of a file.
    private static let sealSize = 32

    private let folder: FilePath
    private let limit: Int64
    /// Bytes of all pieces; `nil` until they were counted.
    private let used = Mutex<Int64?>(nil)

    /// The pieces in `folder`, which is created with the first one; `limit` is in bytes, and 0 keeps none.
    package init(folder: FilePath, limit: Int64) {
        (self.folder, self.limit) = (folder, limit)
    }

    /// The piece with this number, which becomes the most recently used; `nil` if it is missing or damaged.
    func piece(_ number: Int64, of sha256: String) async -> [UInt8]? {
        let path = path(number, sha256)
        return await Blocking.run {
            do throws(SystemError) {
                guard let facts = try FileFacts.existing(path), facts.size <= Self.size + Int64(Self.sealSize) else {
                    return nil
                }
                let file = try OpenFile(reading: path)
                let sealed = try file.read(at: 0, upTo: Int(Self.size) + Self.sealSize)
                let bytes = Array(sealed.dropLast(Self.sealSize))
                guard sealed.elementsEqual(bytes + Self.seal(bytes, path)) else { return nil }
                try file.setModified(FileTime(Date()))
                return bytes
            } catch {
                return nil
            }
        }
    }

    /// Whether the beginning of an original is kept.
    func holds(_ sha256: String) async -> Bool {
        let path = path(0, sha256)
        return await Blocking.run { (try? FileFacts.existing(path)) != nil }
    }

    /// Keeps a piece, if the disk accepts it.
    func keep(_ bytes: [UInt8], as number: Int64, of sha256: String) async {
        guard limit > 0 else { return }
        let name = FilePath(bytes: path(number, sha256).name)
        await Blocking.run { [self] in
            do throws(SystemError) {
                try Directory.create(at: folder)
                let directory = try Directory(folder)
                let sealed = bytes + Self.seal(bytes, name)
                try directory.makeFile(beside: name) { file, fresh throws(SystemError) in
                    try file.write(sealed, at: 0)
                    try directory.rename(fresh, to: name)
                }
                try count(sealed.count, in: directory)
            } catch {
                return
            }
        }
    }

    private func path(_ number: Int64, _ sha256: String) -> FilePath { folder.appending("\(sha256)-\(number)") }

    /// The hash that proves that a file holds the piece that it is named after.
    private static func seal(_ bytes: [UInt8], _ path: FilePath) -> [UInt8] {
        let hash = SHA256()
        hash.update(path.name)
        hash.update(bytes)
        return hash.finish()
    }

    /// Adds to the bytes in use, and removes the least recently used pieces if they are too many.
    private func count(_ bytes: Int, in directory: Directory) throws(SystemError) {
        let known = used.withLock { used in
            used = used.map { $0 + Int64(bytes) }
            return used
        }
        if let known, known <= limit { return }
        // Frees a tenth more than necessary, so that the next pieces need not look at all of them again.
        let sum = try directory.evict(beyond: limit, to: limit - limit / 10).left
        used.withLock { $0 = sum }
    }
}
