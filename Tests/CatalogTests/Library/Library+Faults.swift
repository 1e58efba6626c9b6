import Database
import Queue
import Records

@testable import Catalog
@testable import Tables

extension Library {
    /// Takes back what was not committed, as SQLite does where a write fails.
    func takeBack() throws {
        if database.isInTransaction { try database.execute("ROLLBACK") }
    }

    /// Makes it possible for writes to fail as on a disk that does: the whole transaction is taken back.
    func prepareFaults() throws {
        try commit()
        try database.execute("CREATE TEMP TABLE fault (left INTEGER); INSERT INTO temp.fault VALUES (-1)")
        for table in [
            "assets", "receipts", "attempts", "marks", "blocked", "contents", "directories", "changes", "facts",
            "deletions", "moves", "disks", "roots", "discrepancies",
        ] {
            for kind in ["INSERT", "UPDATE", "DELETE"] {
                try database.execute(
                    """
                    CREATE TEMP TRIGGER fault_\(table)_\(kind) BEFORE \(kind) ON main.\(table)
                        WHEN (SELECT left FROM temp.fault) > 0
                        BEGIN UPDATE fault SET left = left - 1;
                            SELECT RAISE(ROLLBACK, 'the disk fails') WHERE (SELECT left FROM fault) = 0; END
                    """)
            }
        }
    }

    /// Has the write with that number fail, counted from now on; none where it is negative.
    func failWrite(_ number: Int) throws {
        try database.run("UPDATE temp.fault SET left = ?", .integer(Int64(number)))
    }

    /// What does not agree; empty where all is well.
    func complaints() throws -> [String] {
        try sums() + timeline() + pairs() + states() + leftovers() + remembered()
    }

    private func difference(_ what: String, _ kept: String, _ counted: String) throws -> [String] {
        try [(kept, counted), (counted, kept)].flatMap { these, those in
            try database.rows("SELECT * FROM (\(these)) EXCEPT SELECT * FROM (\(those))") { row in
                "\(what): \(row.text(0)) \(row.text(1)) \(row.text(2))"
            }
        }
    }

    private func sums() throws -> [String] {
        if try !database.exists("SELECT 1 FROM temp.sqlite_schema WHERE name = 'counted_asset_sums'") {
            let views = Schema.countedSums(hasFaces: true).replacing("TEMP VIEW ", with: "TEMP VIEW counted_")
            try database.execute(views)
        }
        return try ["asset_sums", "receipt_sums", "waiting_sums"].flatMap { table in
            try difference(table, "SELECT * FROM \(table) WHERE count != 0", "SELECT * FROM counted_\(table)")
        }
    }

    private func timeline() throws -> [String] {
        let counted = """
            SELECT \(Schema.day("a")), standing, root, kind, count(*) FROM assets a
            JOIN directories d ON d.id = a.directory WHERE \(Schema.isShown) GROUP BY 1, 2, 3, 4
            """
        let standings = try database.rows(
            "SELECT name, state, standing FROM assets WHERE standing IS NOT \(Schema.shownStanding)"
        ) { "standing of \($0.text(0)): \($0.text(1)) is \($0.text(2))" }
        return standings + (try difference("timeline", "SELECT * FROM timeline WHERE count != 0", counted))
    }

    private func pairs() throws -> [String] {
        try database.rows(
            """
            SELECT name, pair FROM assets a WHERE pair IS NOT NULL AND NOT EXISTS (SELECT 1 FROM assets p
                WHERE p.directory = a.directory AND p.name = a.pair AND p.pair = a.name)
            """
        ) { "\($0.text(0)) is paired with \($0.text(1)), which is not" }
    }

    /// What is stored, or only at the server, has its receipt; and what is gone has none.
    private func states() throws -> [String] {
        let receipt =
            "SELECT 1 FROM receipts r WHERE r.directory = a.directory AND r.name = a.name AND r.role = 'original'"
        return try database.rows(
            """
            SELECT name, state FROM assets a WHERE state IN \(assets: [.stored, .remoteOnly]) AND NOT EXISTS (\(receipt))
            """
        ) { "\($0.text(0)) in state \($0.text(1)) has no receipt" }
    }

    private func leftovers() throws -> [String] {
        try ["here", "there"].compactMap { destination in
            let counted = try database.first(
                """
                SELECT coalesce(sum(max(0, size - covered)), 0) FROM (
                    SELECT max(a.size) AS size, coalesce(max(r.size), 0) AS covered FROM attempts a
                    LEFT JOIN receipts r ON r.destination = a.destination AND r.key = a.key
                    WHERE a.destination = ?1 AND CASE a.state WHEN \(attempt: .there) THEN r.key IS NULL
                        WHEN \(attempt: .unknown) THEN r.key IS NULL OR a.noted > r.verified - 600000000000 ELSE 0 END
                    GROUP BY a.key)
                """, .text(destination)
            ) { $0.integer(0) }
            let said = try occupancy(destination: destination).leftovers.total
            return said == counted ? nil : "leftovers \(destination): \(said) instead of \(counted ?? 0)"
        }
    }

    /// The bytes that are kept in memory are those of the receipts.
    private func remembered() throws -> [String] {
        try memory.occupancies.compactMap { destination, said in
            let counted = try database.first(
                "SELECT coalesce(sum(size), 0) FROM receipts WHERE destination = ?", .text(destination)
            ) { $0.integer(0) }
            let left = try leftovers(destination: destination)
            guard said.stored ?? counted == counted, said.leftovers ?? left == left else {
                return "taken at \(destination): \(said) instead of \(counted ?? 0) and \(left)"
            }
            return nil
        }
    }
}
