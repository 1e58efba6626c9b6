package import Database

/// The tables of `index.sqlite`.
package enum IndexSchema {
    static let version: Int64 = 5

    /// Opens the database at `path` for writing and creates or upgrades its tables.
    package static func open(_ path: String) throws -> Connection {
        let connection = try Connection(path: path)
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
        let found = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        guard 0...version ~= found else { throw UnsupportedIndex(version: found) }
        guard found < version else { return connection }
        try connection.transaction {
            for step in steps.dropFirst(Int(found)) { try connection.execute(step) }
            try connection.execute("PRAGMA user_version = \(version)")
        }
        return connection
    }

    /// Opens the database at `path` for reading; its tables must be those of this version.
    static func openForReading(_ path: String) throws -> Connection {
        let connection = try Connection(path: path, isReadOnly: true)
        let found = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        guard found == version else { throw UnsupportedIndex(version: found) }
        return connection
    }

    /// What each version added.
    static let steps = [objects, uploads, signIns, journal + more, debts]

    /// The table `journal` is dropped once `OldJournal` was read.
    private static let debts = """
        ALTER TABLE objects ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE mark (one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL);
        CREATE TABLE debts (version TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID;
        CREATE TRIGGER object_removed AFTER DELETE ON objects
            BEGIN INSERT OR REPLACE INTO debts (version) VALUES (old.version); END;
        CREATE TRIGGER object_changed AFTER UPDATE ON objects
            BEGIN INSERT OR REPLACE INTO debts (version) VALUES (old.version), (new.version); END;
        CREATE TRIGGER upload_removed AFTER DELETE ON uploads WHEN old.finished = 0
            BEGIN INSERT OR REPLACE INTO debts (version) VALUES (old.version); END;
        """

    private static let journal = """
        CREATE TABLE journal (
            one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, number INTEGER NOT NULL, size INTEGER NOT NULL
        );

        """

    private static let more = """
        ALTER TABLE codes ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE uploads ADD COLUMN parts TEXT NOT NULL DEFAULT '';
        """

    private static let uploads = """
        CREATE TABLE uploads (
            version TEXT PRIMARY KEY, bucket TEXT NOT NULL, key TEXT NOT NULL, owner TEXT NOT NULL,
            length INTEGER, metadata TEXT NOT NULL, created_at INTEGER NOT NULL, finished INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    private static let signIns = """
        CREATE TABLE users (
            id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL, signed_in_at INTEGER
        ) WITHOUT ROWID;
        CREATE TABLE sessions (
            id TEXT PRIMARY KEY, user TEXT NOT NULL REFERENCES users(id), method TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE refresh_tokens (
            token TEXT PRIMARY KEY, session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, parent TEXT,
            used_at INTEGER
        ) WITHOUT ROWID;
        CREATE INDEX refresh_tokens_by_session ON refresh_tokens(session);
        CREATE TABLE codes (
            email TEXT PRIMARY KEY, code TEXT NOT NULL, hash TEXT NOT NULL, created_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    private static let objects = """
        CREATE TABLE buckets (
            id TEXT PRIMARY KEY, owner TEXT NOT NULL, public INTEGER NOT NULL, size_limit INTEGER,
            allowed_types TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE objects (
            bucket TEXT NOT NULL REFERENCES buckets(id), key TEXT NOT NULL, id TEXT NOT NULL, version TEXT NOT NULL,
            owner TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, size INTEGER NOT NULL,
            type TEXT NOT NULL, cache_control TEXT NOT NULL, etag TEXT NOT NULL, modified_at INTEGER NOT NULL,
            robots TEXT, user_metadata TEXT,
            PRIMARY KEY (bucket, key)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX objects_by_version ON objects(version);

        """
}

/// The index was written by a newer gallery-sync, or by an older one into a folder that cannot be changed now.
package struct UnsupportedIndex: Error, CustomStringConvertible {
    let version: Int64

    /// A sentence with the index's version and what to do.
    package var description: String {
        version > IndexSchema.version
            ? "index.sqlite has version \(version), which this gallery-sync does not know: update it"
            : "index.sqlite has version \(version), from an earlier gallery-sync, and its folder can only be read: "
                + "mount its disk for writing once, so that it is brought up to date"
    }
}
