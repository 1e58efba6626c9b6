import CSQLite

/// A call of SQLite that failed.
package struct DatabaseError: Error, Hashable {
    /// The C function that failed, such as `sqlite3_step`.
    package let call: String
    /// SQLite's extended result code.
    package let code: Int32
    /// SQLite's own message.
    package let message: String
}

extension DatabaseError {
    /// Whether the disk, not the statement, is the cause: full, unreadable or read-only.
    package var isStorage: Bool {
        [SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN].contains(code & 0xFF)
    }

    /// Whether the file is not an SQLite database, or its pages contradict each other.
    package var isCorruption: Bool {
        [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF)
    }
}

extension DatabaseError: CustomStringConvertible {
    /// The message, the call and its code; not meant for users.
    package var description: String { "\(message) (\(call), \(code))" }
}
