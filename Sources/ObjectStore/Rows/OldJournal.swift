import Database
import Platform

/// `objects/rows.jsonl`: the file of all rows beside the blobs, up to version 4 of the index.
///
/// It is read once, when a folder of that version is opened; once every blob carries its row, the file is removed.
///
///     {"sum":"…","n":0,"journal":"<id>","version":1}
///     {"sum":"…","n":17,"changes":[{"remove":{…}},{"put":{…}}]}
struct OldJournal {
    static let name = "rows.jsonl"

    /// The position up to which an index contains a journal's changes.
    struct Mark: Hashable {
        /// The id of the file, which is new whenever it was rewritten.
        var id: String
        /// The number of the last line that was applied.
        var number: Int64
        /// The bytes up to the end of that line.
        var offset: Int64
    }

    private let file: OpenFile
    /// The size of the file in bytes.
    private let size: Int64
    /// The journal's id, and the last change that its first line includes.
    private let header: Mark

    /// Opens the journal at `path`; `nil` when its first line is damaged.
    init?(at path: FilePath) throws(SystemError) {
        file = try OpenFile(reading: path)
        size = try file.facts().size
        let start = try file.read(at: 0, upTo: 1 << 12)
        guard let end = start.firstIndex(of: UInt8(ascii: "\n")), let json = SealedLine.json(start[..<end]),
            let id = json["journal"]?.string, json["version"] == 1, let number = json["n"]?.whole
        else { return nil }
        header = Mark(id: id, number: number, offset: Int64(end) + 1)
    }

    /// How many changes an index took over from the journal.
    struct Outcome: Equatable {
        var changes = 0
        /// The number of damaged lines, whose changes are lost.
        var damaged = 0
    }

    /// Applies the changes that `index` lacks; all of them if the index does not know this journal and is older.
    func follow(with index: Connection) throws -> Outcome {
        var start = try index.oldMark() ?? Mark(id: "", number: -1, offset: 0)
        if start.id != header.id {
            guard try end(after: header).number > start.number else { return Outcome() }
            try index.execute("DELETE FROM objects; DELETE FROM buckets")
            start = header
        }
        guard start.offset <= size else { return Outcome() }
        var outcome = Outcome()
        outcome.damaged = try visit(after: start) { change in
            try index.follow(change)
            outcome.changes += 1
        }.damaged
        return outcome
    }

    private func end(after mark: Mark) throws -> (number: Int64, damaged: Int) { try visit(after: mark) { _ in } }

    /// Visits all changes after `mark`, in order; returns the number of the last.
    private func visit(
        after mark: Mark, _ change: (OldRowChange) throws -> Void
    ) throws -> (number: Int64, damaged: Int) {
        var (rest, offset, number, damaged) = ([UInt8](), mark.offset, mark.number, 0)
        while true {
            let piece = try file.read(at: offset, upTo: Blobs.pieceSize)
            if piece.isEmpty { return (number, damaged) }
            offset += Int64(piece.count)
            rest += piece
            var start = rest.startIndex
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                if let line = Self.line(rest[start..<end]) {
                    number = max(number, line.number)
                    for item in line.changes { try change(item) }
                } else {
                    damaged += 1
                }
                start = end + 1
            }
            rest.removeFirst(start)
        }
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> (changes: [OldRowChange], number: Int64)? {
        guard let json = SealedLine.json(bytes), let number = json["n"]?.whole else { return nil }
        guard case .list(let items) = json["changes"] else { return json["journal"] == nil ? nil : ([], number) }
        let changes = items.compactMap { OldRowChange($0) }
        return changes.count == items.count ? (changes, number) : nil
    }
}

extension Connection {
    /// How far this index has applied its journal; `nil` before it had one.
    fileprivate func oldMark() throws -> OldJournal.Mark? {
        try first("SELECT id, number, size FROM journal") {
            OldJournal.Mark(id: $0.text(0), number: $0.integer(1), offset: $0.integer(2))
        }
    }

    /// Applies one change of the journal.
    fileprivate func follow(_ change: OldRowChange) throws {
        switch change {
        case .put(let object):
            try removeObject(object.key, in: object.bucket)
            try putWithBucket(object)
        case .remove(let bucket, let key): try removeObject(key, in: bucket)
        case .putBucket(let bucket): try putOrUpdate(bucket)
        case .removeBucket(let id): if try !hasObjects(in: id) { try removeBucket(id) }
        }
    }
}
