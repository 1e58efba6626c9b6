import Cleansing
import Database
package import FoundationEssentials
package import Platform
package import Queue
package import Records
import Tables
import Text

extension Library {
    /// Everything that was written down about one file.
    package struct FileRecord: Hashable, Sendable {
        /// The asset in its present state.
        package let asset: Asset
        /// When a scan found it, or last found it changed.
        package let found: Date
        /// What is odd about it.
        package let note: String?
        /// What kind of failure was met last; `nil` where none was.
        package let code: FailureCode?
        /// The sentence that came with it; `nil` where `code` is.
        package let message: String?
        /// What became of its thumbnails.
        package let pictures: Asset.Pictures
        /// The receipts earned by it: its original's first, in each role that of its present bytes.
        ///
        /// Further ones of a role are of older bytes, newest first.
        package let receipts: [Receipt]
        /// What belongs to it, and what it belongs to.
        package let companions: [Companion]
        /// What a verification found wrong, by the key of the object.
        package var findings: [ObjectKey: Discrepancy.Kind] = [:]
    }

    /// What is known of the file at `path` below the root called `root`, or `nil` when it was never seen.
    package func fileRecord(root: String, path: FilePath) throws -> FileRecord? {
        guard let place = try place(root: root, path: path), let asset = try asset(at: place) else { return nil }
        let destination = try fact(Self.destinationFact)
        let receipts = try receipts(of: place).filter { destination == nil || $0.destination == destination }
        let companions = try Self.companions(of: place, in: database)
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
