package import Catalog
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

extension Library {
    /// Remembers durably that rows are written for objects of `destination`, so that those of lost receipts are noted.
    package func beginRows(of destination: String) throws {
        let name = RowFact.written + destination
        if try fact(name) == nil { try setFact(name, to: "") }
    }

    /// The first objects that lost their receipts since their rows were written, by their keys: as many as a URL may
    /// name, which many servers refuse above 8 KiB.
    package func formerRows(of destination: String) throws -> [FormerRow] {
        let prefix = RowFact.former + destination + " "
        let rows = try queries.rows(
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
        try setFacts(rows.map { (RowFact.former + destination + " " + $0.key, nil) })
    }
}
