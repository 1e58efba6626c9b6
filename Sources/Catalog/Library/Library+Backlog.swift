import Database
package import FoundationEssentials
package import Platform
package import Queue
import Records
import Tables
import Text

/// Which assets a reader is given first.
package enum BacklogOrder: Sendable {
    /// As uploads go: named, new arrivals, backlog; small before large; newest first.
    case upload
    /// Large ones first, so that one of them is always under way.
    case largeFirst
}

extension Library {
    static let columns = "directory, name, size, mtime, state, sha256, rank, forced"

    /// Takes the next `count` assets that are `seen`; they are `identifying` until an outcome is written.
    ///
    /// Without `suspects` it leaves out assets that changed after they were stored: the brake may yet hold them.
    package func take(_ count: Int, _ order: BacklogOrder = .upload, suspects: Bool = true) throws -> [Asset] {
        let large = order == .largeFirst ? "AND rank IN (1, 3, 5)" : ""
        let rows = try database.rows(
            """
            SELECT \(Self.columns) FROM assets WHERE state = \(asset: .seen) \(large) \(try isPresent())
                \(suspects ? "" : "AND brake IS NOT \(brake: .suspect)")
            ORDER BY rank, mtime DESC LIMIT \(count)
            """, read: Self.record)
        for row in rows {
            try write(
                """
                UPDATE assets SET state = \(asset: .identifying) WHERE directory = ? AND name = ?
                """, .integer(row.place.directory),
                .blob(row.place.name))
        }
        return try rows.compactMap(asset)
    }

    /// Has assets read again that are not in hand, and whose outcome SQLite took back where the disk failed.
    ///
    /// Returns at once unless something was taken back since the last call. That may be the outcome of an asset which is
    /// still in hand, so the next call looks again while there is any.
    package func readAgainAfterRollback(besides inHand: Set<Asset.Place>) throws {
        let rollbacks = database.rollbacks
        guard rollbacks != settledRollbacks else { return }
        let places = try database.rows(
            "SELECT directory, name FROM assets WHERE state = \(asset: .identifying)"
        ) { Asset.Place(directory: $0.integer(0), name: $0.blob(1)) }
        for place in places where !inHand.contains(place) { try readAgain(place, if: .identifying) }
        if inHand.isDisjoint(with: places) { settledRollbacks = rollbacks }
    }

    /// Assets after `last` that still need thumbnails although their originals were read before.
    package func takeUnpictured(_ count: Int, after last: Asset.Place?) throws -> [Asset] {
        let rows = try database.rows(
            """
            SELECT \(Self.columns) FROM assets WHERE thumbnails IN \(pictures: .owed)
                AND state IN \(assets: [.queued, .stored, .indexed])
                AND (directory, name) > (?, ?) ORDER BY directory, name LIMIT \(count)
            """, .integer(last?.directory ?? -1), .blob(last?.name ?? []), read: Self.record)
        return try rows.compactMap(asset)
    }

    /// What is known of the file at `path` below `root`.
    package func asset(root: String, path: FilePath) throws -> Asset? {
        guard let place = try place(root: root, path: path) else { return nil }
        return try asset(at: place)
    }

    func asset(at place: Asset.Place) throws -> Asset? {
        try database.first(
            "SELECT \(Self.columns) FROM assets WHERE directory = ? AND name = ?", .integer(place.directory),
            .blob(place.name), read: Self.record
        ).flatMap(asset)
    }

    /// Whether no asset waits to be read, for the brake's decision, or to go back to the queue.
    package func isBacklogEmpty() throws -> Bool {
        guard try !isBrakeUndecided(), try !holdsFreed() else { return false }
        return try !database.exists(
            "SELECT 1 FROM assets WHERE state IN \(assets: .unread) \(try isPresent()) LIMIT 1")
    }

    /// How many assets that were found before `date` have not reached an outcome.
    ///
    /// What was found after `now` was found before the clock was set back, so it counts.
    package func unsettled(foundBefore date: Date, now: Date) throws -> Int {
        try database.first(
            """
            SELECT count(*) FROM assets WHERE (state IN \(assets: .underWay) OR state = \(asset: .held)
                AND brake IS NULL) AND (found <= ? OR found > ?)
                \(try isPresent())
            """, .integer(FileTime(date).nanoseconds), .integer(FileTime(now).nanoseconds)
        ) { Int($0.integer(0)) } ?? 0
    }

    struct Record {
        let place: Asset.Place
        let size: Int64
        let modifiedAt: FileTime
        let state: Asset.State
        let sha256: String?
        let rank: Asset.Rank
        let forcedAt: FileTime?
    }

    static func record(_ row: Row) -> Record {
        Record(
            place: Asset.Place(directory: row.integer(0), name: row.blob(1)), size: row.integer(2),
            modifiedAt: FileTime(nanoseconds: row.integer(3)), state: Asset.State(rawValue: row.integer(4)) ?? .seen,
            sha256: row.blobOrNil(5).map(\.hexadecimal), rank: Asset.Rank(rawValue: row.integer(6)),
            forcedAt: row.integer(7) == 0 ? nil : FileTime(nanoseconds: row.integer(7)))
    }

    func asset(_ row: Record) throws -> Asset? {
        guard let location = try location(of: row.place) else { return nil }
        return Asset(
            place: row.place, root: location.root, path: location.path, size: row.size, modifiedAt: row.modifiedAt,
            state: row.state, sha256: row.sha256, rank: row.rank, forcedAt: row.forcedAt)
    }
}
