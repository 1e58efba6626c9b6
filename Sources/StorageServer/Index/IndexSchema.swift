import Database

/// The tables of `index.sqlite`.
enum IndexSchema {
    private static let version = 1

    /// Opens the database at `path` for writing and makes its tables.
    static func open(_ path: String) throws -> Connection {
        let connection = try Connection(path: path)
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
        let found = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        guard found <= version else { throw Unsupported(version: found) }
        if found == 0 { try connection.execute(tables + "PRAGMA user_version = \(version);") }
        return connection
    }

    /// The index was written by a newer gallery-sync.
    struct Unsupported: Error, CustomStringConvertible {
        let version: Int64
        var description: String { "index.sqlite has version \(version), which this gallery-sync does not know" }
    }

    private static let tables = """
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
