import Database
package import FoundationEssentials
import Platform
import Records
import Tables
import Text

/// A row of the project's database whose object lost its receipt.
package struct FormerRow: Hashable, Sendable {
    /// The object's key.
    package let key: String
    /// When the object was last verified: the row states this moment or an earlier one.
    package let verifiedAt: Date
    /// Whether the key has a receipt again, so that the row stays, or is replaced.
    package let isStored: Bool
}

// What rows must be written or removed follows from the receipts and from a mark, except for what these facts say.
extension Library {
    private static let writesRows = "metadata.rows "
    private static let formerRow = "metadata.gone "
    static let lateRow = "metadata.late "

    /// Notes, in the commit that changes a receipt, that its row is to go, or that the mark is past it already.
    ///
    /// Receipts are dated by a clock that may be set back, and several stages date them before they write them down.
    static func noteRows(in database: Connection) throws {
        func isWritten(_ row: String) -> String {
            "\(row).role = 'original' AND EXISTS (SELECT 1 FROM facts WHERE name = '\(writesRows)' || \(row).destination)"
        }
        func note(_ fact: String, _ row: String) -> String {
            """
            BEGIN
                INSERT OR REPLACE INTO facts (name, value)
                    VALUES ('\(fact)' || \(row).destination || ' ' || \(row).key, \(row).verified);
            END
            """
        }
        let isLate = """
            NEW.verified <= (SELECT max(CASE WHEN json_valid(value) THEN json_extract(value, '$.verified') END) FROM facts
                WHERE name >= '\(mark)' AND name < '\(mark.dropLast())!'
                    AND substr(name, -length(NEW.destination)) = NEW.destination)
            """
        try database.execute(
            """
            CREATE TEMP TRIGGER row_deleted AFTER DELETE ON main.receipts WHEN \(isWritten("OLD"))
                \(note(formerRow, "OLD"));
            CREATE TEMP TRIGGER row_moved AFTER UPDATE OF key ON main.receipts
                WHEN OLD.key != NEW.key AND \(isWritten("OLD")) \(note(formerRow, "OLD"));
            CREATE TEMP TRIGGER row_inserted AFTER INSERT ON main.receipts WHEN \(isLate) \(note(lateRow, "NEW"));
            CREATE TEMP TRIGGER row_updated AFTER UPDATE OF verified ON main.receipts WHEN \(isLate)
                \(note(lateRow, "NEW"));
            """)
    }

    /// Remembers durably that rows are written for objects of `destination`, so that those of lost receipts are noted.
    package func beginRows(of destination: String) throws {
        let name = Self.writesRows + destination
        if try fact(name) == nil { try setFact(name, to: "") }
    }

    /// The first objects that lost their receipts since their rows were written, by their keys: as many as a URL may
    /// name, which many servers refuse above 8 KiB.
    package func formerRows(of destination: String) throws -> [FormerRow] {
        let prefix = Self.formerRow + destination + " "
        let rows = try database.rows(
            """
            SELECT substr(f.name, length(?1) + 1), CAST(f.value AS INTEGER), EXISTS (SELECT 1 FROM receipts r
                WHERE r.destination = ?3 AND r.key = substr(f.name, length(?1) + 1) AND r.role = 'original')
            FROM facts f WHERE f.name >= ?1 AND f.name < ?2 ORDER BY f.name LIMIT 50
            """, .text(prefix), .text(prefix + "\u{10FFFF}"), .text(destination)
        ) {
            FormerRow(key: $0.text(0), verifiedAt: FileTime(nanoseconds: $0.integer(1)).date, isStored: $0.flag(2))
        }
        var room = 2_000
        let fitting = rows.prefix { row in
            room -= row.key.utf8.count
            return room >= 0
        }
        return Array(rows.prefix(max(1, fitting.count)))
    }

    /// Forgets durably that these rows are to go.
    package func settle(_ rows: [FormerRow], of destination: String) throws {
        for row in rows {
            try writeFact(Self.formerRow + destination + " " + row.key, to: nil)
        }
        try commit()
    }
}
