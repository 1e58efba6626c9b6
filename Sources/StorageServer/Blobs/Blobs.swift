import FoundationEssentials
import Platform
import Serving
import Synchronization

/// The bytes of the objects: `objects/<2 hex>/<version>`, never changed once they are there.
///
/// A blob counts only once a row of the index names its version; what has none is moved to `lost` at start.
struct Blobs: Sendable {
    let root: FilePath
    let openDisk: OpenDisk
    private let leftovers = Leftovers()

    /// Whether a blob without a row could not be removed, and waits for the next start.
    private final class Leftovers: Sendable {
        let exist = Atomic(false)
    }

    /// Opens one directory; tests put failing ones in place.
    typealias OpenDisk = @Sendable (FilePath) throws(SystemError) -> any Disk

    /// Bytes that are gathered before a thread is asked to write them.
    static let pieceSize = 1 << 20

    /// The blobs below `root`, which is made when missing.
    init(root: FilePath, disk: @escaping OpenDisk) throws(SystemError) {
        try Directory.create(at: root)
        self.root = root
        openDisk = disk
    }

    /// The directory that the blob of `version` lies in, made when missing.
    ///
    /// Opened for each use, since 256 are too many to keep.
    func disk(of version: String) throws(SystemError) -> any Disk {
        let path = root.appending(String(version.prefix(2)))
        do {
            return try openDisk(path)
        } catch {
            guard error.isMissing else { throw error }
            try Directory.create(at: path)
            return try openDisk(path)
        }
    }

    /// Where the blob of `version` lies below the root.
    func name(of version: String) -> FilePath { FilePath("\(version.prefix(2))/\(version)") }

    func path(of version: String) -> FilePath { root.appending(name(of: version)) }
}

// MARK: Storing

extension Blobs {
    /// Receives all of `body` into a new blob; on any failure nothing of it stays.
    ///
    /// - Parameter part: Bytes of a part of its eTag at most; `nil` where there are no parts.
    func receive(_ body: RequestBody, part: Int64? = nil) async throws -> Draft.Stored {
        let version = UUID().uuidString.lowercased()
        let draft = try Draft(version: version, on: disk(of: version), part: part)
        do {
            var gathered: [UInt8] = []
            for try await piece in body {
                gathered += piece
                guard gathered.count >= Self.pieceSize else { continue }
                let bytes = gathered
                gathered = []
                try await Blocking.run { () throws(SystemError) in try draft.append(bytes) }
            }
            return try await Blocking.run { [gathered] () throws(SystemError) in
                try draft.append(gathered)
                return try draft.finish()
            }
        } catch {
            await Blocking.run { removing { () throws(SystemError) in try draft.discard() } }
            throw error
        }
    }

    /// Makes the bytes of `version` a second blob of its own name; returns that name.
    ///
    /// Blobs never change, so a hard link is a copy; where the file system has none, the bytes are copied.
    func copy(_ version: String) async throws -> String {
        let copy = UUID().uuidString.lowercased()
        do {
            try await Blocking.run { () throws(SystemError) in try link(version, as: copy) }
            return copy
        } catch {
            await remove(copy)
            throw error
        }
    }

    private func link(_ version: String, as copy: String) throws(SystemError) {
        let shelf = try disk(of: copy)
        let directory = try Directory(root)
        do {
            try directory.link(name(of: version), to: name(of: copy))
        } catch {
            if error.isMissing || error.isDiskFull { throw error }
            try copyBytes(of: version, to: copy)
        }
        try shelf.synchronizeDirectory()
    }

    func copyBytes(of version: String, to copy: String) throws(SystemError) {
        let source = try OpenFile(reading: path(of: version))
        let target = try OpenFile(creating: path(of: copy), exclusive: true)
        var offset: Int64 = 0
        while true {
            let piece = try source.read(at: offset, upTo: Self.pieceSize)
            if piece.isEmpty { break }
            try target.write(piece, at: offset)
            offset += Int64(piece.count)
        }
        try target.synchronize()
    }
}

// MARK: Reading and removing

extension Blobs {
    /// The open blob of `version`, or `nil` when there is none.
    func open(_ version: String) async throws(SystemError) -> OpenFile? {
        let path = path(of: version)
        return try await Blocking.run { () throws(SystemError) -> OpenFile? in
            do throws(SystemError) {
                return try OpenFile(reading: path)
            } catch {
                if error.isMissing { return nil }
                throw error
            }
        }
    }

    /// Removes the blobs of `versions` that no row names any more; the next start finds what cannot be removed.
    func remove(_ versions: String...) async { await remove(versions) }

    func remove(_ versions: [String]) async {
        guard !versions.isEmpty else { return }
        await Blocking.run {
            for version in versions { removing { () throws(SystemError) in try disk(of: version).remove(version) } }
        }
    }

    /// The next start finds what `body` cannot remove.
    private func removing(_ body: () throws(SystemError) -> Void) {
        do {
            try body()
        } catch {
            leftovers.exist.store(true, ordering: .relaxed)
        }
    }

    /// Whether anything could not be removed since this was opened.
    var hasLeftovers: Bool { leftovers.exist.load(ordering: .relaxed) }
}
