import Database
import Platform
package import Queue
package import Records
import Tables

// MARK: - Into the library and back

extension Library {
    /// Keeps blocked items, which the queue still holds; returns those kept, durably.
    ///
    /// An item of a file that the library does not know, or that is not to be sent, is not kept.
    package func keep(blocked items: [Item], destination: String) throws -> Set<ItemIdentifier> {
        var kept: Set<ItemIdentifier> = []
        for item in items {
            guard let reason = item.blocked, let place = try place(root: item.root, path: item.filePath) else {
                continue
            }
            try write(
                """
                INSERT OR REPLACE INTO blocked
                    (destination, key, directory, name, role, sha256, size, mtime, reason, code, item, rank)
                SELECT ?1, ?2, directory, name, ?5, ?6, ?7, ?8, ?9, ?10, ?11, rank
                FROM assets WHERE directory = ?3 AND name = ?4 AND state NOT IN \(assets: [.excluded, .held])
                """, .text(destination), .text(item.objectKey.text), .integer(place.directory), .blob(place.name),
                .text(item.role.rawValue), Value([UInt8](hexadecimal: item.sha256)), .integer(item.size),
                .integer(item.modifiedAt.nanoseconds), .text(reason.rawValue), Value(item.lastError?.code.text),
                .blob(item.line()))
            if database.changes > 0 { kept.insert(item.id) }
        }
        noteBlocked(!kept.isEmpty)
        try commit()
        return kept
    }

    /// Updates, durably, an item that is kept here; does nothing where it is not.
    package func reword(_ item: Item, destination: String) throws {
        try write(
            """
            UPDATE blocked SET item = ?4 WHERE destination = ?1 AND key = ?2
                AND json_extract(CAST(item AS TEXT), '$.id') = ?3
            """, .text(destination), .text(item.objectKey.text), .text(item.id.text), .blob(item.line()))
        try commit()
    }

    /// Notes durably that the queue dropped the kept items, all but `staying`.
    package func settle(blockedBut staying: [Item], destination: String) throws {
        for item in staying { try forget(blocked: item.objectKey, destination: destination) }
        try write("UPDATE blocked SET here = 1 WHERE here = 0")
        try commit()
    }

    /// The first `count` items that are not blocked any more, in upload order.
    package func freed(_ count: Int) throws -> [FreedItem] {
        guard hasBlocked else { return [] }
        let rows = try database.rows(
            "SELECT id, item, rank FROM blocked WHERE reason IS NULL ORDER BY rank, mtime DESC LIMIT \(count)"
        ) { ($0.integer(0), $0.blob(1), Asset.Rank(rawValue: $0.integer(2)).origin) }
        return try rows.map { FreedItem(row: $0, item: try Item(line: $1).unblocked, origin: $2) }
    }

    /// Forgets items that the queue holds again; returns those that had already been dropped here.
    package func forget(freed: [FreedItem]) throws -> [FreedItem] {
        let missed = try freed.filter { entry in
            try write("DELETE FROM blocked WHERE id = ?", .integer(entry.row))
            return database.changes == 0
        }
        try commit()
        return missed
    }

    /// Forgets the item kept for `key`, because another item fills that key now.
    ///
    /// - Parameter item: The item that fills the key; its own row stays, as it may be on its way to or from the queue.
    package func forget(blocked key: ObjectKey, destination: String, filledBy item: ItemIdentifier? = nil) throws {
        guard hasBlocked else { return }
        try write(
            """
            DELETE FROM blocked WHERE destination = ?1 AND key = ?2
                AND (?3 IS NULL OR json_extract(CAST(item AS TEXT), '$.id') IS NOT ?3)
            """, .text(destination), .text(key.text), Value(item?.text))
    }

    /// Drops what a crash left both here and in the queue, which holds `items`: the queue's copy is newer.
    ///
    /// A completed item of another id does not count: it may be older than the item that waits for its key.
    package func reconcile(blockedWith items: [Item], destination: String) throws {
        guard hasBlocked else { return }
        for item in items {
            guard let known = try blocked(item.objectKey, destination: destination),
                known.id == item.id || item.status != .completed
            else { continue }
            try forget(blocked: item.objectKey, destination: destination)
        }
        try write("UPDATE blocked SET here = 1 WHERE here = 0")
    }

    /// Drops a file's kept items, which are out of date; attempts already note what they may have left in storage.
    func dropBlocked(of place: Asset.Place) throws {
        guard hasBlocked else { return }
        try write(
            "DELETE FROM blocked WHERE directory = ? AND name = ?", .integer(place.directory), .blob(place.name))
    }
}

// MARK: - Back to the queue

extension Library {
    /// Lets items blocked for `reason` go back into the queue; with `code`, only those that this failure blocks.
    package func unblock(_ reason: Item.Blocked, code: FailureCode? = nil) throws {
        guard hasBlocked else { return }
        try write(
            "UPDATE blocked SET reason = NULL, code = NULL WHERE reason = ?1 AND (?2 IS NULL OR code = ?2)",
            .text(reason.rawValue), Value(code?.text))
    }

