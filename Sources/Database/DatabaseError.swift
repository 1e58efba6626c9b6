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
    /// Whether the disk or the memory, not the statement, is the cause: full, unreadable, read-only or damaged.
    package var isOfSystem: Bool {
        [SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_NOMEM].contains(code & 0xFF)
            || isCorruption
    }

    /// SQLite's `SQLITE_CANTOPEN_ISDIR`: a folder has the name.
    static let isFolder = SQLITE_CANTOPEN | 2 << 8

    /// SQLite's `SQLITE_IOERR_SHMSIZE`: the disk has no room for the log's index, which every reading process needs.
    static let isIndexWithoutRoom = SQLITE_IOERR | 19 << 8

    /// SQLite's `SQLITE_READONLY_ROLLBACK`: a write that was cut off must be taken back before anything can be read.
    static let isUnfinished = SQLITE_READONLY | 3 << 8

    /// Whether the disk has no room for what is to be written.
    package var isDiskFull: Bool { code & 0xFF == SQLITE_FULL || code == Self.isIndexWithoutRoom }

    /// Whether the disk, or the file, takes no changes.
    package var isReadOnly: Bool { code & 0xFF == SQLITE_READONLY }

    /// Whether the file is not an SQLite database, or its pages contradict each other.
    package var isCorruption: Bool {
        [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF)
    }
}

extension DatabaseError: CustomStringConvertible {
    /// One sentence for people: what is wrong with the state on disk, and what to do.
    package var description: String {
        switch code & 0xFF {
        case _ where code == Self.isFolder:
            "\(message). A folder lies in the place of a file: move it away, then run this again."
        case _ where isDiskFull:
            "The disk that holds the state is full: make room there (\"gallery-sync doctor\" names it), then run this again."
        case SQLITE_READONLY, SQLITE_CANTOPEN:
            "The state cannot be written: let this user write to its directory (\(message))."
        case SQLITE_IOERR: "The disk that holds the state does not work: check it, then run this again (\(message))."
        // SQLite also reports these if the disk cannot be read.
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            "The state on disk is damaged, or its disk cannot be read: check the disk, then run this again (\(message)). "
                + "Where that does not help, move library.sqlite* out of the state's directory: the next sync finds again "
                + "what is stored."
        case SQLITE_NOMEM: "There was not enough memory to use the state: close other programs, then run this again."
        case SQLITE_BUSY, SQLITE_LOCKED: "Another program has the state open: close it, then run this again."
        default: "A mistake of ours in the state on disk: \(debugDescription)."
        }
    }
}

extension DatabaseError: CustomDebugStringConvertible {
    /// SQLite's message, the call that failed, and its extended result code.
    package var debugDescription: String { "\(message) (\(call), \(code))" }
}
