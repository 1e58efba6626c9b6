package import Database
import Platform

/// What a start does so that index and blobs agree; it removes only blobs that a debt names.
///
/// How each step of a change can be cut short by a crash, and what is done about that:
///
/// - *Upload.* Bytes in a `.part` file: removed, since the client got no answer. A blob with its row, before the
///   commit: the object is added to the index or, where its key has another one by then, moved to `lost`.
/// - *Replacing, deleting, ending an upload.* The commit removes the row and records a debt, then the blob is removed,
///   then the client is answered. Between commit and removal the debt is paid here, so a deletion is never undone.
/// - *Moving, and an id kept while replacing.* The commit changes the row and records a debt, then the blob gets the
///   new row. In between the debt is paid here.
/// - *A bucket.* The list beside the blobs is written before the commit, and is used where it is newer.
///
/// Usually only blobs that the index does not name are examined. If the index is new, or older than the blobs
/// (`NewestNote`), every blob is asked for its row, and the newer of two rows counts; rows whose blobs are gone are
/// dropped. If the index was lost, a deletion that was not yet answered may be undone, and so may a refusal at the same
/// moment.
package struct Settlement {
    /// How far the search goes.
    enum Extent: Comparable {
        /// Debts only: the previous server left everything in order.
        case debts
        /// Also blobs without a row.
        case unnamed
        /// The row of every blob.
        case everything
    }

    /// Sentences about the faults that were found.
    package private(set) var findings: [String] = []
    /// Objects whose bytes are missing, as `bucket/key`; the index does not list them any more.
    private(set) var missing: [String] = []

    /// The greatest number of the index, its rows and the note: whatever changes next gets a greater one.
    package private(set) var greatestNumber: Int64

    private let index: Connection
    private let blobs: Blobs
    private var taken: [String] = []
    private var troubles: [String] = []
    /// Blobs whose rows could not be read this time.
    private var unread: Set<String> = []

    /// Makes `index` agree with `blobs`.
    ///
    /// - Parameters:
    ///   - note: The last change of the previous server's index.
    ///   - setsAside: Whether blobs that no row names are moved to `lost`.
    package init(of index: Connection, with blobs: Blobs, note: NewestNote.Text?, setsAside: Bool = true) throws {
        (self.index, self.blobs) = (index, blobs)
        let number = try index.number() ?? 0
        greatestNumber = max(number, note?.number ?? 0)
        let isUpgrade = try takeOldJournal()
        try payDebts()
        let list = try BucketList.read(in: blobs.root)
        let extent = Self.extent(number, note, isUpgrade: isUpgrade)
        let index = index
        // A temporary table of this connection, which is closed at the end of the start.
        try index.execute("CREATE TEMP TABLE present (version TEXT PRIMARY KEY) WITHOUT ROWID")
        let newer = list.flatMap { $0.number > number ? $0.buckets : nil }
        if let newer { try index.transaction { for bucket in newer { try index.putOrUpdate(bucket) } } }
        if extent > .debts {
            try index.transaction { try look(at: extent) }
            try reportTaken(extent)
            if setsAside { try setAsideUnnamed() }
        }
        // After the search, which also drops the rows of a bucket that is gone.
        if let newer { try index.transaction { try dropBuckets(notIn: newer) } }
        if list == nil { try BucketList(number: number, buckets: index.buckets()).write(in: blobs.root) }
        if isUpgrade, troubles.isEmpty { try finishUpgrade() }
        // A commit's number is greater than those of its rows, so only rows that were found here may exceed it.
        if extent > .debts { greatestNumber = max(greatestNumber, try index.greatestNumberOfRows()) }
    }

    /// How far to search, where `number` is the index's last change.
    static func extent(_ number: Int64, _ note: NewestNote.Text?, isUpgrade: Bool) -> Extent {
        guard let note, note.number <= number, !isUpgrade else { return .everything }
        return note.isClean && note.number == number ? .debts : .unnamed
    }

    private func payDebts() throws {
        let debts = try index.debts()
        guard !debts.isEmpty else { return }
        let (index, paid) = (index, blobs.paid(debts))
        try index.transaction { try index.forget(paid) }
    }

    /// The first names, and how many more there are.
    static func list(_ names: [String]) -> String {
        let shown = names.prefix(20).joined(separator: ", ")
        return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
    }
}

