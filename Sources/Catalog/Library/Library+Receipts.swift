package import Database
package import FoundationEssentials
import Platform
package import Queue
package import Records
import Tables
import Text

extension Library {
    private static let receiptColumnNames = [
        "destination", "key", "role", "item", "sha256", "size", "object", "version", "etag", "updated", "verified",
        "proof",
    ]

    static let receiptColumns = receiptColumnNames.joined(separator: ", ")

    /// The receipts that a query finds, each with the file that it was earned with.
    ///
    /// - Parameter clause: The SQL after `FROM receipts r`.
    package func duplicates(_ clause: String, _ values: Value...) throws -> [Duplicate] {
        try duplicates(flagged: "0", from: "receipts r \(clause)", values).map(\.duplicate)
    }

    /// The receipts `r` that a query over `tables` finds, each with whether `condition` holds of it.
    func duplicates(
        flagged condition: String, from tables: String, _ values: [Value]
    ) throws -> [(duplicate: Duplicate, flag: Bool)] {
        let names = Self.receiptColumnNames
        let columns = (names + ["directory", "name"]).map { "r.\($0)" }.joined(separator: ", ")
        var rows: [(receipt: Receipt, place: Asset.Place, flag: Bool)] = []
        try database.each("SELECT \(columns), \(condition) AS flag FROM \(tables)", binding: values) { row in
            rows.append((Self.receipt(row), Asset.Place(at: names.count, of: row), row.flag(names.count + 2)))
        }
        return try rows.map { row in
            let location = try location(of: row.place)
            let duplicate = Duplicate(
                receipt: row.receipt, root: location?.root ?? "",
                path: location?.path ?? FilePath(bytes: row.place.name))
            return (duplicate, row.flag)
        }
    }

    /// Writes receipts and marks the assets of originals stored, all of it durably.
    ///
    /// An asset that changed since is left as it is: its new content gets an item of its own.
    ///
    /// - Parameters:
    ///   - moved: The receipts that objects had before they were moved to the keys of these items.
    ///   - clock: If given, dates the receipts at this moment, so that an item made before they could be seen is not
    ///     newer than they are.
    ///   - then: Called once that is done, before anything else reads the library, with the SHA-256 of everything that
    ///     was stored before of each item's file in its role; items without any are left out.
    package func record(
        _ earned: [(receipt: Receipt, item: Item)], moved: [ItemIdentifier: Receipt] = [:],
        clock: (@Sendable () -> Date)? = nil,
        then: @Sendable (isolated Library, [ItemIdentifier: Set<String>]) throws -> Void = { _, _ in }
    ) throws {
        var unmarked: [(receipt: Receipt, place: Asset.Place)] = []
        var former: [ItemIdentifier: Set<String>] = [:]
        let now = clock?()
        for (var receipt, item) in earned {
            if let now { receipt.verifiedAt = now }
            guard let place = try place(toNote: item) else { continue }
            let known = try contents(at: place, in: item.role, destination: receipt.destination)
            if !known.isEmpty { former[item.id] = known }
            if item.role == .original {
                try sendBackFile(keptAt: receipt.key, destination: receipt.destination, besides: place)
            }
            try insert(receipt, of: place)
            guard item.role == .original else { continue }
            try releaseLastCopies(of: receipt.sha256, destination: receipt.destination)
            if !known.isEmpty { try outdateFormer(besides: receipt, at: place) }
            // An asset that is `seen` stays so, because it must still be read for its facts and pictures; so must one of
            // which a crash took back that it was read, and which could not be read since.
            try write(
                """
                UPDATE assets SET state = CASE WHEN state IN \(assets: .failures) AND sha256 IS NOT ?6
                    THEN \(asset: .seen) ELSE ?5 END, sha256 = ?6, brake = NULL, code = NULL, message = NULL
                WHERE directory = ?1 AND name = ?2 AND size = ?3 AND mtime = ?4
                    AND state IN \(assets: [.identifying, .queued] + .failures)
                """, .integer(place.directory), .blob(place.name), .integer(item.size),
                .integer(item.modifiedAt.nanoseconds), .integer(Asset.State.stored.rawValue),
                Value([UInt8](hexadecimal: item.sha256)))
            // An asset that became `stored` is here; the file of any other may have gone meanwhile.
            if database.changes == 0 { unmarked.append((receipt, place)) }
        }
        for (receipt, item) in earned {
            guard let former = moved[item.id] else { continue }
            try forgetMoved(former, to: receipt.key)
        }
        for (receipt, place) in unmarked { try noteAbsentFile(of: receipt, at: place) }
        try commit()
        try then(self, former)
    }

