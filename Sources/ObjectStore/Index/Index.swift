package import Database
package import Platform

/// What is stored: buckets and objects, in `index.sqlite`.
///
/// Reads see durable changes only.
package struct Index: Sendable {
    /// The connection that writes; it gathers changes into one transaction.
    package let writer: IndexWriter
    let reader: IndexReader
    /// The numbers of changes; a blob gets its row's number before the index does.
    package let numbers: ChangeNumbers

    /// Opens the index at `path`, which must agree with the blobs below `root`.
    package init(path: String, blobs root: FilePath, newest: NewestNote, numbers: ChangeNumbers) throws {
        self.numbers = numbers
        writer = try IndexWriter(path: path, blobs: root, newest: newest, numbers: numbers)
        reader = try IndexReader(path: path)
    }

    /// The index at `path` of a `folder` that can only be read; every change to it fails with `ReadOnlyFolder`.
    ///
    /// Throws `UnsupportedIndex` if the index has another version than this program's, because it cannot be upgraded.
    package init(reading path: String, of folder: FilePath) throws {
        numbers = ChangeNumbers(after: 0)
        writer = try IndexWriter(refusing: ReadOnlyFolder(folder: folder), path: path)
        reader = try IndexReader(path: path)
    }

    /// The result of `body`, run on a connection for reading.
    package func read<T: Sendable>(_ body: @Sendable (Connection) throws -> T) async throws -> T {
        try await reader.read(body)
    }

    /// Applies `change`, which concerns no object, atomically; returns when it is durable.
    package func write<T: Sendable>(_ change: @Sendable (Connection) throws -> T) async throws -> T {
        try await writer.write(change).result
    }
}

/// Reads from a connection of its own, so that reads never wait for a commit.
actor IndexReader {
    private let thread = SerialThread(name: "storage index, reading")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }
    private let connection: Connection

    init(path: String) throws {
        connection = try Connection(path: path, isReadOnly: true)
    }

    func read<T: Sendable>(_ body: @Sendable (Connection) throws -> T) throws -> T { try body(connection) }
}

/// The single writer of the index; changes that arrive together share one commit.
package actor IndexWriter {
    private let thread = SerialThread(name: "storage index, writing")
    /// The thread of the connection that writes.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }
    private let connection: Connection
    private let root: FilePath
    private let newest: NewestNote?
    private let numbers: ChangeNumbers
    /// Why the folder refuses changes; `nil` if it accepts them.
    private let refusal: ReadOnlyFolder?
    private var open: Batch?
    /// Debts that were paid since the last commit.
    private var paid: [Debt] = []

    /// Changes that are committed together.
    private final class Batch {
        var outcome: Result<Void, any Error>?
    }

    init(path: String, blobs root: FilePath, newest: NewestNote, numbers: ChangeNumbers) throws {
        connection = try IndexSchema.open(path)
        try connection.execute(Self.watchingBuckets)
        (self.root, self.newest, self.numbers) = (root, newest, numbers)
        refusal = nil
    }

    init(refusing refusal: ReadOnlyFolder, path: String) throws {
        connection = try IndexSchema.openForReading(path)
        (root, newest, numbers) = (refusal.folder, nil, ChangeNumbers(after: 0))
        self.refusal = refusal
    }

    /// Records changed buckets in a temporary table, which is rolled back with the change itself.
    private static let watchingBuckets = """
        PRAGMA temp_store = MEMORY;
        CREATE TEMP TABLE changed_buckets (id TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TEMP TRIGGER bucket_put AFTER INSERT ON main.buckets
            BEGIN INSERT OR REPLACE INTO changed_buckets VALUES (new.id); END;
        CREATE TEMP TRIGGER bucket_update AFTER UPDATE ON main.buckets
            BEGIN INSERT OR REPLACE INTO changed_buckets VALUES (new.id); END;
        CREATE TEMP TRIGGER bucket_remove AFTER DELETE ON main.buckets
            BEGIN INSERT OR REPLACE INTO changed_buckets VALUES (old.id); END;
        """

    /// Applies `change` as a part of the open transaction; returns once that is committed.
    ///
    /// The result comes with the debts that the change makes, which the caller passes to `forget` once they are paid.
    package func write<T: Sendable>(
        _ change: @Sendable (Connection) throws -> T
    ) async throws -> (result: T, debts: [Debt]) {
        if let refusal { throw refusal }
        let batch = try begin()
        let result = Result { try separately(change) }
        // Lets the other calls that wait for this actor run first and join the transaction.
        await Task.yield()
        try finish(batch)
        return try result.get()
    }

    /// Removes paid `debts` with the next commit; after a crash before it they are paid once more.
    package func forget(_ debts: [Debt]) { paid += debts }

    /// Records that every blob has its row and that no change follows.
    package func noteClean() throws { try newest?.end(at: try connection.number() ?? 0) }

    private func begin() throws -> Batch {
        if let open { return open }
        try connection.execute("BEGIN IMMEDIATE")
        let batch = Batch()
        open = batch
        return batch
    }

    /// Rolls back only `change` where it throws; an error that ends the transaction fails the batch.
    private func separately<T>(_ change: (Connection) throws -> T) throws -> (result: T, debts: [Debt]) {
        try connection.execute("SAVEPOINT change")
        do {
            let result = try change(connection)
            let debts = try connection.takeDebts(number: numbers.next())
            try connection.execute("RELEASE change")
            return (result, debts)
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

    private func commit(_ batch: Batch) throws {
        let number = numbers.next()
        let settled = paid
        try connection.forget(settled)
        try connection.set(number: number)
        try commit(at: number)
        paid.removeFirst(settled.count)
        // A note that is out of date only makes the next start search the blobs.
        try? newest?.note(number)
    }

    /// Writes the list of buckets before the commit, so that after a crash the index can follow it.
    private func commit(at number: Int64) throws {
        guard try connection.exists("SELECT 1 FROM temp.changed_buckets LIMIT 1") else {
            return try connection.execute("COMMIT")
        }
        try connection.execute("DELETE FROM temp.changed_buckets")
        let before = try BucketList.read(in: root)
        try BucketList(number: number, buckets: connection.buckets()).write(in: root)
        do {
            try connection.execute("COMMIT")
        } catch {
            // Restores the list; where that fails too, the next start changes the buckets to agree with the list.
            try? before?.write(in: root)
            throw error
        }
    }

    private func close(_ batch: Batch?, _ outcome: Result<Void, any Error>) {
        batch?.outcome = outcome
        open = nil
    }
}
