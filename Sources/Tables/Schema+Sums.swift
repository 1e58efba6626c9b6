import Queue

/// The sums of a status: triggers update them in the same transaction as the assets, so that reading is cheap.
extension Schema {
    /// Whether the tables that version 10 added exist.
    static let sumsQuery = "SELECT 1 FROM sqlite_schema WHERE name = 'asset_sums'"

    /// Seconds.
    package static let (minute, hour): (Int64, Int64) = (60, 3_600)

    /// Makes the sums of all present rows.
    static let sums = """
        CREATE TABLE asset_sums (
            state INTEGER NOT NULL, root INTEGER NOT NULL, kind INTEGER NOT NULL, cause TEXT NOT NULL,
            count INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (state, root, kind, cause)) WITHOUT ROWID;
        CREATE TABLE receipt_sums (
            hour INTEGER NOT NULL, destination TEXT NOT NULL, proof TEXT NOT NULL, count INTEGER NOT NULL,
            bytes INTEGER NOT NULL, PRIMARY KEY (hour, destination, proof)) WITHOUT ROWID;
        CREATE TABLE waiting_sums (minute INTEGER PRIMARY KEY, count INTEGER NOT NULL);
        INSERT INTO asset_sums \(assets(kind: kind("assets"))) WHERE true \(adding);
        INSERT INTO receipt_sums \(receipts) WHERE true \(adding);
        INSERT INTO waiting_sums \(countedWaiting);
        CREATE INDEX assets_failed ON assets (\(code(""))) WHERE state IN \(assets: .failures);
        DELETE FROM facts WHERE name IN ('counts', 'sums');
        """

    /// The triggers that keep the sums; they replace those of earlier versions, which did not know what rules leave out.
    static let sumTriggers = """
        DROP TRIGGER IF EXISTS sums_insert; DROP TRIGGER IF EXISTS sums_delete;
        DROP TRIGGER IF EXISTS sums_update; DROP TRIGGER IF EXISTS sums_wait;
        DROP TRIGGER IF EXISTS receipts_insert; DROP TRIGGER IF EXISTS receipts_move;
        DROP TRIGGER IF EXISTS receipts_delete; DROP TRIGGER IF EXISTS receipts_update;
        CREATE TRIGGER sums_insert AFTER INSERT ON assets BEGIN \(count("NEW", 1)) \(countWaiting("NEW", 1)) END;
        CREATE TRIGGER sums_delete AFTER DELETE ON assets
            BEGIN \(count("OLD", -1)) \(countWaiting("OLD", -1)) END;
        CREATE TRIGGER sums_update AFTER UPDATE OF state, size, kind, sha256, taken, code, message, ruled ON assets
            WHEN OLD.size != NEW.size OR (\(group("OLD"))) IS NOT (\(group("NEW")))
            BEGIN \(count("OLD", -1)) \(count("NEW", 1)) END;
        CREATE TRIGGER sums_wait AFTER UPDATE OF state, found ON assets
            WHEN (\(waits("OLD"))) != (\(waits("NEW"))) OR \(minute("OLD")) != \(minute("NEW"))
            BEGIN \(countWaiting("OLD", -1)) \(countWaiting("NEW", 1))
                DELETE FROM waiting_sums WHERE minute = \(minute("OLD")) AND count = 0; END;
        CREATE TRIGGER receipts_insert BEFORE INSERT ON receipts
            BEGIN \(discountReplaced) \(countReceipt("NEW", 1)) END;
        CREATE TRIGGER receipts_move BEFORE UPDATE OF key ON receipts WHEN OLD.key != NEW.key
            BEGIN \(discountReplaced) END;
        CREATE TRIGGER receipts_delete AFTER DELETE ON receipts BEGIN \(countReceipt("OLD", -1)) END;
        CREATE TRIGGER receipts_update AFTER UPDATE OF verified, destination, proof, size ON receipts
            BEGIN \(countReceipt("OLD", -1)) \(countReceipt("NEW", 1)) END;
        """

    /// Lets a read-only connection read a library that no version from 10 on has opened for writing.
    ///
    /// - Parameter hasFaces: Whether each asset has its kind beside it, as since version 6.
    static func countedSums(hasFaces: Bool) -> String {
        """
        CREATE TEMP VIEW asset_sums AS SELECT state, root, kind, cause, sum(count) AS count, sum(bytes) AS bytes
            FROM (\(assets(kind: hasFaces ? kind("assets") : "\(unreadKind)", knowsRuled: false))) GROUP BY 1, 2, 3, 4;
        CREATE TEMP VIEW receipt_sums AS SELECT hour, destination, proof, sum(count) AS count, sum(bytes) AS bytes
            FROM (\(receipts)) GROUP BY 1, 2, 3;
        CREATE TEMP VIEW waiting_sums AS \(countedWaiting);
        """
    }

