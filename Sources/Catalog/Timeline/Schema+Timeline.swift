import Queue

/// The timeline's part of the schema: an index in its order, and counts by month that triggers keep.
extension Schema {
    /// A number that grows whenever the timeline's order changes, and one for the standings of its assets.
    enum TimelineChange: String {
        case order, standing
    }

    /// Whether `assets` has the columns that version 6 added.
    static let facesQuery = "SELECT 1 FROM pragma_table_xinfo('assets') WHERE name = 'taken'"

    /// The columns of `assets` by which the timeline is found; `taken` is NULL where it shows nothing.
    ///
    /// `standing` is computed, so that whoever changes a state need not know of it.
    static let faceColumns = """
        ALTER TABLE assets ADD COLUMN taken INTEGER;
        ALTER TABLE assets ADD COLUMN dated INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE assets ADD COLUMN ratio INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE assets ADD COLUMN kind INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE assets ADD COLUMN standing INTEGER AS (CASE state \(standings) END) VIRTUAL;
        """

    private static let standings = Asset.State.allCases.compactMap { state in
        Standing(state).map { "WHEN \(state.rawValue) THEN \($0.rawValue)" }
    }.joined(separator: " ")

    /// Which rows of `assets` the timeline shows; queries repeat it word for word, so that the index serves them.
    static let isShown = "taken IS NOT NULL AND standing IS NOT NULL"

    /// The index and the counts of the assets that are there; made once the columns are filled.
    static let timeline = """
        CREATE INDEX IF NOT EXISTS assets_timeline ON assets (taken DESC, directory, name, standing, kind, ratio)
            WHERE \(isShown);
        CREATE TABLE IF NOT EXISTS timeline_changes (what TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
        INSERT OR IGNORE INTO timeline_changes VALUES ('order', 0), ('standing', 0);
        CREATE TABLE timeline (
            month TEXT NOT NULL, standing INTEGER NOT NULL, root INTEGER NOT NULL, kind INTEGER NOT NULL,
            count INTEGER NOT NULL, PRIMARY KEY (month, standing, root, kind)) WITHOUT ROWID;
        INSERT INTO timeline SELECT \(month("a")), standing, root, kind, count(*) FROM assets a
            JOIN directories d ON d.id = a.directory WHERE \(isShown) GROUP BY 1, 2, 3, 4;
        CREATE TRIGGER timeline_insert AFTER INSERT ON assets WHEN \(isShown("NEW"))
            BEGIN \(count("NEW", 1)) \(bump(.order)) END;
        CREATE TRIGGER timeline_delete AFTER DELETE ON assets WHEN \(isShown("OLD"))
            BEGIN \(count("OLD", -1)) \(bump(.order)) END;
        CREATE TRIGGER timeline_leave AFTER UPDATE OF state, taken, kind ON assets
            WHEN \(isShown("OLD")) AND (\(hasMoved)) BEGIN \(count("OLD", -1)) END;
        CREATE TRIGGER timeline_enter AFTER UPDATE OF state, taken, kind ON assets
            WHEN \(isShown("NEW")) AND (\(hasMoved)) BEGIN \(count("NEW", 1)) END;
        CREATE TRIGGER timeline_order AFTER UPDATE OF state, taken, kind ON assets
            WHEN (\(isShown("OLD"))) != (\(isShown("NEW"))) OR \(isShown("NEW")) AND (OLD.taken IS NOT NEW.taken
                OR OLD.kind != NEW.kind) BEGIN \(bump(.order)) END;
        CREATE TRIGGER timeline_standing AFTER UPDATE OF state ON assets
            WHEN OLD.standing IS NOT NEW.standing BEGIN \(bump(.standing)) END;
        """

    private static func isShown(_ row: String) -> String { "\(row).taken IS NOT NULL AND \(row).standing IS NOT NULL" }

    private static let hasMoved =
        "OLD.standing IS NOT NEW.standing OR OLD.taken IS NOT NEW.taken OR OLD.kind != NEW.kind"

    /// As `2024-06`.
    private static func month(_ row: String) -> String { "strftime('%Y-%m', \(row).taken, 'unixepoch')" }

    private static func count(_ row: String, _ change: Int) -> String {
        """
        INSERT INTO timeline VALUES (\(month(row)), \(row).standing,
            coalesce((SELECT root FROM directories WHERE id = \(row).directory), 0), \(row).kind, \(change))
            ON CONFLICT DO UPDATE SET count = count + \(change);
        """
    }

    private static func bump(_ what: TimelineChange) -> String {
        "UPDATE timeline_changes SET number = number + 1 WHERE what = '\(what.rawValue)';"
    }
}