    /// Lets items that wait for the budget go back as far as they fit into `room` bytes, in upload order.
    ///
    /// An item that replaces an object takes only the difference.
    package func unblock(fitting room: Int64) throws {
        guard hasBlocked else { return }
        var left = room
        var chosen: [Int64] = []
        let closures = BlockedCause.closures.map { "'\($0.text)'" }.joined(separator: ", ")
        try database.each(
            """
            SELECT b.id, b.size - coalesce(r.size, 0) AS growth FROM blocked b
            LEFT JOIN receipts r ON r.destination = b.destination AND r.key = b.key
            WHERE b.reason = 'budget' AND coalesce(b.code, '') NOT IN (\(closures)) AND growth <= ? ORDER BY b.rank, b.mtime DESC
            """, binding: [.integer(room)]
        ) { row in
            guard row.integer(1) <= left else { return }
            left -= max(0, row.integer(1))
            chosen.append(row.integer(0))
        }
        try unblock(rows: chosen)
    }

    /// Lets the smallest item blocked for `reason` go back; with `code`, the smallest that this failure blocks.
    package func unblockSmallest(_ reason: Item.Blocked, code: FailureCode? = nil) throws {
        guard hasBlocked else { return }
        let row = try database.first(
            "SELECT id FROM blocked WHERE reason = ?1 AND (?2 IS NULL OR code = ?2) ORDER BY size LIMIT 1",
            .text(reason.rawValue), Value(code?.text)
        ) { $0.integer(0) }
        if let row { try unblock(rows: [row]) }
    }

    private func unblock(rows: [Int64]) throws {
        for row in rows {
            try write("UPDATE blocked SET reason = NULL, code = NULL WHERE id = ?", .integer(row))
        }
    }
}

// MARK: - Looks

extension Library {
    /// The items that are here and not in the queue, by reason.
    ///
    /// An item on its way here counts once the queue has dropped it, which only a look at `queued` shows.
    ///
    /// - Parameter queued: What the queue holds; `nil` leaves out what is on its way.
    package func blockedSums(besides queued: [Item]? = nil) throws -> [BlockedSum] {
        guard hasBlocked else { return [] }
        let arriving = try queued.map { try self.arriving(besides: $0) } ?? []
        let rows = try database.rows(
            """
            SELECT reason, code, count(*), sum(role = 'original'), min(size), id FROM blocked
            WHERE here OR id IN (\(arriving.map(String.init).joined(separator: ",")))
            GROUP BY reason, code ORDER BY reason, code
            """
        ) { ($0.textOrNil(0), $0.textOrNil(1), Int($0.integer(2)), Int($0.integer(3)), $0.integer(5)) }
        return try rows.compactMap { reason, code, count, files, smallest in
            let item = try database.first("SELECT item FROM blocked WHERE id = ?", .integer(smallest)) { $0.blob(0) }
            return try item.map {
                BlockedSum(
                    reason: reason.flatMap(Item.Blocked.init), code: code.map(FailureCode.init), count: count,
                    files: files,
                    smallest: try Item(line: $0))
            }
        }
    }

    /// Rows on their way here that the queue has dropped already, so that they are nowhere else.
    private func arriving(besides queued: [Item]) throws -> [Int64] {
        let rows = try database.rows("SELECT id, item FROM blocked WHERE NOT here") { ($0.integer(0), $0.blob(1)) }
        guard !rows.isEmpty else { return [] }
        let known = Set(queued.map(\.id))
        return try rows.filter { try !known.contains(Item(line: $1).id) }.map(\.0)
    }

    /// Whether any item is kept here.
    package func holdsBlocked() throws -> Bool {
        guard hasBlocked else { return false }
        return try Self.holdsBlocked(database)
    }

    /// Whether items wait for the queue to take them back.
    func holdsFreed() throws -> Bool {
        guard hasBlocked else { return false }
        return try database.exists("SELECT 1 FROM blocked WHERE reason IS NULL LIMIT 1")
    }

    /// The item that waits for `key`.
    package func blocked(_ key: ObjectKey, destination: String) throws -> Item? {
        guard hasBlocked else { return nil }
        return try database.first(
            "SELECT item FROM blocked WHERE destination = ? AND key = ?", .text(destination), .text(key.text)
        ) { $0.blob(0) }.map(Item.init(line:))
    }

    /// The items kept for one file, in the order in which they came.
    package func blocked(of place: Asset.Place) throws -> [Item] {
        guard hasBlocked else { return [] }
        return try database.rows(
            "SELECT item, reason IS NULL FROM blocked WHERE directory = ? AND name = ? ORDER BY id",
            .integer(place.directory), .blob(place.name), read: Self.entry
        ).map(Self.item)
    }

    /// Calls `visit` with every item kept here, in the order in which they came; returns how many.
    @discardableResult
    package func eachBlocked(_ visit: @Sendable (Item) throws -> Void) throws -> Int {
        guard hasBlocked else { return 0 }
        var last: Int64 = 0
        var count = 0
        while true {
            let page = try database.rows(
                "SELECT item, reason IS NULL, id FROM blocked WHERE here AND id > ? ORDER BY id LIMIT 500",
                .integer(last)
            ) { (entry: Self.entry($0), row: $0.integer(2)) }
            guard let end = page.last else { return count }
            for line in page { try visit(Self.item(line.entry)) }
            count += page.count
            last = end.row
        }
    }

    private static func entry(_ row: Row) -> (line: [UInt8], isFree: Bool) { (row.blob(0), row.flag(1)) }

    private static func item(_ entry: (line: [UInt8], isFree: Bool)) throws -> Item {
        let item = try Item(line: entry.line)
        return entry.isFree ? item.unblocked : item
    }
}
