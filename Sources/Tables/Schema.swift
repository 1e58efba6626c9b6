package import Database
import Queue
import Records

/// The tables of `library.sqlite`; all of it can be rebuilt from the gallery and the bucket.
package enum Schema {
    /// The version that this program writes.
    package static let version: Int64 = 16

    /// Opens the database for one writer: WAL, every commit synced.
    static let settings = """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = OFF;
        PRAGMA temp_store = MEMORY;
        PRAGMA cache_size = -4000;
        PRAGMA wal_autocheckpoint = 4000;
        """

    /// Makes the tables and indexes that are not there yet.
    static let tables = """
        CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS roots (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, path BLOB NOT NULL);
        CREATE TABLE IF NOT EXISTS disks (
            root INTEGER NOT NULL, path BLOB NOT NULL, identity TEXT NOT NULL, PRIMARY KEY (root, path)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS directories (
            id INTEGER PRIMARY KEY, root INTEGER NOT NULL, path BLOB NOT NULL,
            ignored INTEGER NOT NULL DEFAULT 0, failure TEXT, rules TEXT, UNIQUE (root, path));
        CREATE TABLE IF NOT EXISTS assets (
            directory INTEGER NOT NULL, name BLOB NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL,
            state INTEGER NOT NULL, rank INTEGER NOT NULL, sha256 BLOB, thumbnails INTEGER NOT NULL DEFAULT 0,
            forced INTEGER NOT NULL DEFAULT 0, found INTEGER NOT NULL, note TEXT, code TEXT, message TEXT,
            brake TEXT, ruled INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (directory, name)) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS assets_order ON assets (state, rank, mtime DESC, size);
        DROP INDEX IF EXISTS assets_thumbnails;
        CREATE INDEX IF NOT EXISTS assets_owed ON assets (thumbnails) WHERE thumbnails IN \(pictures: .owed);
        CREATE INDEX IF NOT EXISTS assets_remote ON assets (sha256) WHERE state = \(asset: .remoteOnly);
        CREATE INDEX IF NOT EXISTS assets_noted ON assets (note, state) WHERE note IS NOT NULL;
        CREATE TABLE IF NOT EXISTS contents (
            sha256 BLOB PRIMARY KEY, type TEXT NOT NULL, facts TEXT) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS receipts (
            destination TEXT NOT NULL, key TEXT NOT NULL, role TEXT NOT NULL, item TEXT NOT NULL,
            directory INTEGER NOT NULL, name BLOB NOT NULL, sha256 BLOB NOT NULL, size INTEGER NOT NULL,
            object TEXT, version TEXT, etag TEXT, updated TEXT, verified INTEGER NOT NULL,
            proof TEXT NOT NULL DEFAULT 'size', PRIMARY KEY (destination, key)) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS receipts_asset ON receipts (directory, name);
        DROP INDEX IF EXISTS receipts_content;
        CREATE INDEX IF NOT EXISTS receipts_alike ON receipts (sha256, name);
        DROP INDEX IF EXISTS receipts_time;
        CREATE INDEX IF NOT EXISTS receipts_age ON receipts (verified, size);
        CREATE INDEX IF NOT EXISTS receipts_proof ON receipts (destination, proof);
        \(attempts)
        \(moves)
        CREATE TABLE IF NOT EXISTS changes (
            directory INTEGER NOT NULL, name BLOB NOT NULL, at INTEGER NOT NULL,
            PRIMARY KEY (directory, name)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS blocked (
            id INTEGER PRIMARY KEY, destination TEXT NOT NULL, key TEXT NOT NULL, directory INTEGER NOT NULL,
            name BLOB NOT NULL, role TEXT NOT NULL, sha256 BLOB NOT NULL, size INTEGER NOT NULL,
            mtime INTEGER NOT NULL, rank INTEGER NOT NULL, reason TEXT, code TEXT, here INTEGER NOT NULL DEFAULT 0,
            item BLOB NOT NULL, UNIQUE (destination, key));
        CREATE INDEX IF NOT EXISTS blocked_asset ON blocked (directory, name);
        CREATE INDEX IF NOT EXISTS blocked_reason ON blocked (reason, code, size, role, here);
        CREATE INDEX IF NOT EXISTS blocked_free ON blocked (rank, mtime DESC) WHERE reason IS NULL;
        CREATE INDEX IF NOT EXISTS assets_suspect ON assets (state) WHERE brake = \(brake: .suspect);
        CREATE INDEX IF NOT EXISTS assets_undecided ON assets (directory) WHERE state = \(asset: .held)
            AND brake IS NULL;
        CREATE TABLE IF NOT EXISTS deletions (
            destination TEXT NOT NULL, key TEXT NOT NULL, noted INTEGER NOT NULL, earlier INTEGER,
            PRIMARY KEY (destination, key)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS discrepancies (\(discrepancyColumns)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS marks (\(markColumns)) WITHOUT ROWID;
        """

    private static let markColumns = """
        destination TEXT NOT NULL, key TEXT NOT NULL, sha256 BLOB NOT NULL, mark INTEGER NOT NULL,
        directory INTEGER NOT NULL, name BLOB NOT NULL, PRIMARY KEY (destination, key)
        """

    private static let discrepancyColumns = """
        destination TEXT NOT NULL, key TEXT NOT NULL, item TEXT NOT NULL, kind TEXT NOT NULL, deep INTEGER NOT NULL,
        found INTEGER NOT NULL, PRIMARY KEY (destination, key)
        """

    /// An empty table for a read-only connection to a library of up to version 10, which did not keep discrepancies.
    static let noDiscrepancies = "CREATE TEMP TABLE discrepancies (\(discrepancyColumns)) WITHOUT ROWID"

    /// Whether the library keeps what verifications found.
    static let discrepancyQuery = "SELECT 1 FROM sqlite_schema WHERE name = 'discrepancies'"

    /// Whether directories have the column that version 4 added.
    package static let rulesQuery = "SELECT 1 FROM pragma_table_info('directories') WHERE name = 'rules'"

    /// The changes to the tables of an earlier version, made before `tables` adds those that are new.
    ///
    /// Up to version 3 a path had only one root; since then each disk that was seen at a path has its own.
    static func changes(from version: Int64, hasRules: Bool) -> String {
        guard version < 4 else { return "" }
        return """
            \(hasRules ? "" : "ALTER TABLE directories ADD COLUMN rules TEXT;")
            ALTER TABLE roots RENAME TO roots_before;
            CREATE TABLE roots (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, path BLOB NOT NULL);
            INSERT INTO roots SELECT id, name, path FROM roots_before;
            DROP TABLE roots_before;
            """
    }

    /// Fills in the proofs of receipts of versions up to 3, which compared the MD5 of one-request uploads.
    ///
    /// They did not compare copies. If all receipts for one content have one eTag, one of them is an upload's.
    static let proofs = """
        ALTER TABLE receipts ADD COLUMN proof TEXT NOT NULL DEFAULT 'size';
        UPDATE receipts SET proof = 'md5' WHERE size <= 6291456 AND length(trim(etag, '"')) = 32
            AND trim(etag, '"') NOT GLOB '*[^0-9a-fA-F]*' AND NOT EXISTS (
                SELECT 1 FROM receipts other WHERE other.sha256 = receipts.sha256 AND other.etag IS NOT receipts.etag);
        """

    /// Gives the brake's marks a column of their own: up to version 8 they were stored among the codes of failures.
    static let brakeColumn = """
        ALTER TABLE assets ADD COLUMN brake TEXT;
        UPDATE assets SET code = NULL, brake = CASE code WHEN 'brake.suspect' THEN \(brake: .suspect)
                WHEN 'brake.approved' THEN \(brake: .approved) ELSE \(brake: .held) END
            WHERE code IN ('brake', 'brake.suspect', 'brake.approved');
        DROP INDEX IF EXISTS assets_suspect;
        DROP INDEX IF EXISTS assets_undecided;
        """

    /// Whether a file that no walk meets is here all the same, because a rule leaves it out; 0 up to version 13.
    ///
    /// It says something in the state `remoteOnly` only; a trigger ends it with that state.
    static let ruledColumn = "ALTER TABLE assets ADD COLUMN ruled INTEGER NOT NULL DEFAULT 0;"

    /// Lets a read-only connection read a library that no version from 4 on has opened for writing.
    static let unprovenReceipts = "CREATE TEMP VIEW receipts AS SELECT *, 'size' AS proof FROM main.receipts"

    private static let attempts = """
        CREATE TABLE IF NOT EXISTS attempts (
            destination TEXT NOT NULL, key TEXT NOT NULL, sha256 BLOB NOT NULL,
            role TEXT NOT NULL DEFAULT 'original', size INTEGER NOT NULL DEFAULT 0, directory INTEGER, name BLOB,
            state INTEGER NOT NULL DEFAULT 0, doubtful INTEGER NOT NULL DEFAULT 1,
            noted INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (destination, key, sha256)) WITHOUT ROWID;
        """

    /// One row for each pair of keys: a request that was given up is `noted` at its time, and again `earlier` once another
    /// is noted, so that the answer to that one settles nothing of the former; 0 where there is none.
    private static let moves = """
        CREATE TABLE IF NOT EXISTS moves (
            destination TEXT NOT NULL, source TEXT NOT NULL, key TEXT NOT NULL, sha256 BLOB NOT NULL,
            role TEXT NOT NULL, directory INTEGER, name BLOB, settled INTEGER NOT NULL DEFAULT 0,
            noted INTEGER NOT NULL, earlier INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (destination, source, key)) WITHOUT ROWID;
        """

    /// Whether attempts have the column that version 16 dropped.
    static let sourceQuery = "SELECT 1 FROM pragma_table_info('attempts') WHERE name = 'source'"

    /// The statements that bring the attempts of an older version to the form that `tables` expects.
    static func attemptChanges(from version: Int64, hasSources: Bool) -> String {
        if (1..<5).contains(version) { return attemptsWithFacts }
        return hasSources ? movesOfAttempts : ""
    }

    /// Gives moves a table of their own: up to version 15 they were attempts with the key that an object was to leave.
    ///
    /// A row without an answer may also be of bytes that were sent to the key since, so that stays an attempt.
    private static let movesOfAttempts = """
        \(moves)
        INSERT OR REPLACE INTO moves (destination, source, key, sha256, role, directory, name, settled, noted)
            SELECT destination, source, key, sha256, role, directory, name, state = 2, noted FROM attempts
            WHERE source IS NOT NULL ORDER BY noted;
        DELETE FROM attempts WHERE state = 2;
        DROP INDEX IF EXISTS attempts_source;
        ALTER TABLE attempts DROP COLUMN source;
        """

    /// The facts that a new library begins with: no earlier version can have lost pictures of its assets.
    static func firstFacts(of version: Int64) -> String {
        version == 0 ? "INSERT OR IGNORE INTO facts VALUES ('pictures', 'none yet');" : ""
    }

    /// Up to version 4 an attempt was a key and a hash, and the server was never asked about it again.
    private static let attemptsWithFacts = """
        CREATE TABLE IF NOT EXISTS attempts (destination TEXT, key TEXT, sha256 BLOB);
        ALTER TABLE attempts RENAME TO former_attempts;
        \(attempts)
        INSERT OR IGNORE INTO attempts (destination, key, sha256)
        SELECT destination, key, sha256 FROM former_attempts;
        DROP TABLE former_attempts;
        """

    /// Gives deletions and marks tables of their own, which up to version 11 and 12 were states of attempts.
    ///
    /// A deletion replaced the key's attempt, with the state 3. An object that is still there is marked `outdated`, as was
    /// usual once its deletion could no longer take effect. A mark replaced an attempt, too, but for its time.
    static let formerStates = """
        INSERT OR IGNORE INTO deletions (destination, key, noted)
            SELECT destination, key, max(noted) FROM attempts WHERE state = 3 GROUP BY destination, key;
        INSERT OR IGNORE INTO marks SELECT * FROM (\(formerMarks)) WHERE directory IS NOT NULL AND name IS NOT NULL;
        DELETE FROM attempts WHERE state IN (3, 4, 5) AND noted = 0;
        UPDATE attempts SET state = \(attempt: .unknown), doubtful = 0, size = 0 WHERE state IN (3, 4, 5);
        """

    /// The marks of a library of up to version 12.
    private static let formerMarks = """
        SELECT m.destination, m.key, m.sha256,
            CASE m.state WHEN 5 THEN \(mark: .lastCopy) ELSE \(mark: .outdated) END AS mark, m.directory, m.name
        FROM attempts m JOIN receipts r ON r.destination = m.destination AND r.key = m.key AND r.sha256 = m.sha256
        WHERE m.state IN (3, 4, 5)
        """

    /// Whether the library keeps marks apart from attempts.
    static let markQuery = "SELECT 1 FROM sqlite_schema WHERE name = 'marks'"

    /// Lets a read-only connection read the marks of a library of up to version 12; there were none before version 5.
    static func marks(of version: Int64) -> String {
        version < 5
            ? "CREATE TEMP TABLE marks (\(markColumns)) WITHOUT ROWID" : "CREATE TEMP VIEW marks AS \(formerMarks)"
    }

    /// Whether a crash interrupted anything; usually it did not, and then no statement that changes rows is prepared.
    static let interruptedQuery = """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM assets WHERE state = \(asset: .identifying))
            OR EXISTS (SELECT 1 FROM assets WHERE thumbnails IN \(pictures: .owed))
        """

    /// Resets what a crash interrupted, so that reading begins again.
    static let recovery = """
        UPDATE assets SET state = \(asset: .seen) WHERE state = \(asset: .identifying);
        UPDATE assets SET thumbnails = \(picture: .wanted) WHERE thumbnails IN \(pictures: .owed);
        """
}

extension Connection {
    /// The version of the schema that the database was last written with; 0 for an empty one.
    package var schemaVersion: Int64 {
        get throws { try first("PRAGMA user_version") { $0.integer(0) } ?? 0 }
    }
}