    /// Has the file read again that the object under `key` kept stored until now, unless it is the one at `place`, whose
    /// receipt is about to be written there.
    ///
    /// Two files that are sent at the same time may both have found that object, and an object that is set aside may go to
    /// the very name of another file (`file(at:keptBy:)`).
    func sendBackFile(keptAt key: ObjectKey, destination: String, besides place: Asset.Place?) throws {
        let old = try receipt(destination: destination, key: key)
        guard let old, let former = try self.place(of: old), former != place,
            try file(at: former, keptBy: old) != nil
        else { return }
        try readAgain(former, if: .stored)
    }

    /// The SHA-256 of what is stored of the file at `place` in a role.
    private func contents(at place: Asset.Place, in role: Item.Role, destination: String) throws -> Set<String> {
        Set(
            try database.rows(
                "SELECT sha256 FROM receipts WHERE directory = ? AND name = ? AND role = ? AND destination = ?",
                .integer(place.directory), .blob(place.name), .text(role.rawValue), .text(destination)
            ) { $0.blob(0).hexadecimal })
    }

    /// Gives an object whose file is gone from `place` the receipt that it lacked; durable when this returns.
    package func adopt(_ receipt: Receipt, of place: Asset.Place) throws {
        try insert(receipt, of: place)
        try noteAbsentFile(of: receipt, at: place)
        try commit()
    }

