import CSQLite

/// An open database file for one user at a time, closed when it is released.
///
/// Each distinct statement is prepared once and kept. Not `Sendable`: keep it inside one actor. It throws only
/// `DatabaseError`, but untyped: methods of an actor that call it are inlined into asynchronous functions,
/// where a second kind of error slot crashes the 6.3.1 compiler in release builds ("While splitting coroutine").
package final class Connection {
    let handle: OpaquePointer
    private(set) var prepared: [String: Statement] = [:]
    /// The most statements that are kept: SQL that contains a number of its own is never used again.
    static let mostPrepared = 500
    /// The path of a database without a file.
    package static let inMemory = ":memory:"
    /// How many transactions were rolled back: by a `ROLLBACK`, and by SQLite itself when the disk or the memory fails.
    package private(set) var rollbacks = 0
    /// The failure that came with the last of them, and how many there were by then.
    private var rolledBack: (count: Int, failure: DatabaseError)?

    /// Opens `path`, creating it unless `isReadOnly`; waits up to 5 s for other processes.
    ///
    /// Only the owner can read what it creates or may change. While it is open, no other code of this process may
    /// open and close the file or one of the files beside it: that would release SQLite's locks.
    package convenience init(path: String, isReadOnly: Bool = false) throws {
        Self.prepareLibrary
        if !isReadOnly, path != Self.inMemory { Self.makePrivate(path) }
        self.init(try isReadOnly ? Self.openForReading(path) : Self.opened(path, Self.writingFlags))
    }

    /// Takes over an open database.
    init(_ opened: OpaquePointer) {
        handle = opened
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_timeout(opened, Self.waitForOthers)
        sqlite3_rollback_hook(opened, Self.countRollback, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Evaluated once per process, before the first connection.
    private static let prepareLibrary: Void = csqlite_count_no_memory()

    /// Static, so that it is isolated to no actor.
    private static let countRollback: @convention(c) (UnsafeMutableRawPointer?) -> Void = { connection in
        guard let connection else { return }
        Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue().rollbacks += 1
    }

    deinit {
        prepared.removeAll()
        sqlite3_close_v2(handle)
    }
}

extension Connection {
    /// Runs every statement of `script`, ignoring results; stops at the first that fails.
    package func execute(_ script: String) throws {
        try check(sqlite3_exec(handle, script, nil, nil, nil), "sqlite3_exec")
    }

    /// Runs one statement to its end, with `values` for its question marks.
    package func run(_ sql: String, _ values: Value...) throws {
        try run(sql, binding: values)
    }

    /// Runs one statement to its end, with `values`, as many as it has question marks, in order.
    package func run(_ sql: String, binding values: [Value]) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }

    /// What `read` returns for every row, in order.
    package func rows<T>(_ sql: String, _ values: Value..., read: (Row) -> T) throws -> [T] {
        try rows(sql, binding: values, read: read)
    }

    /// The same, with `values` as many as the statement has question marks.
    package func rows<T>(_ sql: String, binding values: [Value], read: (Row) -> T) throws -> [T] {
        var all: [T] = []
        try each(sql, binding: values) { all.append(read($0)) }
        return all
    }

    /// What `read` returns for the first row; `nil` where there is none.
    package func first<T>(_ sql: String, _ values: Value..., read: (Row) -> T) throws -> T? {
        try first(sql, binding: values, read: read)
    }

    /// The same, with `values` as many as the statement has question marks.
    package func first<T>(_ sql: String, binding values: [Value], read: (Row) -> T) throws -> T? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? read(Row(statement: statement)) : nil
    }

    /// Whether the statement has a row.
    package func exists(_ sql: String, _ values: Value...) throws -> Bool {
        try exists(sql, binding: values)
    }

    /// The same, with `values` as many as the statement has question marks.
    package func exists(_ sql: String, binding values: [Value]) throws -> Bool {
        try first(sql, binding: values) { _ in true } ?? false
    }

    /// Calls `visit` with every row; a row is valid only during the call.
    package func each(_ sql: String, binding values: [Value] = [], visit: (Row) -> Void) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() { visit(Row(statement: statement)) }
    }

    /// The number of rows that the last `INSERT`, `UPDATE` or `DELETE` changed.
    package var changes: Int { Int(sqlite3_changes64(handle)) }

    /// The rowid of the last inserted row.
    package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs `body` as one transaction, which is rolled back when it throws.
    package func transaction<T, E: Error>(_ body: () throws(E) -> T) throws -> T {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            if isInTransaction { try execute("ROLLBACK") }
            throw error
        }
    }

    /// The prepared statement of `sql`, or a new one while that is in use by a caller.
    private func statement(_ sql: String) throws -> Statement {
        if let known = prepared[sql], !known.isBusy { return known }
        if prepared.count >= Self.mostPrepared { prepared = prepared.filter { $0.value.isBusy } }
        let fresh = try Statement(sql, on: self)
        prepared[sql] = fresh
        return fresh
    }

    /// Throws `DatabaseError` where `sql` would change the database.
    func checkReadOnly(_ sql: String) throws {
        guard sqlite3_stmt_readonly(try statement(sql).handle) == 0 else { return }
        throw DatabaseError(call: "sqlite3_stmt_readonly", code: SQLITE_MISUSE, message: "“\(sql)” is no query")
    }

    @discardableResult
    func check(_ code: Int32, _ call: String) throws -> Int32 {
        guard code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE else {
            let failure = DatabaseError(
                call: call, code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
            if rolledBack?.count ?? 0 != rollbacks { rolledBack = (rollbacks, failure) }
            throw failure
        }
        return code
    }

    /// Throws the failure for which SQLite itself has rolled back a transaction since there were `count` rollbacks.
    ///
    /// For callers whose writes are to be committed later, together with those of others.
    package func checkRollbacks(since count: Int) throws {
        if rollbacks != count, let rolledBack, rolledBack.count > count { throw rolledBack.failure }
    }
}
