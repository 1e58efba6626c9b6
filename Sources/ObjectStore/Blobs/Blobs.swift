package import Platform
package import Serving
import Synchronization

/// The bytes of the objects: `objects/<2 hex>/<version>`, never changed once they are complete.
///
/// A blob counts only once a row of the index names its version; a start moves all others to `lost`.
package struct Blobs: Sendable {
    /// The folder of all blobs.
    package let root: FilePath
    let openDisk: OpenDisk
    let carrying = Carrying()
    private let leftovers = Leftovers()

    /// Locked while the row that a blob carries is read and replaced.
    final class Carrying: Sendable {
        let lock = Mutex(())
    }

    /// Whether a blob could not be removed, or its row could not be read, so that the next start must search for it.
    private final class Leftovers: Sendable {
        let exist = Atomic(false)
    }

    /// Opens one directory; tests return one that fails.
    package typealias OpenDisk = @Sendable (FilePath) throws(SystemError) -> any Disk

    /// How many bytes are collected before a thread writes them.
    static let pieceSize = 1 << 20

    /// The blobs below `root`, which is created when it is missing.
    package init(root: FilePath, disk: @escaping OpenDisk) throws(SystemError) {
        try Directory.create(at: root)
        self.root = root
        openDisk = disk
    }

    /// The directory of the blob of `version`, created when it is missing.
    ///
    /// Opened for each use, since keeping 256 of them open would take too many descriptors.
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

    /// The path of the blob of `version` below the root.
    func name(of version: String) -> FilePath { FilePath("\(version.prefix(2))/\(version)") }

    func path(of version: String) -> FilePath { root.appending(name(of: version)) }
}

// MARK: Storing

extension Blobs {
    /// Receives all of `body` into a new blob that carries its row; on any failure nothing of it is kept.
    ///
    /// - Parameters:
    ///   - part: The most bytes of a part of its eTag; `nil` where eTags have no parts.
    ///   - describe: Called when the whole body has arrived; its result makes the blob's row.
    package func receive(
        _ body: RequestBody, part: Int64? = nil,
        describe: () async throws -> @Sendable (Draft.Stored) -> IndexedObject
    ) async throws -> IndexedObject {
        let version = Randomness.uuid()
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
            let row = try await describe()
            return try await Blocking.run { [gathered] () throws(SystemError) in
                try draft.append(gathered)
                return try draft.finish(row)
            }
        } catch {
            await discard(draft)
            throw error
        }
    }

    /// Makes a second blob of the bytes of `source`, with the version and the row that `row` returns.
    ///
    /// Blobs never change, so a hard link is a copy; where the file system has none, the bytes are copied. They are
    /// read in any case, so that the copy's row describes the bytes as they are now.
    package func copy(
        _ source: String, row: @escaping @Sendable (Draft.Stored) -> IndexedObject
    ) async throws -> IndexedObject {
        let version = Randomness.uuid()
        do {
            let linked = try await Blocking.run { () throws(SystemError) in try link(source, as: version, row) }
            if let linked { return linked }
        } catch {
            await remove(version)
            throw error
        }
        return try await copyBytes(of: source, as: version, row)
    }

    func copyBytes(
        of source: String, as version: String, _ row: @escaping @Sendable (Draft.Stored) -> IndexedObject
    ) async throws -> IndexedObject {
        let draft = try Draft(version: version, on: disk(of: version))
        do {
            return try await Blocking.run { () throws(SystemError) in
                try read(source) { piece throws(SystemError) in try draft.append(piece) }
                return try draft.finish(row)
            }
        } catch {
            await discard(draft)
            throw error
        }
    }

    /// A copy by a hard link; `nil` if the file can have no second name.
    private func link(
        _ source: String, as version: String, _ row: (Draft.Stored) -> IndexedObject
    ) throws(SystemError) -> IndexedObject? {
        let digest = MD5()
        var size: Int64 = 0
        try read(source) { piece throws(SystemError) in
            digest.update(piece)
            size += Int64(piece.count)
        }
        let row = row(Draft.Stored(version: version, size: size, md5: digest.finish()))
        let directory = try disk(of: version)
        // The copy's row is a file, because an attribute would belong to the file and so to all of its names.
        try Self.putBeside(row, on: directory)
        do throws(SystemError) {
            try Directory(root).link(name(of: source), to: name(of: version))
        } catch {
            if error.isMissing || error.isDiskFull { throw error }
            try directory.remove(Self.rowName(version))
            return nil
        }
        try directory.synchronizeDirectory()
        return row
    }

    /// Visits the bytes of the blob of `version` in order, and at the end an empty piece.
    func read(_ version: String, _ visit: ([UInt8]) throws(SystemError) -> Void) throws(SystemError) {
        let source = try OpenFile(reading: path(of: version))
        var offset: Int64 = 0
        while true {
            let piece = try source.read(at: offset, upTo: Self.pieceSize)
            try visit(piece)
            offset += Int64(piece.count)
            if piece.isEmpty { return }
        }
    }

    private func discard(_ draft: Draft) async {
        await Blocking.run {
            if case .failure = Result(catching: { () throws(SystemError) in try draft.discard() }) { noteLeftover() }
        }
    }
}

// MARK: Reading and removing

extension Blobs {
    /// The open blob of `object`, or `nil` when there is none.
    ///
    /// Throws `ProtocolRefusal.damaged` where it has fewer bytes than were stored, as after a crash of the computer.
    package func open(_ object: IndexedObject) async throws -> OpenFile? {
        guard let (blob, size) = try await opened(object.version) else { return nil }
        guard size >= object.content.size else {
            throw ProtocolRefusal.damaged(size: size, stored: object.content.size)
        }
        return blob
    }

    /// The open blob of `version`, or `nil` when there is none.
    func open(_ version: String) async throws(SystemError) -> OpenFile? { try await opened(version)?.blob }

    /// The open blob of `version` and its bytes.
    private func opened(_ version: String) async throws(SystemError) -> (blob: OpenFile, size: Int64)? {
        let path = path(of: version)
        return try await Blocking.run { () throws(SystemError) -> (blob: OpenFile, size: Int64)? in
            do throws(SystemError) {
                let blob = try OpenFile(reading: path)
                return (blob, try blob.facts().size)
            } catch {
                if error.isMissing { return nil }
                throw error
            }
        }
    }

    /// Removes a blob that no row ever named; if that fails, the next start finds it.
    package func remove(_ version: String) async {
        if await pay([Debt(version: version, number: 0, row: nil)]).isEmpty { noteLeftover() }
    }

    /// Notes that the next start has to look at the blobs, however this server ends.
    func noteLeftover() { leftovers.exist.store(true, ordering: .relaxed) }

    /// Whether a blob that no debt mentions could not be removed, or read at the start, since the folder was opened.
    package var hasLeftovers: Bool { leftovers.exist.load(ordering: .relaxed) }
}
