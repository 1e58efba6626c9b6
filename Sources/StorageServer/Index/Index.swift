import Database
import Platform

/// What is stored: buckets and objects, in `index.sqlite`.
///
/// Reads see only what is durable.
struct Index: Sendable {
    let writer: IndexWriter
    let reader: IndexReader

    /// Opens the index at `path`, which has followed `journal` to its end.
    init(path: String, journal: sending RowJournal) throws {
        writer = try IndexWriter(path: path, journal: journal)
        reader = try IndexReader(path: path)
    }

    /// What `body` finds.
    func read<T: Sendable>(_ body: @Sendable (Connection) throws -> T) async throws -> T {
        try await reader.read(body)
    }

    /// Does `change` whole or not at all; returns when it is durable.
    func write<T: Sendable>(_ change: @Sendable (Connection) throws -> T) async throws -> T {
        try await writer.write(change)
    }
}

/// Reads from a connection of its own, so that it waits for no commit.
actor IndexReader {
    private let thread = SerialThread(name: "storage index, reading")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }
    private let connection: Connection

    init(path: String) throws {
        connection = try Connection(path: path, isReadOnly: true)
    }

    func read<T: Sendable>(_ body: @Sendable (Connection) throws -> T) throws -> T { try body(connection) }
}

/// The single writer of the index; changes that come together share one commit.
actor IndexWriter {
    private let thread = SerialThread(name: "storage index, writing")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }
    private let connection: Connection
    private let journal: RowJournal
    private var open: Batch?

    /// Changes that are committed together.
    private final class Batch {
        /// What the journal is to say, one JSON list for each change that touched a row.
        var changes: [String] = []
        var outcome: Result<Void, any Error>?
    }

    init(path: String, journal: sending RowJournal) throws {
        connection = try IndexSchema.open(path)
        try connection.execute(RowChange.watching)
        self.journal = journal
    }

    /// How far the journal has come.
    var mark: RowJournal.Mark { journal.mark }

    /// Does `change` as part of the open transaction, then sees to it that this is committed.
    func write<T: Sendable>(_ change: @Sendable (Connection) throws -> T) async throws -> T {
        let batch = try begin()
        let result = Result { try separately(change) }
        // Whoever waits for this actor by now comes first and joins the transaction.
        await Task.yield()
        try finish(batch)
        return try result.get()
    }

    private func begin() throws -> Batch {
        if let open { return open }
        try connection.execute("BEGIN IMMEDIATE")
        let batch = Batch()
        open = batch
        return batch
    }

    /// Undoes `change` alone where it throws; after an error that ended the transaction all of the batch fails.
    private func separately<T>(_ change: (Connection) throws -> T) throws -> T {
        try connection.execute("SAVEPOINT change")
        do {
            let result = try change(connection)
            let rows = try connection.takeChanges()
            try connection.execute("RELEASE change")
            if let rows { open?.changes.append(rows) }
            return result
        } catch {
            if connection.isInTransaction {
                try connection.execute("ROLLBACK TO change; RELEASE change")
            } else {
                close(open, .failure(error))
            }
            throw error
        }
    }

    private func finish(_ batch: Batch) throws {
        if batch.outcome == nil {
            close(batch, Result { try commit(batch) })
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
        }
        try batch.outcome?.get()
    }

    /// The journal comes first, so that the index can follow it after a crash, never the other way round.
    private func commit(_ batch: Batch) throws {
        let before = journal.mark
        do {
            if !batch.changes.isEmpty {
                try journal.append(batch.changes)
                try connection.set(journal.mark)
            }
            try connection.execute("COMMIT")
        } catch {
            journal.takeBack(to: before)
            throw error
        }
    }

    private func close(_ batch: Batch?, _ outcome: Result<Void, any Error>) {
        batch?.outcome = outcome
        open = nil
    }
}
