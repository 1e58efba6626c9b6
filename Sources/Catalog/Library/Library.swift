package import Database
package import Platform
import Queue
import Synchronization
import Tables

/// The SQLite catalogue of assets, receipts and what waits; the single writer of `library.sqlite`.
///
/// Writes gather in one open transaction. `commit()` makes everything written so far durable; callers
/// that must not run ahead of the disk call it, and the writes of all others are committed along with theirs or at
/// the latest after `pendingLimit` writes. Callers that wait for that at the same time share one commit (`durably`). No
/// isolated method suspends.
package actor Library {
    private let thread = SerialThread(name: "library")
    /// The library's own thread, so that SQLite's waiting for the disk blocks no other task.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    let database: Connection
    /// Tells the objects that are stored with this library from those of other computers; `nil` where it is read-only.
    package nonisolated let identity: String?
    /// When its file was made, which a backup's copy has anew; `nil` where that is not known, or it is read-only.
    let birth: FileTime?
    private var remembered = (rollbacks: 0, rows: RowMemory())
    /// The rollbacks after which no asset is left `identifying` that is not in hand.
    var settledRollbacks = 0
    private nonisolated let writes = Atomic(0)
    private static let pendingLimit = 5_000
    /// The commit that makes durable what was written since it was asked for.
    private var sharedCommit: Task<Void, any Error>?
    private nonisolated let hasHeldBlocked = Atomic(false)
    private nonisolated let hasHeldChanges = Atomic(false)
    /// Directories on disks that are away, by their roots.
    var absences: [Int64: Set<FilePath>] = [:]
    /// The walks that go on.
    var walks: [StartedWalk] = []
    /// Stored files that a scan found changed but perhaps still being written: they count for the brake.
    var freshChanges: Set<Asset.Place> = []

    /// Opens or makes the library at `path`; throws `DatabaseError` or `NewerLibrary`.
    ///
    /// A read-only library shows what the holder of the lock has committed, and every write to it fails.
    package init(path: FilePath, isReadOnly: Bool = false) throws {
        try self.init(Connection(path: path.display, isReadOnly: isReadOnly), at: path, isReadOnly: isReadOnly)
    }

    /// Takes over the open file at `path`.
    private init(_ opened: Connection, at path: FilePath, isReadOnly: Bool) throws {
        database = opened
        let version = try database.schemaVersion
        guard version <= Schema.version else { throw NewerLibrary(version: version) }
        guard !isReadOnly else {
            (identity, birth) = (nil, nil)
            try Schema.makeReadable(database)
            // Another process may keep blocked items at any time; before version 3 there was no table for them.
            hasHeldBlocked.store(version >= 3, ordering: .relaxed)
            return
        }
        try Schema.migrate(database, from: version)
        identity = try Self.keptIdentity(in: database, at: path)
        birth = FileFacts.birth(of: path)
        try Schema.recover(database)
        try Schema.mendEarlierVersions(in: database)
        try Schema.noteRows(in: database)
        hasHeldChanges.store(try Self.holdsChanges(database), ordering: .relaxed)
        hasHeldBlocked.store(try Self.holdsBlocked(database), ordering: .relaxed)
    }

    /// The library at `path`, read-only, or `nil` where it does not exist yet.
    package static func existing(at path: FilePath) throws -> Library? {
        guard try FileFacts.existing(path) != nil else { return nil }
        let opened = try Connection(path: path.display, isReadOnly: true)
        return try opened.schemaVersion > 0 ? Library(opened, at: path, isReadOnly: true) : nil
    }

    /// A library in memory that knows nothing, for a profile that has none yet.
    package static func empty() throws -> Library { try Library(path: FilePath(Connection.inMemory)) }

    /// Whether blocked items may be kept here; `false` while none was since the start, which saves queries.
    package nonisolated var hasBlocked: Bool { hasHeldBlocked.load(ordering: .relaxed) }

    nonisolated func noteBlocked(_ isThere: Bool) {
        if isThere { hasHeldBlocked.store(true, ordering: .relaxed) }
    }

    /// Whether the brake may have something to decide or to release; `false` while none was since the start.
    package nonisolated var mayBrake: Bool { hasHeldChanges.load(ordering: .relaxed) }

    nonisolated func noteHeldChange() { hasHeldChanges.store(true, ordering: .relaxed) }

    static func holdsBlocked(_ database: Connection) throws -> Bool {
        try database.exists("SELECT 1 FROM blocked LIMIT 1")
    }

    /// The library was written by a later version of the program.
    package struct NewerLibrary: Error, CustomStringConvertible {
        let version: Int64
        /// Both versions, and what to do.
        package var description: String {
            "library.sqlite has version \(version), this program knows \(Schema.version): use the newer gallery-sync"
        }
    }
}

