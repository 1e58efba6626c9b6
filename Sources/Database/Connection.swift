import CSQLite

/// An open database file with exactly one user at a time, closed when it goes away.
///
/// Statements are prepared once per text and kept. Not `Sendable`: keep it inside one actor. What it throws is a
/// `DatabaseError`, but says so untyped: methods of an actor that call it are inlined into asynchronous functions,
/// where a second kind of error slot kills the 6.3.1 compiler in release builds ("While splitting coroutine").
package final class Connection {
    let handle: OpaquePointer
    private var prepared: [String: Statement] = [:]

    /// Opens `path`, made when missing unless `isReadOnly`; waits up to 5 s for other processes.
    ///
    /// What it makes or may change only its owner can read. While it is open nobody else in this process may
    /// open and close the file, or one of its companions: that would take SQLite's locks away.
    package init(path: String, isReadOnly: Bool = false) throws {
        var opened: OpaquePointer?
        if !isReadOnly, path != ":memory:" { Self.makePrivate(path) }
        let flags =
            (isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw DatabaseError(call: "sqlite3_open_v2", code: code, message: "\(path): \(message)")
        }
        handle = opened
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_timeout(opened, 5_000)
    }

    deinit {
        prepared.removeAll()
        sqlite3_close_v2(handle)
    }
}

extension Connection {
    /// Runs every statement of `script`, results ignored.
    package func execute(_ script: String) throws {
        try check(sqlite3_exec(handle, script, nil, nil, nil), "sqlite3_exec")
    }

    /// Runs one statement to its end.
    package func run(_ sql: String, _ values: Value...) throws {
        try run(sql, binding: values)
    }

    package func run(_ sql: String, binding values: [Value]) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }

    /// What `read` makes of every row, in order.
    package func rows<T>(_ sql: String, _ values: Value..., read: (Row) -> T) throws -> [T] {
        var all: [T] = []
        try each(sql, binding: values) { all.append(read($0)) }
        return all
    }

    /// What `read` makes of the first row, or `nil` without one.
    package func first<T>(_ sql: String, _ values: Value..., read: (Row) -> T) throws -> T? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? read(Row(statement: statement)) : nil
    }

    /// Calls `visit` with every row while it stands; the row is not valid afterwards.
    package func each(_ sql: String, binding values: [Value] = [], visit: (Row) -> Void) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() { visit(Row(statement: statement)) }
    }

    /// Rows that the last `INSERT`, `UPDATE` or `DELETE` changed.
    package var changes: Int { Int(sqlite3_changes64(handle)) }

    /// The rowid of the last inserted row.
    package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs `body` as one transaction, rolled back when it throws.
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

    /// The prepared statement of `sql`, or a fresh one while that is in use further up the stack.
    private func statement(_ sql: String) throws -> Statement {
        if let known = prepared[sql], !known.isBusy { return known }
        let fresh = try Statement(sql, on: self)
        prepared[sql] = fresh
        return fresh
    }

    @discardableResult
    func check(_ code: Int32, _ call: String) throws -> Int32 {
        guard code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE else {
            throw DatabaseError(
                call: call, code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
        }
        return code
    }
}
