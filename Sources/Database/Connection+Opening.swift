import CSQLite
import Glibc

extension Connection {
    static let writingFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    /// How long other processes are waited for, in milliseconds.
    static let waitForOthers: Int32 = 5_000
    private static let readingFlags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX

    /// Opens the database `name`, which is a path or, if the flags say so, a URI.
    static func opened(_ name: String, _ flags: Int32) throws -> OpaquePointer {
        // SQLite would open a folder for reading, and then report a broken disk.
        var facts = stat()
        if stat(name, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR {
            throw DatabaseError(
                call: "sqlite3_open_v2", code: DatabaseError.isFolder, message: "\(name): Is a directory")
        }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(name, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw DatabaseError(call: "sqlite3_open_v2", code: code, message: "\(name): \(message)")
        }
        return opened
    }

    /// Opens the database at `path` for reading, also if nothing can be written beside it.
    ///
    /// A database that was closed cleanly has no log and no index of one, and SQLite makes both before it reads. If
    /// this process cannot make them, no other process of its user can write here either, so the file can be read as
    /// one that never changes. The same holds on a full disk: a process that writes has made its index before.
    ///
    /// What a power cut has left half written, as while the database was made, is rolled back first, because no reader may.
    static func openForReading(_ path: String) throws -> OpaquePointer {
        let database = try opened(path, readingFlags)
        let code = sqlite3_exec(database, "PRAGMA schema_version", nil, nil, nil)
        let reason = sqlite3_extended_errcode(database)
        if code != SQLITE_OK, reason == DatabaseError.isUnfinished {
            sqlite3_close_v2(database)
            try rollBack(path)
            return try opened(path, readingFlags)
        }
        let hasNoRoom = reason == DatabaseError.isIndexWithoutRoom
        guard code & 0xFF == SQLITE_CANTOPEN && isUnchanging(path) || code != SQLITE_OK && hasNoRoom else {
            return database
        }
        sqlite3_close_v2(database)
        return try openUnchanging(path)
    }

    /// Takes back what a write has left half done that was cut off; where it cannot, the next reader says why.
    private static func rollBack(_ path: String) throws {
        let database = try opened(path, writingFlags)
        sqlite3_busy_timeout(database, waitForOthers)
        sqlite3_exec(database, "PRAGMA schema_version", nil, nil, nil)
        sqlite3_close_v2(database)
    }

    /// A database beside which nothing can be made, and that no process writes.
    ///
    /// The log that a kill or a copy has left holds committed changes. It is read with an index in memory, which SQLite
    /// permits to an exclusive reader (https://sqlite.org/wal.html, 8), and without locks, which need a file.
    static func openUnchanging(_ path: String) throws -> OpaquePointer {
        var log = stat()
        let hasLog = stat(path + "-wal", &log) == 0 && log.st_size > 0
        let mode = hasLog ? "vfs=unix-none" : "immutable=1"
        let database = try opened("file:\(escaped(path))?\(mode)", readingFlags | SQLITE_OPEN_URI)
        if hasLog { sqlite3_exec(database, "PRAGMA locking_mode = EXCLUSIVE", nil, nil, nil) }
        return database
    }

    /// Whether the file can be read, and this process cannot make one beside it.
    private static func isUnchanging(_ path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        return access(path, R_OK) == 0 && access(String(folder), W_OK | X_OK) != 0
    }

    /// The path for a URI of SQLite: every byte that might have a meaning there is written in hexadecimal.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "/._-".contains(character) {
                return String(character)
            }
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }
}
