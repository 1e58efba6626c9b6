import Catalog
import Database
import FoundationEssentials
import MediaModel
import Platform
import Queue
import Records
import Tables
import Text

/// What one hour stored.
struct HourlySum: Hashable, Sendable {
    /// When the hour began.
    let start: Date
    /// Bytes of originals and thumbnails.
    let bytes: Int64
    /// Originals and thumbnails.
    let objects: Int

    /// The seconds of the past for which each hour is reported.
    fileprivate static let month = 30 * 86_400.0
}

extension Library {
    /// What each hour of the month before `now` stored, oldest first; hours without anything are left out.
    func storedByHour(at now: Date) throws -> [HourlySum] {
        let first = now - HourlySum.month
        return try queries.rows(
            """
            SELECT hour, sum(bytes), sum(count) AS objects FROM receipt_sums WHERE hour >= ? GROUP BY hour
            HAVING objects > 0 ORDER BY hour
            """, .integer(Int64((first.timeIntervalSince1970 / Double(Schema.hour)).rounded(.up)))
        ) {
            HourlySum(
                start: Date(timeIntervalSince1970: Double($0.integer(0) * Schema.hour)), bytes: $0.integer(1),
                objects: Int($0.integer(2)))
        }
    }

    /// One of the newest receipts of originals.
    struct Recent: Hashable, Sendable {
        /// The name of the root its file lies below.
        let root: String
        /// The path below that root.
        let path: FilePath
        /// Of the content, 64 lowercase hex digits.
        let sha256: String
        /// Bytes.
        let size: Int64
        /// When the server was last asked about the object.
        let at: Date
        /// The content's type; empty where it is not known.
        let type: MediaType
        /// Seconds of a video.
        let duration: Double?
    }

    /// The newest receipts of originals, newest first.
    func recent(limit: Int) throws -> [Recent] {
        let rows = try queries.rows(
            """
            SELECT r.directory, r.name, r.sha256, r.size, r.verified, c.type, json_extract(c.facts, '$.duration')
            FROM receipts r LEFT JOIN contents c ON c.sha256 = r.sha256 WHERE r.role = 'original'
            ORDER BY r.verified DESC LIMIT \(limit)
            """
        ) { row in
            (
                place: Asset.Place(directory: row.integer(0), name: row.blob(1)), sha256: row.blob(2).hexadecimal,
                size: row.integer(3), at: FileTime(nanoseconds: row.integer(4)).date,
                type: row.text(5), duration: row.realOrNil(6)
            )
        }
        return try rows.compactMap { row in
            try location(of: row.place).map {
                Recent(
                    root: $0.root, path: $0.path, sha256: row.sha256, size: row.size, at: row.at,
                    type: MediaType(kept: row.type, size: row.size, fileExtension: $0.path.fileExtension),
                    duration: row.duration)
            }
        }
    }
}
