import Queue
import Records

/// The timeline's part of the schema: an index in its order, and counts by day that triggers keep.
extension Schema {
    /// A number that grows whenever the timeline's order changes, and one for the standings of its assets.
    enum TimelineChange: String {
        case order, standing
    }

    /// Whether `assets` has the columns that version 6 added.
    static let facesQuery = "SELECT 1 FROM pragma_table_info('assets') WHERE name = 'taken'"

    /// The columns of `assets` that order and filter the timeline; `taken` is NULL for assets that it does not show.
    ///
    /// Triggers keep `standing` in step with `state`, so code that changes a state need not know about it. A generated
    /// column would be read from the row and not from the index: 14 µs an asset instead of a fraction of one.
    static let faceColumns = """
        ALTER TABLE assets ADD COLUMN taken INTEGER;
        ALTER TABLE assets ADD COLUMN dated INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE assets ADD COLUMN ratio INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE assets ADD COLUMN kind INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE assets ADD COLUMN standing INTEGER;
        """

    /// The standing of an asset in the state that `column` holds; NULL where the timeline does not show it.
    package static func standing(_ column: String) -> String {
        let cases = Asset.State.allCases.compactMap { state in
            Standing(state).map { "WHEN \(state.rawValue) THEN \($0.rawValue)" }
        }
        return "(CASE \(column) \(cases.joined(separator: " ")) END)"
    }

    /// The standing of the row of `assets` that is called `row`; what a rule leaves out only seems to be gone.
    static func standing(of row: String) -> String {
        """
        iif(\(row).state = \(asset: .remoteOnly) AND \(row).ruled, \(Standing.ignored.rawValue), \(standing("\(row).state")))
        """
    }

    /// Which rows of `assets` the timeline shows; queries repeat it word for word, so that the index serves them.
    package static let isShown = "taken IS NOT NULL AND standing IS NOT NULL"

    /// Whether `assets` has the column that version 7 added.
    static let cameraQuery = "SELECT 1 FROM pragma_table_info('assets') WHERE name = 'camera'"

    /// The names of cameras, and for each asset the row of its camera.
    static let cameras = """
        CREATE TABLE IF NOT EXISTS cameras (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        ALTER TABLE assets ADD COLUMN camera INTEGER;
        INSERT OR IGNORE INTO cameras (name) SELECT DISTINCT \(camera) FROM contents WHERE \(camera) IS NOT NULL;
        UPDATE assets SET camera = (SELECT i.id FROM contents c JOIN cameras i ON i.name = \(camera)
            WHERE c.sha256 = assets.sha256) WHERE sha256 IS NOT NULL;
        """

    /// A content's camera, as its facts have it.
    package static let camera = "json_extract(facts, '$.camera')"

    /// An index in the timeline's order with the columns of its filters, and one by content for duplicates.
    ///
    /// For a million assets they take 6 s to make, once. The second contains its condition's columns: no row is read.
    static let timelineIndexes = """
        DROP INDEX IF EXISTS assets_timeline;
        CREATE INDEX assets_timeline ON assets (taken DESC, directory, name, standing, kind, ratio, camera)
            WHERE \(isShown);
        CREATE INDEX IF NOT EXISTS assets_content ON assets (sha256, taken, standing)
            WHERE sha256 IS NOT NULL AND \(isShown);
        """

    /// The counts of the assets that exist when they are made, which is once the columns are filled.
    static let timeline = """
        CREATE TABLE IF NOT EXISTS timeline_changes (what TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
        INSERT OR IGNORE INTO timeline_changes VALUES ('order', 0), ('standing', 0);
        CREATE TABLE timeline (
            day TEXT NOT NULL, standing INTEGER NOT NULL, root INTEGER NOT NULL, kind INTEGER NOT NULL,
            count INTEGER NOT NULL, PRIMARY KEY (day, standing, root, kind)) WITHOUT ROWID;
        INSERT INTO timeline SELECT \(day("a")), standing, root, kind, count(*) FROM assets a
            JOIN directories d ON d.id = a.directory WHERE \(isShown) GROUP BY 1, 2, 3, 4;
        """