extension Library {
    /// For modules above that read it in ways of their own.
    package var queries: Queries { Queries(database) }

    /// Facts about rows that save queries; empty again after a rollback.
    var memory: RowMemory {
        if remembered.rollbacks != database.rollbacks {
            remembered = (database.rollbacks, RowMemory())
            // What callers read before the rollback may not be true any more.
            noteChange()
        }
        return remembered.rows
    }

    func noteChange() { writes.add(1, ordering: .relaxed) }

    /// Grows with every write; while it stays the same, every query returns the same.
    package nonisolated var revision: Int { writes.load(ordering: .relaxed) }

    /// The result of a run of `look` during which nothing was written here; runs it again until that is so.
    ///
    /// Whatever passes from one stage to another is written here, so what `look` reads in several places agrees.
    package nonisolated func unwritten<Value>(_ look: () async throws -> Value) async rethrows -> Value {
        while true {
            let before = revision
            let value = try await look()
            if revision == before { return value }
        }
    }

    /// Makes everything written so far durable.
    package func commit() throws {
        guard database.isInTransaction else { return }
        try database.execute("COMMIT")
        memory.pending = 0
    }

    /// Makes a change, and returns once it is durable.
    ///
    /// While the disk is busy with one commit, changes of other callers gather for the next: thousands of objects that
    /// are moved one by one would else wait for the disk one after the other.
    nonisolated func durably(_ change: @Sendable (isolated Library) throws -> Void) async throws {
        try await begin(change)?.value
    }

    /// Makes a change; returns the commit to wait for, `nil` where nothing was written.
    func begin(_ change: @Sendable (isolated Library) throws -> Void) throws -> Task<Void, any Error>? {
        let before = revision
        try change(self)
        guard revision != before else { return nil }
        if let sharedCommit { return sharedCommit }
        let rollbacks = database.rollbacks
        // It comes after all calls that wait for the library by now.
        let commit = Task { try finish(rollbacks) }
        sharedCommit = commit
        return commit
    }

    /// Commits for all that share it, unless the disk has failed another caller, and what they wrote was rolled back.
    private func finish(_ rollbacks: Int) throws {
        sharedCommit = nil
        try database.checkRollbacks(since: rollbacks)
        try commit()
    }

    /// Runs one statement inside the open transaction.
    func write(_ sql: String, _ values: Value...) throws {
        try write(sql, binding: values)
    }

    func write(_ sql: String, binding values: [Value]) throws {
        if !database.isInTransaction { try database.execute("BEGIN IMMEDIATE") }
        try database.run(sql, binding: values)
        memory.pending += 1
        noteChange()
        if memory.pending >= Self.pendingLimit { try commit() }
    }

    /// Runs one statement that changes attempts, so that the leftovers must be counted anew.
    func writeAttempts(_ sql: String, _ values: Value...) throws { try writeAttempts(sql, binding: values) }

    func writeAttempts(_ sql: String, binding values: [Value]) throws {
        try write(sql, binding: values)
        memory.forgetLeftovers()
    }

    /// Commits, and folds the log into the database; does nothing where nothing was written.
    package func close() throws {
        guard revision > 0 else { return }
        try commit()
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Drops the pages that it keeps in memory; the next look reads them again.
    package func shrink() throws { try database.execute("PRAGMA shrink_memory") }
}

// MARK: - Small facts that outlive a run

extension Library {
    /// The text remembered under `name`, such as the destination of the first receipt; `nil` for none.
    package func fact(_ name: String) throws -> String? { try database.fact(name) }

    /// Remembers `value` durably, or forgets it with `nil`.
    package func setFact(_ name: String, to value: String?) throws { try setFacts([(name, value)]) }

    /// Remembers the values durably, all or none, and forgets what has none.
    package func setFacts(_ facts: [(name: String, value: String?)]) throws {
        for fact in facts { try writeFact(fact.name, to: fact.value) }
        try commit()
    }

    /// Writes down a fact with the next commit; `nil` removes it.
    func writeFact(_ name: String, to value: String?) throws {
        if let value {
            try write("INSERT OR REPLACE INTO facts VALUES (?, ?)", .text(name), .text(value))
        } else {
            try write("DELETE FROM facts WHERE name = ?", .text(name))
        }
    }
}
