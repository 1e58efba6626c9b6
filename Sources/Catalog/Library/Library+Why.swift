import Cleansing
import Database
import FoundationEssentials
package import Platform
import Queue
package import Records
import Tables
import Text

extension Library {
    /// What is known of the file at `path` below the root called `root`, or `nil` when it was never seen.
    package func fileRecord(root: String, path: FilePath) throws -> FileRecord? {
        guard let place = try place(root: root, path: path), let asset = try asset(at: place) else { return nil }
        let destination = try fact(Self.destinationFact)
        let receipts = try receipts(of: place).filter { destination == nil || $0.destination == destination }
        let companions = try database.companions(of: place)
        var findings: [ObjectKey: Discrepancy.Kind] = [:]
        for receipt in receipts { findings[receipt.key] = try finding(of: receipt) }
        return try database.first(
            "SELECT found, note, code, message, thumbnails FROM assets WHERE directory = ? AND name = ?",
            .integer(place.directory), .blob(place.name)
        ) { row in
            FileRecord(
                asset: asset, found: FileTime(nanoseconds: row.integer(0)).date,
                note: row.textOrNil(1).map(Self.cleansed),
                code: row.textOrNil(2).map(FailureCode.init), message: row.textOrNil(3).map(Self.cleansed),
                pictures: Asset.Pictures(rawValue: row.integer(4)) ?? .unwanted, receipts: receipts,
                companions: companions, findings: findings)
        }
    }

    /// Stored words made harmless, since earlier versions stored them as they came.
    package static func cleansed(_ words: String) -> String { Cleanser().text(words) }

    /// The receipts earned by one file, in the order of `FileRecord.receipts`.
    ///
    /// A file that goes beside its older self, or beside an object of another client, has one for each of its contents;
    /// `verify` renews the times of all of them.
    func receipts(of place: Asset.Place) throws -> [Receipt] {
        try database.rows(
            """
            SELECT \(Self.receiptColumns) FROM receipts WHERE directory = ?1 AND name = ?2
            ORDER BY role = 'original' DESC, role,
                sha256 IS (SELECT a.sha256 FROM assets a WHERE a.directory = ?1 AND a.name = ?2) DESC,
                CASE role WHEN 'original' THEN verified END DESC, item DESC
            """, .integer(place.directory), .blob(place.name), read: Self.receipt)
    }
}