// MARK: Rows from blobs

extension Settlement {
    private func dropBuckets(notIn list: [IndexedBucket]) throws {
        let ids = Set(list.map(\.id))
        for bucket in try index.buckets() where !ids.contains(bucket.id) {
            if try !index.hasObjects(in: bucket.id) { try index.removeBucket(bucket.id) }
        }
    }

    private mutating func look(at extent: Extent) throws {
        let index = index
        try blobs.each { try index.run("INSERT OR IGNORE INTO temp.present VALUES (?)", .text($0)) }
        for version in try extent == .everything ? index.present() : index.unnamed() {
            if version.contains("/") { continue }
            guard try index.upload(version)?.isFinished != false else { continue }
            do {
                try look(at: version, extent)
            } catch let error as SystemError {
                // A blob that cannot be read or changed must not prevent serving the others.
                troubles.append(error.description)
                unread.insert(version)
            }
        }
        if !troubles.isEmpty {
            blobs.noteLeftover()
            findings.append("The rows of \(troubles.count) blobs could not be read or written: \(Self.list(troubles)).")
        }
        try dropMissing(extent)
        // Blobs that were replaced here are moved to `lost` instead of being removed.
        try index.execute("DELETE FROM debts WHERE number IS NULL")
        if extent == .everything { try Directory(blobs.root).synchronizeFileSystem() }
    }

    private mutating func look(at version: String, _ extent: Extent) throws {
        let known = try index.object(version: version)
        // A blob that should have been removed, but could not be, does not become an object again.
        if known == nil, try index.owes(version) { return }
        guard let carried = try blobs.row(of: version), carried.number > known?.number ?? -1 else {
            if let known { try blobs.carry(known, isDurable: false) }
            return
        }
        if let known { try index.removeObject(known.key, in: known.bucket) }
        guard try isToBeTaken(carried, extent) else {
            if let known { try index.put(known) }
            return
        }
        try index.putWithBucket(carried)
        taken.append("\(carried.bucket)/\(carried.key)")
    }

    /// Whether the row that a blob carries is to be used; if so, removes the row that it replaces.
    private func isToBeTaken(_ row: IndexedObject, _ extent: Extent) throws -> Bool {
        let isAll = extent == .everything
        guard try isAll ? blobs.length(of: row.version) == row.content.size : blobs.isWhole(row) else { return false }
        // If an index that is not older lacks the bucket, the object was refused.
        guard try isAll || index.bucket(row.bucket) != nil else { return false }
        guard let holder = try index.object(row.key, in: row.bucket) else { return true }
        if try index.isPresent(holder.version) {
            guard isAll, holder.number < row.number else { return false }
        }
        try index.removeObject(row.key, in: row.bucket)
        return true
    }

    /// Looks in `lost` for the blobs of rows that have none; drops those rows whose blobs are not there.
    private mutating func dropMissing(_ extent: Extent) throws {
        for object in try index.absent() {
            if try blobs.putBack(object.version, size: object.content.size) {
                try index.run("INSERT INTO temp.present VALUES (?)", .text(object.version))
                // The row that it carries may be newer than the index's, as with any other blob.
                if extent == .everything { try look(at: object.version, extent) }
            } else {
                try index.removeObject(object.key, in: object.bucket)
                missing.append("\(object.bucket)/\(object.key)")
            }
        }
        guard !missing.isEmpty else { return }
        findings.append(
            "The bytes of \(missing.count) objects are not there any more, deleted since or lost: \(Self.list(missing))."
        )
    }

    private mutating func reportTaken(_ extent: Extent) throws {
        guard !taken.isEmpty else { return }
        let (count, names) = (taken.count, Self.list(taken))
        findings.append(
            extent == .everything
                ? "index.sqlite was older than the blobs or lost: took \(count) objects from them: \(names)."
                : "Took \(count) objects from their blobs that index.sqlite did not have: \(names).")
    }

