import Database
import Platform

/// What a start does so that the index, the journal of rows and the blobs agree.
///
/// The journal and the index each know how far the other has come, so that whichever is older, restored from
/// a backup or lost, follows the other. Nothing is removed: a blob that nobody names is moved to `lost`.
struct Settlement {
    /// The end of the journal, which the index has followed up to there.
    private(set) var mark: RowJournal.Mark
    /// Sentences about what was not as it should be.
    private(set) var findings: [String] = []
    /// Objects whose bytes are nowhere, as `bucket/key`; the index does not list them any more.
    private(set) var missing: [String] = []
    /// Lines of the journal that are damaged.
    private(set) var damagedLines = 0

    private let index: Connection
    private let blobs: Blobs
    private let path: FilePath

    /// Makes `index` and the journal below `blobs` agree.
    init(of index: Connection, with blobs: Blobs) throws {
        (self.index, self.blobs, path) = (index, blobs, blobs.journal)
        mark = try index.mark() ?? RowJournal.Mark(id: "", number: -1, offset: 0)
        try settle()
        if try isOvergrown() { mark = try rewritten() }
    }

    private mutating func settle() throws {
        guard let journal = try JournalReader(at: path), let header = journal.header else {
            return try writeAnew(because: "missing or damaged at its beginning")
        }
        if header.id == mark.id {
            return journal.size < mark.offset ? try writeAnew(because: "shorter than it was") : try follow(journal)
        }
        let end = try journal.changes(after: header) { _ in }
        guard end.mark.number > mark.number else { return try writeAnew(because: "older than index.sqlite") }
        try replace(from: journal, header)
    }

    /// Takes what the journal has and the index has not.
    private mutating func follow(_ journal: JournalReader) throws {
        guard journal.size > mark.offset else { return }
        var (count, versions) = (0, Set<String>())
        let start = mark
        try take { index in
            try journal.changes(after: start) { change in
                try index.follow(change)
                count += 1
                if case .put(let object) = change { versions.insert(object.version) }
            }
        }
        try dropMissing { versions.contains($0.version) }
        guard count > 0 else { return }
        findings.append("Took \(count) changes from objects/rows.jsonl that index.sqlite did not have.")
    }

    /// Makes all rows anew.
    private mutating func replace(from journal: JournalReader, _ header: RowJournal.Mark) throws {
        try take { index in
            try index.execute("DELETE FROM objects; DELETE FROM buckets")
            return try journal.changes(after: header) { try index.follow($0) }
        }
        try dropMissing { _ in true }
        let count = try index.count(of: "objects")
        findings.append("Made index.sqlite anew from objects/rows.jsonl, which knows more: \(count) objects.")
    }

    private mutating func take(_ reading: (Connection) throws -> JournalReader.Outcome) throws {
        let index = index
        let outcome = try index.transaction {
            let outcome = try reading(index)
            try index.set(outcome.mark)
            return outcome
        }
        (mark, damagedLines) = (outcome.mark, outcome.damaged)
        guard damagedLines > 0 else { return }
        findings.append("objects/rows.jsonl: \(damagedLines) damaged lines were passed over; what they said is lost.")
    }

    /// Looks for the bytes of the rows that `concerns` picks, also among the lost; rows without any go.
    private mutating func dropMissing(where concerns: (StoredObject) -> Bool) throws {
        let objects = try index.rows("SELECT \(StoredObject.columns) FROM objects", read: StoredObject.init)
        let without = try objects.filter { try concerns($0) && !blobs.hasBlob($0.version, size: $0.content.size) }
        guard !without.isEmpty else { return }
        let index = index
        try index.transaction {
            for object in without { try index.removeObject(object.key, in: object.bucket) }
        }
        missing = without.map { "\($0.bucket)/\($0.key)" }
        findings.append("The bytes of \(missing.count) objects are missing: \(Self.list(missing)).")
    }

    /// A few names and how many more there are.
    static func list(_ names: [String]) -> String {
        let shown = names.prefix(20).joined(separator: ", ")
        return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
    }
}

// MARK: The journal, from the index

extension Settlement {
    private mutating func writeAnew(because reason: String) throws {
        let isThere = try FileFacts.existing(path) != nil
        if isThere { try blobs.keepAside(path) }
        if isThere || mark.number >= 0 {
            findings.append("objects/rows.jsonl was \(reason): written anew from index.sqlite.")
        }
        mark = try rewritten()
    }

    private func rewritten() throws -> RowJournal.Mark {
        let fresh = try index.writeJournal(at: path, number: max(mark.number, 0))
        try index.transaction { try index.set(fresh) }
        return fresh
    }

    /// Whether most of the journal is about what is not there any more.
    private func isOvergrown() throws -> Bool {
        let (slack, row): (Int64, Int64) = (16 << 20, 4 << 10)
        guard mark.offset > slack else { return false }
        return mark.offset > slack + row * (try index.count(of: "objects"))
    }
}

// MARK: Blobs without a row

extension Settlement {
    /// Moves blobs that no row names to `lost`, and removes the rests of requests that never ended.
    mutating func setAsideUnnamed() throws {
        let index = index
        // One transaction, since each costs as much as the look itself.
        let moved = try index.transaction { try blobs.setAside { try !index.isNamed(version: $0) } }
        guard !moved.isEmpty else { return }
        findings.append(
            "\(moved.count) files below objects have no row, and were moved to \(blobs.lost.display): "
                + "\(Self.list(moved)).")
    }
}