    /// Stand for files whose kind is not known yet, and for sidecars, which the timeline does not show.
    package static let (unreadKind, sidecarKind): (Int64, Int64) = (-1, -2)

    /// The code of a failure, as in the index `assets_failed`; a query that repeats it word for word uses the index.
    package static func code(_ row: String) -> String { "coalesce(\(row)code, 'unknown')" }

    /// The cause of assets whose objects stay because a rule, and not their user, took their files away from the walks.
    package static let ruledCause = "left out"

    /// Why an asset failed or is ignored, or that it only seems to be gone; empty in other states.
    ///
    /// - Parameter knowsRuled: Whether the table has the column that version 14 added.
    private static func cause(_ row: String, knowsRuled: Bool = true) -> String {
        let ruled = "WHEN \(row).state = \(asset: .remoteOnly) AND \(row).ruled THEN '\(ruledCause)'"
        return """
            CASE \(knowsRuled ? ruled : "") WHEN \(row).state IN \(assets: .failures) THEN \(code("\(row)."))
                WHEN \(row).state = \(asset: .ignored) THEN coalesce(\(row).message, '') ELSE '' END
            """
    }

    private static func kind(_ row: String) -> String {
        """
        CASE WHEN \(row).sha256 IS NULL THEN \(unreadKind) WHEN \(row).taken IS NULL THEN \(sidecarKind)
            ELSE \(row).kind END
        """
    }

    /// A file that is being read counts as seen, which saves two of the seven changes on the way of a file.
    private static func state(_ row: String) -> String {
        "iif(\(row).state = \(asset: .identifying), \(asset: .seen), \(row).state)"
    }

    private static func group(_ row: String) -> String { "\(state(row)), \(kind(row)), \(cause(row))" }

    private static func root(of row: String) -> String {
        "coalesce((SELECT root FROM directories WHERE id = \(row).directory), 0)"
    }

    /// One row with a count of 1 for each asset; grouping them all at once would make SQLite sort a million rows.
    private static func assets(kind: String, knowsRuled: Bool = true) -> String {
        """
        SELECT \(state("assets")) AS state, \(root(of: "assets")) AS root, \(kind) AS kind,
            \(cause("assets", knowsRuled: knowsRuled)) AS cause, 1 AS count, size AS bytes FROM assets
        """
    }

    private static let receipts = """
        SELECT verified / \(hour * 1_000_000_000) AS hour, destination, proof, 1 AS count, size AS bytes FROM receipts
        """

    private static let adding =
        "ON CONFLICT DO UPDATE SET count = count + excluded.count, bytes = bytes + excluded.bytes"

    private static let countedWaiting =
        "SELECT \(minute("assets")) AS minute, count(*) AS count FROM assets WHERE \(waits("assets")) GROUP BY 1"

    private static func waits(_ row: String) -> String { "\(row).state IN \(assets: .waiting)" }

    /// The minute in which the file was found: an index by the exact time would cost a scan 3 µs more for each file.
    private static func minute(_ row: String) -> String { "\(row).found / \(minute * 1_000_000_000)" }

    private static func countWaiting(_ row: String, _ change: Int) -> String {
        """
        INSERT INTO waiting_sums SELECT \(minute(row)), \(change) WHERE \(waits(row))
            ON CONFLICT DO UPDATE SET count = count + excluded.count;
        """
    }

    private static func count(_ row: String, _ change: Int) -> String {
        """
        INSERT INTO asset_sums
            VALUES (\(state(row)), \(root(of: row)), \(kind(row)), \(cause(row)), \(change), \(change) * \(row).size)
            \(adding);
        """
    }

    private static func countReceipt(_ row: String, _ change: Int) -> String {
        """
        INSERT INTO receipt_sums VALUES (\(row).verified / \(hour * 1_000_000_000), \(row).destination, \(row).proof,
            \(change), \(change) * \(row).size)
            \(adding);
        """
    }

    /// SQLite calls no delete trigger for a row that `INSERT OR REPLACE` or `UPDATE OR REPLACE` removes.
    private static let discountReplaced = """
        INSERT INTO receipt_sums SELECT r.verified / \(hour * 1_000_000_000), r.destination, r.proof, -1, -r.size
            FROM receipts r WHERE r.destination = NEW.destination AND r.key = NEW.key
            \(adding);
        """
}
