import Platform
import Synchronization

/// A blob that is being received: one thread at a time appends, then finishes or discards it.
package final class Draft: Sendable {
    /// What is known about bytes that were received completely.
    package struct Stored: Hashable, Sendable {
        /// The name of the blob.
        package let version: String
        /// How many bytes arrived.
        package let size: Int64
        let md5: [UInt8]
        /// The eTag of an object in parts, without its quotes; `nil` where it has none.
        var partsETag: String?

        /// With its quotes.
        package var eTag: String { "\"\(partsETag ?? md5.hexadecimal)\"" }
    }

    private struct State {
        /// Created with the first bytes, so that a request that sends none by mistake leaves no file.
        var file: (any DiskFile)?
        var size: Int64 = 0
        let md5 = MD5()
        var parts: PartedDigest?
    }

    private let version: String
    private let disk: any Disk
    private let part: Int64?
    private let state: Mutex<State>
    private var unfinished: String { version + ".part" }

    /// - Parameter part: The most bytes of a part; `nil` where eTags have no parts.
    init(version: String, on disk: any Disk, part: Int64? = nil) {
        self.version = version
        self.disk = disk
        self.part = part
        state = Mutex(State(parts: part.map { PartedDigest(limit: $0) }))
    }

    func append(_ bytes: [UInt8]) throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            let file = if let file = state.file { file } else { try disk.create(unfinished) }
            state.file = file
            try file.write(bytes)
            state.md5.update(bytes)
            state.parts?.update(bytes)
            state.size += Int64(bytes.count)
        }
    }

    /// Gives the blob its name and the row that `row` returns; durable when this returns that row.
    func finish(_ row: (Stored) -> IndexedObject) throws(SystemError) -> IndexedObject {
        try state.withLock { state throws(SystemError) in
            // An object that fits into one part is stored in one request, and therefore has no parts.
            let parts = state.size > part ?? .max ? state.parts?.eTag() : nil
            let row = row(Stored(version: version, size: state.size, md5: state.md5.finish(), partsETag: parts))
            if let file = state.file { try Blobs.put(row, into: file, on: disk) }
            // No other code learns the name before a row of the index has it, so the order of these three does not
            // matter: with the rename first, there is only one wait for the file system's journal instead of two.
            try disk.rename(unfinished, to: version)
            try state.file?.synchronizeAll()
            try disk.synchronizeDirectory()
            return row
        }
    }

    /// Removes whatever has been written.
    func discard() throws(SystemError) {
        let removal = Result { () throws(SystemError) in try disk.remove(unfinished) }
        try disk.remove(version)
        try disk.remove(Blobs.rowName(version))
        try removal.get()
    }
}
