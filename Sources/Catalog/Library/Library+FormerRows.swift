import Database
package import FoundationEssentials
import Platform
import Queue
import Records
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
    private static let writesRows = "metadata.rows "
    private static let formerRow = "metadata.gone "

    /// Remembers durably that rows are written for objects of `destination`, so that those of lost receipts are noted.
    package func beginRows(of destination: String) throws {
        let name = Self.writesRows + destination
        if try fact(name) == nil { try setFact(name, to: "") }
    }

    /// Notes with the next commit that a receipt is about to be deleted or to get another key, if rows are written for
    /// its destination.
    func noteFormerRow(_ receipt: Receipt) throws {
        guard receipt.role == .original else { return }
        try write(
            """
            INSERT OR REPLACE INTO facts (name, value) SELECT '\(Self.formerRow)' || ?1 || ' ' || ?2, verified FROM receipts
            WHERE destination = ?1 AND key = ?2 AND item = ?3
                AND EXISTS (SELECT 1 FROM facts WHERE name = '\(Self.writesRows)' || ?1)
            """, .text(receipt.destination), .text(receipt.key.text), .text(receipt.item.text))
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
            try write("DELETE FROM facts WHERE name = ?", .text(Self.formerRow + destination + " " + row.key))
        }
        try commit()
    }
}