    /// Moves blobs that no row names to `lost`; one that cannot be moved must not prevent serving the others.
    ///
    /// A blob that could not be read may be an object: it stays, and the next start looks at it again.
    private mutating func setAsideUnnamed() throws {
        var (moved, left): ([String], [String]) = ([], [])
        for version in try index.unnamed() where !unread.contains(version) {
            do {
                try blobs.setAside(version)
                moved.append(version)
            } catch let error as SystemError {
                left.append(error.description)
            }
        }
        if !moved.isEmpty {
            findings.append(
                "\(moved.count) files below objects have no row, and were moved to \(blobs.lost.display): "
                    + "\(Self.list(moved)).")
        }
        if !left.isEmpty {
            findings.append(
                "\(left.count) files below objects have no row, and could not be moved: \(Self.list(left)).")
        }
    }
}

extension Settlement {
    /// Blobs that no row names, as paths below the root.
    func unplaced() throws -> [String] { try index.unnamed().map { blobs.place(of: $0).display } }
}

extension Connection {
    /// The versions of all blobs that exist.
    fileprivate func present() throws -> [String] {
        try rows("SELECT version FROM temp.present ORDER BY version") { $0.text(0) }
    }

    /// Blobs that are named neither by a row, nor by an unfinished upload, nor by an earlier server's debt.
    fileprivate func unnamed() throws -> [String] {
        try rows(
            """
            SELECT version FROM temp.present EXCEPT SELECT version FROM objects \
            EXCEPT SELECT version FROM uploads WHERE finished = 0 \
            EXCEPT SELECT version FROM debts WHERE number IS NOT NULL ORDER BY version
            """
        ) { $0.text(0) }
    }

    /// Objects whose blobs do not exist.
    fileprivate func absent() throws -> [IndexedObject] {
        try rows(
            "SELECT \(IndexedObject.columns) FROM objects WHERE version NOT IN (SELECT version FROM temp.present)",
            read: IndexedObject.init)
    }

    /// Whether an earlier server was to remove or change the blob; debts that this start makes have no number.
    fileprivate func owes(_ version: String) throws -> Bool {
        try exists("SELECT 1 FROM debts WHERE version = ? AND number IS NOT NULL", .text(version))
    }

    fileprivate func isPresent(_ version: String) throws -> Bool {
        try exists("SELECT 1 FROM temp.present WHERE version = ?", .text(version))
    }
}

// MARK: From version 4

extension Settlement {
    private var oldJournal: FilePath { blobs.root.appending(OldJournal.name) }

    /// Applies the journal of version 4 to the index; `false` where there is none.
    private mutating func takeOldJournal() throws -> Bool {
        let index = index
        guard try FileFacts.existing(oldJournal) != nil else {
            try index.execute("DROP TABLE IF EXISTS journal")
            return false
        }
        try index.execute("CREATE TABLE IF NOT EXISTS journal (one INTEGER, id TEXT, number INTEGER, size INTEGER)")
        guard let journal = try OldJournal(at: oldJournal) else {
            let kept = try blobs.keepAside(oldJournal)
            findings.append("objects/rows.jsonl is damaged at its beginning, and was kept as objects/\(kept.display).")
            return true
        }
        let outcome = try index.transaction {
            let outcome = try journal.follow(with: index)
            try index.execute("DELETE FROM debts WHERE number IS NULL")
            return outcome
        }
        if outcome.changes > 0 {
            findings.append("Took \(outcome.changes) changes from objects/rows.jsonl that index.sqlite did not have.")
        }
        if outcome.damaged > 0 {
            findings.append(
                "objects/rows.jsonl: \(outcome.damaged) damaged lines were passed over; what they said is lost.")
        }
        return true
    }

    /// Removes the journal, once every blob carries its row.
    private func finishUpgrade() throws {
        try index.execute("DROP TABLE IF EXISTS journal")
        let folder = try Directory(blobs.root)
        try folder.remove(file: FilePath(OldJournal.name))
        try folder.synchronize()
        // In version 4 the note of a clean end was beside the index.
        try Directory(blobs.root.parent).remove(file: "clean")
    }
}