    func insert(_ receipt: Receipt, of place: Asset.Place) throws {
        let destination = receipt.destination
        // Summing up all receipts may take a hundred times as long as this look.
        let others = try memory.occupancies[destination]?.stored.map { known in
            try known - (self.receipt(destination: destination, key: receipt.key)?.size ?? 0)
        }
        try write(
            """
            INSERT OR REPLACE INTO receipts (\(Self.receiptColumns), directory, name)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .text(receipt.destination), .text(receipt.key.text), .text(receipt.role.rawValue),
            .text(receipt.item.text), Value([UInt8](hexadecimal: receipt.sha256)), .integer(receipt.size),
            Value(receipt.objectID), Value(receipt.version), Value(receipt.eTag), Value(receipt.updatedAt),
            .integer(FileTime(receipt.verifiedAt).nanoseconds), .text(receipt.proof.rawValue),
            .integer(place.directory), .blob(place.name))
        memory.occupancies[destination]?.stored = others?.adding(size: receipt.size)
        guard try hasTraces(under: receipt) else { return }
        try settleAttempts(under: receipt)
        try settleMarks(at: receipt.key, destination: receipt.destination)
    }

    /// Settles attempts under the key of `receipt`: it is known what lies there now, but not what may still arrive.
    private func settleAttempts(under receipt: Receipt) throws {
        let key: [Value] = [.text(receipt.destination), .text(receipt.key.text)]
        // A request that was given up may still arrive, and replace these bytes or later ones.
        try writeAttempts(
            """
            DELETE FROM attempts WHERE destination = ?1 AND key = ?2
                AND NOT (state IN \(attempts: [.unknown, .there]) AND noted > ?3)
            """, binding: key + [.integer(FileTime(receipt.verifiedAt - Attempt.echo).nanoseconds)])
        // The other attempts' bytes are replaced now, but requests that were given up may be on their way. One whose
        // bytes were not seen yet takes room where this object is smaller, or has left the key by then.
        try writeAttempts(
            """
            UPDATE attempts SET size = CASE state WHEN \(attempt: .there) THEN 0 ELSE size END,
                state = \(attempt: .unknown) WHERE destination = ? AND key = ?
            """, binding: key)
    }

    /// Notes with the next commit that the server still holds what `receipt` says.
    package func confirm(_ receipt: Receipt, at now: Date) throws {
        try write(
            "UPDATE receipts SET verified = ? WHERE destination = ? AND key = ? AND item = ?",
            .integer(FileTime(now).nanoseconds), .text(receipt.destination), .text(receipt.key.text),
            .text(receipt.item.text))
        // What was sent long before that is no leftover any more.
        memory.forgetLeftovers()
    }

    /// Counts the receipts of a file as earned by items that were made before `now`.
    func redateReceipts(of place: Asset.Place, before now: Date) throws {
        let receipts = try database.rows(
            "SELECT \(Self.receiptColumns) FROM receipts WHERE directory = ? AND name = ?", .integer(place.directory),
            .blob(place.name), read: Self.receipt)
        // Items are dated to the millisecond.
        for receipt in receipts where receipt.item.isMade(since: FileTime(now)) { try redate(receipt, at: now - 0.001) }
    }

    /// Counts `receipt` as earned by an item that was made at `date`.
    func redate(_ receipt: Receipt, at date: Date) throws {
        for table in ["discrepancies", "receipts"] {
            try write(
                "UPDATE \(table) SET item = ? WHERE destination = ? AND key = ? AND item = ?",
                .text(receipt.item.redated(at: date).text), .text(receipt.destination), .text(receipt.key.text),
                .text(receipt.item.text))
        }
    }

    /// The receipt for `key`, if any item ever earned one there.
    package func receipt(destination: String, key: ObjectKey) throws -> Receipt? {
        try database.first(
            "SELECT \(Self.receiptColumns) FROM receipts WHERE destination = ? AND key = ?", .text(destination),
            .text(key.text), read: Self.receipt)
    }

    /// The receipts for `keys`, of those that have one.
    package func receipts(destination: String, keys: [ObjectKey]) throws -> [Receipt] {
        try keys.compactMap { try receipt(destination: destination, key: $0) }
    }

    /// Receipts of a destination in key order after `key`, at most `count`.
    package func receipts(destination: String, after key: String, count: Int) throws -> [Receipt] {
        try database.rows(
            """
            SELECT \(Self.receiptColumns) FROM receipts WHERE destination = ? AND key > ? ORDER BY key LIMIT \(count)
            """, .text(destination), .text(key), read: Self.receipt)
    }

    /// Bytes of all objects with a receipt of a destination.
    package func storedBytes(destination: String) throws -> Int64 {
        try database.first("SELECT sum(bytes) FROM receipt_sums WHERE destination = ?", .text(destination)) {
            $0.integer(0)
        } ?? 0
    }

    /// Receipts whose key begins with `prefix`: how many objects of ours a listing of it will show.
    package func receiptCount(destination: String, prefix: String) throws -> Int {
        try database.first(
            "SELECT count(*) FROM receipts WHERE destination = ? AND key >= ? AND key < ?", .text(destination),
            .text(prefix), .text(prefix + "\u{10FFFF}")
        ) { Int($0.integer(0)) } ?? 0
    }

    /// Forgets with the next commit the receipt of an object that is not there; its asset is read again.
    ///
    /// A receipt that another item has earned under the key meanwhile stays, and its asset is left alone.
    package func forget(_ receipt: Receipt) throws {
        let place = try database.first(
            "SELECT directory, name FROM receipts WHERE destination = ? AND key = ? AND item = ?",
            .text(receipt.destination), .text(receipt.key.text), .text(receipt.item.text)
        ) { Asset.Place(directory: $0.integer(0), name: $0.blob(1)) }
        guard let place else { return }
        try delete(receipt)
        // A last copy that is found again is still one.
        try write(
            "DELETE FROM marks WHERE destination = ? AND key = ? AND mark = \(mark: .outdated)",
            .text(receipt.destination), .text(receipt.key.text))
        let column =
            receipt.role == .original
            ? "state = CASE state WHEN \(asset: .stored) THEN \(asset: .seen) ELSE state END"
            : "thumbnails = \(picture: .wanted)"
        try write(
            """
            UPDATE assets SET \(column), rank = rank % 2 WHERE directory = ? AND name = ?
                AND state != \(asset: .remoteOnly)
            """,
            .integer(place.directory), .blob(place.name))
        guard receipt.role == .original else { return }
        // Here neither the file nor its object exists any more.
        try write(
            """
            UPDATE assets SET state = \(asset: .gone) WHERE directory = ?1 AND name = ?2
                AND state = \(asset: .remoteOnly) AND NOT EXISTS (
                SELECT 1 FROM receipts r WHERE r.directory = ?1 AND r.name = ?2 AND r.role = 'original')
            """, .integer(place.directory), .blob(place.name))
    }

    /// Deletes a receipt with the next commit; returns whether it was there.
    ///
    /// A receipt that another item has earned under the key meanwhile stays.
    @discardableResult
    func delete(_ receipt: Receipt) throws -> Bool {
        try write(
            "DELETE FROM receipts WHERE destination = ? AND key = ? AND item = ?", .text(receipt.destination),
            .text(receipt.key.text), .text(receipt.item.text))
        defer { memory.forgetOccupancies() }
        return database.changes > 0
    }

    static func receipt(_ row: Row) -> Receipt {
        Receipt(
            destination: row.text(0), key: ObjectKey(text: row.text(1)), role: Item.Role(rawValue: row.text(2)),
            item: ItemIdentifier(text: row.text(3)), sha256: row.blob(4).hexadecimal, size: row.integer(5),
            objectID: row.textOrNil(6), version: row.textOrNil(7), eTag: row.textOrNil(8), updatedAt: row.textOrNil(9),
            verifiedAt: FileTime(nanoseconds: row.integer(10)).date,
            proof: Receipt.Proof(rawValue: row.text(11)) ?? .size)
    }
}
