import Database
import Platform

extension Connection {
    /// How far this index has followed its journal; `nil` before it had one.
    func mark() throws -> RowJournal.Mark? {
        try first("SELECT id, number, size FROM journal") {
            RowJournal.Mark(id: $0.text(0), number: $0.integer(1), offset: $0.integer(2))
        }
    }

    func set(_ mark: RowJournal.Mark) throws {
        try run(
            "INSERT OR REPLACE INTO journal (one, id, number, size) VALUES (1,?,?,?)", .text(mark.id),
            .integer(mark.number), .integer(mark.offset))
    }

    /// What was changed since the last time, as a JSON list; `nil` when that is no row of the journal's.
    func takeChanges() throws -> String? {
        let changes = try rows("SELECT change FROM temp.changes ORDER BY rowid") { $0.text(0) }
        guard !changes.isEmpty else { return nil }
        try execute("DELETE FROM temp.changes")
        return "[\(changes.joined(separator: ","))]"
    }

    /// Does what the journal says was done.
    func follow(_ change: RowChange) throws {
        switch change {
        case .put(let object):
            if try !hasBucket(object.bucket) { try put(Bucket(recovered: object)) }
            try put(object)
        case .remove(let bucket, let key): try removeObject(key, in: bucket)
        case .putBucket(let bucket): try hasBucket(bucket.id) ? update(bucket) : put(bucket)
        case .removeBucket(let id):
            if try !hasObjects(in: id) { try run("DELETE FROM buckets WHERE id = ?", .text(id)) }
        }
    }

    private func hasBucket(_ id: String) throws -> Bool { try bucket(id) != nil }

    /// Rows of `table`.
    func count(of table: String) throws -> Int64 { try first("SELECT count(*) FROM \(table)") { $0.integer(0) } ?? 0 }

    /// Writes the journal at `path` anew from the rows that are here.
    func writeJournal(at path: FilePath, number: Int64) throws -> RowJournal.Mark {
        try RowJournal.write(at: path, number: number) { line in
            for (table, change) in [("buckets", RowChange.bucket()), ("objects", RowChange.object())] {
                var failure: (any Error)?
                try each("SELECT '[' || \(change) || ']' FROM \(table)") { row in
                    guard failure == nil else { return }
                    do { try line(row.text(0)) } catch { failure = error }
                }
                if let failure { throw failure }
            }
        }
    }
}

extension Bucket {
    /// The bucket of `object`, whose own line of the journal is damaged: nobody but its owner may read it.
    fileprivate init(recovered object: StoredObject) {
        self.init(
            id: object.bucket, owner: object.owner, isPublic: false, sizeLimit: nil, allowedTypes: nil,
            createdAt: object.createdAt, updatedAt: object.createdAt)
    }
}