    /// The triggers that keep standings and counts; they replace those of earlier versions, which knew no pairs or
    /// not what rules leave out.
    static let timelineTriggers =
        """
        DROP TRIGGER IF EXISTS standing_insert; DROP TRIGGER IF EXISTS standing_update;
        DROP TRIGGER IF EXISTS timeline_delete; DROP TRIGGER IF EXISTS timeline_leave;
        DROP TRIGGER IF EXISTS timeline_enter; DROP TRIGGER IF EXISTS timeline_order;
        DROP TRIGGER IF EXISTS pair_update; DROP TRIGGER IF EXISTS pair_delete; DROP TRIGGER IF EXISTS ruled_end;
        CREATE TRIGGER standing_insert AFTER INSERT ON assets BEGIN \(updateStanding("NEW.name")) END;
        CREATE TRIGGER ruled_end AFTER UPDATE OF state ON assets WHEN NEW.ruled AND NEW.state != \(asset: .remoteOnly)
            BEGIN UPDATE assets SET ruled = 0 WHERE directory = NEW.directory AND name = NEW.name; END;
        CREATE TRIGGER standing_update AFTER UPDATE OF state, ruled ON assets
            WHEN NEW.pair IS NOT NULL OR NEW.standing IS NOT \(standing(of: "NEW"))
            BEGIN \(updateStanding("NEW.name", "NEW.pair")) \(bump(.standing)) END;
        CREATE TRIGGER pair_update AFTER UPDATE OF pair ON assets WHEN OLD.pair IS NOT NEW.pair
            BEGIN \(updateStanding("NEW.name", "NEW.pair", "OLD.pair")) \(bump(.standing)) END;
        CREATE TRIGGER pair_delete AFTER DELETE ON assets WHEN OLD.pair IS NOT NULL
            BEGIN UPDATE assets SET pair = NULL WHERE directory = OLD.directory AND name = OLD.pair; END;
        CREATE TRIGGER timeline_delete AFTER DELETE ON assets WHEN \(isShown("OLD"))
            BEGIN \(count("OLD", -1)) \(bump(.order)) END;
        CREATE TRIGGER timeline_leave AFTER UPDATE OF standing, taken, kind ON assets
            WHEN \(isShown("OLD")) AND (\(hasMoved)) BEGIN \(count("OLD", -1)) END;
        CREATE TRIGGER timeline_enter AFTER UPDATE OF standing, taken, kind ON assets
            WHEN \(isShown("NEW")) AND (\(hasMoved)) BEGIN \(count("NEW", 1)) END;
        CREATE TRIGGER timeline_order AFTER UPDATE OF standing, taken, kind ON assets
            WHEN (\(isShown("OLD"))) != (\(isShown("NEW"))) OR \(isShown("NEW")) AND (OLD.taken IS NOT NEW.taken
                OR OLD.kind != NEW.kind) BEGIN \(bump(.order)) END;
        """

    private static func isShown(_ row: String) -> String { "\(row).taken IS NOT NULL AND \(row).standing IS NOT NULL" }

    private static let hasMoved =
        "OLD.standing IS NOT NEW.standing OR OLD.taken IS NOT NEW.taken OR OLD.kind != NEW.kind"

    /// As `2024-06-30`, of the row that is called `row`.
    package static func day(_ row: String) -> String { "strftime('%Y-%m-%d', \(row).taken, 'unixepoch')" }

    private static func count(_ row: String, _ change: Int) -> String {
        """
        INSERT INTO timeline VALUES (\(day(row)), \(row).standing,
            coalesce((SELECT root FROM directories WHERE id = \(row).directory), 0), \(row).kind, \(change))
            ON CONFLICT DO UPDATE SET count = count + \(change);
        """
    }

    private static func updateStanding(_ names: String...) -> String {
        """
        UPDATE assets SET standing = \(shownStanding)
            WHERE directory = NEW.directory AND name IN (\(names.joined(separator: ", ")));
        """
    }

    private static func bump(_ what: TimelineChange) -> String {
        "UPDATE timeline_changes SET number = number + 1 WHERE what = '\(what.rawValue)';"
    }
}
