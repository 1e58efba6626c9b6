import Platform

/// `objects/rows.jsonl`: every change of a row, in order, beside the blobs that the rows name.
///
/// The index is made of it: what is durable here is stored, and an index that knows less is behind. A line is
/// what one request changed, all of it or nothing, with its number and a checksum over the rest of the line:
///
///     {"sum":"…","n":0,"journal":"<id>","version":1}
///     {"sum":"…","n":17,"changes":[{"remove":{…}},{"put":{…}}]}
///
/// A file beside each blob was measured too: with it the disk is waited for twice an object, with this once a
/// batch. Numbers go on when the file is written anew; one thread writes.
final class RowJournal {
    /// How far the index has followed the journal.
    struct Mark: Hashable, Sendable {
        /// Of the file; a new one whenever it is written anew.
        var id: String
        /// Of the last line.
        var number: Int64
        /// Bytes up to the end of that line.
        var offset: Int64
    }

    static let name = "rows.jsonl"

    /// The end of what is durable.
    private(set) var mark: Mark
    private let file: OpenFile
    /// After a failure that could not be undone nothing is known about the file's end.
    private var failure: SystemError?

    /// The journal at `path`, which ends at `mark`; what lies behind it is cut off.
    init(at path: FilePath, endingAt mark: Mark) throws(SystemError) {
        file = try OpenFile(appending: path)
        self.mark = mark
        if try file.facts().size > mark.offset { try file.truncate(to: mark.offset) }
    }

    /// Appends one line for each of `changes`, a JSON list; they are durable when this returns.
    func append(_ changes: [String]) throws(SystemError) {
        if let failure { throw failure }
        var (bytes, number) = ([UInt8](), mark.number)
        for change in changes {
            number += 1
            bytes += RowLine.bytes("\"n\":\(number),\"changes\":\(change)}")
        }
        do {
            try file.append(bytes)
            try file.synchronize()
        } catch {
            cut(to: mark)
            // Pages that a failed fdatasync dropped may be gone for good.
            if error.call != "write" { failure = error }
            throw error
        }
        mark = Mark(id: mark.id, number: number, offset: mark.offset + Int64(bytes.count))
    }

    /// Takes back what was appended after `earlier`, which the index could not follow.
    func takeBack(to earlier: Mark) {
        guard earlier != mark else { return }
        cut(to: earlier)
        mark = earlier
    }

    private func cut(to end: Mark) {
        do throws(SystemError) {
            try file.truncate(to: end.offset)
            try file.synchronize()
        } catch {
            failure = error
        }
    }
}

extension RowJournal {
    /// Writes the file at `path` anew with the given `changes`, each a JSON list; the old one stays until it is whole.
    ///
    /// - Parameter number: Of the newest change that they sum up; all get it.
    static func write(
        at path: FilePath, number: Int64, changes: (_ line: (String) throws -> Void) throws -> Void
    ) throws -> Mark {
        let id = Depot.newID()
        let folder = try Directory(path.parent)
        let fresh = FilePath(name + ".new")
        let file = try folder.create(file: fresh)
        var gathered = RowLine.bytes("\"n\":\(number),\"journal\":\"\(id)\",\"version\":1}")
        var size: Int64 = 0
        func flush() throws {
            try file.write(gathered, at: size)
            size += Int64(gathered.count)
            gathered = []
        }
        try changes { change in
            gathered += RowLine.bytes("\"n\":\(number),\"changes\":\(change)}")
            if gathered.count >= Blobs.pieceSize { try flush() }
        }
        try flush()
        try file.synchronize()
        try folder.rename(fresh, to: FilePath(bytes: path.name))
        try folder.synchronize()
        return Mark(id: id, number: number, offset: size)
    }
}
