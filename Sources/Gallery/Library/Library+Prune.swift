import Database
import Platform

extension Library {
    /// Receipts whose files are gone, in key order from `key` on, at most `count`.
    func remoteOnly(destination: String, after key: String, count: Int) throws -> [Twin] {
        let columns = Self.receiptColumns.split(separator: ", ").map { "r.\($0)" }.joined(separator: ", ")
        let rows = try database.rows(
            """
            SELECT \(columns), r.directory, r.name FROM receipts r
            LEFT JOIN assets a ON a.directory = r.directory AND a.name = r.name
            WHERE r.destination = ? AND r.key > ? AND (a.state IS NULL OR a.state IN (7, 8))
            ORDER BY r.key LIMIT \(count)
            """, .text(destination), .text(key)
        ) { (receipt: Self.receipt($0), place: Asset.Place(at: Self.receiptWidth, of: $0)) }
        return try rows.map { row in
            let location = try location(of: row.place)
            return Twin(
                receipt: row.receipt, root: location?.root ?? "",
                path: location?.path ?? FilePath(bytes: row.place.name))
        }
    }

    /// Receipts of pictures whose originals went to other keys, where equal pictures are stored since.
    ///
    /// None before anything moved; the look is made once after something did.
    func outdatedPictures(destination: String) throws -> [Twin] {
        guard hasMoved else { return [] }
        hasMoved = false
        var found: [Twin] = []
        var last = ""
        while true {
            let page = try remoteOnly(destination: destination, after: last, count: 500)
            guard let end = page.last else { return found }
            for twin in page where twin.receipt.role != .original {
                guard try isOutdated(twin.receipt) else { continue }
                found.append(twin)
            }
            last = end.receipt.key.text
        }
    }

    private func isOutdated(_ picture: Receipt) throws -> Bool {
        try database.first(
            """
            SELECT 1 FROM receipts p WHERE destination = ?1 AND key = ?2
                AND NOT EXISTS (SELECT 1 FROM receipts o
                    WHERE o.directory = p.directory AND o.name = p.name AND o.role = 'original')
                AND EXISTS (SELECT 1 FROM receipts n
                    JOIN assets a ON a.directory = n.directory AND a.name = n.name AND a.state NOT IN (7, 8)
                    WHERE n.sha256 = p.sha256 AND n.role = p.role AND n.destination = p.destination)
            """, .text(picture.destination), .text(picture.key.text)
        ) { _ in true } ?? false
    }

    /// Forgets receipts whose objects were deleted, and the assets that have none left; durable when this returns.
    func forgetPruned(_ receipts: [Receipt]) throws {
        for receipt in receipts {
            guard let place = try place(ofReceipt: receipt.key, destination: receipt.destination) else { continue }
            try write(
                "DELETE FROM receipts WHERE destination = ? AND key = ? AND item = ?", .text(receipt.destination),
                .text(receipt.key.text), .text(receipt.item.text))
            try write(
                """
                DELETE FROM assets WHERE directory = ?1 AND name = ?2 AND state IN (7, 8) AND NOT EXISTS (
                    SELECT 1 FROM receipts r WHERE r.directory = ?1 AND r.name = ?2)
                """, .integer(place.directory), .blob(place.name))
        }
        try commit()
    }
}
