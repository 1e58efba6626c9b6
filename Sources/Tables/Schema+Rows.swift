package import Database

/// How the names of the facts about rows of the project's database begin.
package enum RowFact {
    /// The last receipt whose row was written; the table and the destination follow.
    package static let mark = "metadata.mark "
    /// Rows are written for objects of the destination that follows.
    package static let written = "metadata.rows "
    /// A row is to go; the destination and the key follow.
    package static let former = "metadata.gone "
    /// A row is missing that the mark has passed; the destination and the key follow.
    package static let late = "metadata.late "
}

// What rows must be written or removed follows from the receipts and from a mark, except for what these facts say.
extension Schema {
    /// Notes, in the commit that changes a receipt, that its row is to go, or that the mark is past it already.
    ///
    /// Receipts are dated by a clock that may be set back, and several stages date them before they write them down.
    package static func noteRows(in database: Connection) throws {
        func isWritten(_ row: String) -> String {
            "\(row).role = 'original' AND EXISTS (SELECT 1 FROM facts WHERE name = '\(RowFact.written)' || \(row).destination)"
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
                WHERE name >= '\(RowFact.mark)' AND name < '\(RowFact.mark.dropLast())!'
                    AND substr(name, -length(NEW.destination)) = NEW.destination)
            """
        try database.execute(
            """
            CREATE TEMP TRIGGER row_deleted AFTER DELETE ON main.receipts WHEN \(isWritten("OLD"))
                \(note(RowFact.former, "OLD"));
            CREATE TEMP TRIGGER row_moved AFTER UPDATE OF key ON main.receipts
                WHEN OLD.key != NEW.key AND \(isWritten("OLD")) \(note(RowFact.former, "OLD"));
            CREATE TEMP TRIGGER row_inserted AFTER INSERT ON main.receipts WHEN \(isLate) \(note(RowFact.late, "NEW"));
            CREATE TEMP TRIGGER row_updated AFTER UPDATE OF verified ON main.receipts WHEN \(isLate)
                \(note(RowFact.late, "NEW"));
            """)
    }
}
