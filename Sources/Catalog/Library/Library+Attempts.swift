import Database
package import FoundationEssentials
import Platform
package import Queue
import Text

/// Bytes of ours that may lie under a key although no receipt covers them.
package struct Attempt: Hashable, Sendable {
    /// URL, bucket and prefix, as `Destination.name` writes them.
    package let destination: String
    /// The key that the bytes may lie under.
    package let key: ObjectKey
    /// The SHA-256 that the object's metadata names, 64 lowercase hex digits.
    package let sha256: String
    /// Whether the bytes are an original's or a thumbnail's.
    package let role: Item.Role
    /// Bytes; 0 where an earlier version wrote it down.
    package let size: Int64
    /// The file that the bytes came from, where it is known.
    package let place: Asset.Place?
    /// The key that an object of ours was to be moved from.
    package let source: ObjectKey?
    /// What was last found out about the bytes.
    package let state: State
    /// When the item was last tried, or made if never; the year 1970 where that was not written down.
    package let notedAt: Date

    /// Seconds for which a request that was given up may still take effect.
    package static let echo = 600.0

    /// Whether its request may still take effect.
    package func mayArrive(at now: Date) -> Bool { now.timeIntervalSince(notedAt) <= Self.echo }

    /// What is known about an attempt.
    ///
    /// The numbers are stored: never reuse one.
    package enum State: Int64, Sendable {
        /// The server has not been asked yet.
        case unknown = 0
        /// The object is there: a leftover.
        case there = 1
        /// The move had not happened when the server was asked.
        case notMoved = 2
        /// It has a receipt, and its deletion was about to be requested.
        case deleting = 3
        /// It has a receipt, but its file is stored under another key now.
        case outdated = 4
    }
}

// MARK: - Writing down

extension Library {
    /// Remembers durably that `item`, which is replaced or dropped, may have left bytes under its key.
    package func remember(_ item: Item, destination: String) throws {
        try noteAttempt(item, destination: destination)
        try commit()
    }

    /// Remembers with the next commit that bytes of `item` may lie under its key, so that they count as ours.
    ///
    /// An object there that is marked `outdated` stays marked: the file has not come back to that name.
    ///
    /// - Parameter source: The key that an object is to be moved from; its bytes are not doubtful then.
    package func noteAttempt(_ item: Item, destination: String, movingFrom source: ObjectKey? = nil) throws {
        let place = try place(root: item.root, path: item.filePath)
        try write(
            """
            INSERT INTO attempts (destination, key, sha256, role, size, directory, name, source, doubtful, noted)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (destination, key, sha256) DO UPDATE SET role = excluded.role, size = excluded.size,
                directory = excluded.directory, name = excluded.name, noted = excluded.noted,
                state = CASE state WHEN \(attempt: .outdated) THEN \(attempt: .outdated) ELSE \(attempt: .unknown) END,
                source = coalesce(excluded.source, source), doubtful = min(doubtful, excluded.doubtful)
            """, .text(destination), .text(item.objectKey.text), Value([UInt8](hexadecimal: item.sha256)),
            .text(item.role.rawValue), .integer(item.size), Value(place?.directory),
            place.map { .blob($0.name) } ?? .null, Value(source?.text), .integer(source == nil ? 1 : 0),
            .integer(FileTime(item.lastAttemptAt ?? item.createdAt).nanoseconds))
        memory.leftoverBytes = nil
    }

    /// Remembers durably that an object is about to be moved to the key of `item`.
    package func noteMove(of item: Item, from source: ObjectKey, destination: String) throws {
        try noteAttempt(item, destination: destination, movingFrom: source)
        try commit()
    }

    /// Remembers with the next commit that the object `receipt` was for is ours, whatever it holds now.
    ///
    /// A request with the same bytes that may still arrive stays expected.
    package func noteLeftover(of receipt: Receipt, sha256: String, size: Int64) throws {
        let place = try place(ofReceipt: receipt.key, destination: receipt.destination)
        try write(
            """
            INSERT INTO attempts (destination, key, sha256, role, size, directory, name, state)
            VALUES (?, ?, ?, ?, ?, ?, ?, \(attempt: .there))
            ON CONFLICT (destination, key, sha256) DO UPDATE SET role = excluded.role, size = excluded.size,
                directory = excluded.directory, name = excluded.name, doubtful = 1,
                source = CASE state WHEN \(attempt: .unknown) THEN source END,
                state = CASE state WHEN \(attempt: .unknown) THEN \(attempt: .unknown) ELSE excluded.state END
            """, .text(receipt.destination), .text(receipt.key.text), Value([UInt8](hexadecimal: sha256)),
            .text(receipt.role.rawValue), .integer(size), Value(place?.directory),
            place.map { .blob($0.name) } ?? .null)
        memory.leftoverBytes = nil
    }
}

// MARK: - Deletions

extension Library {
    /// Remembers durably that the objects of these receipts are about to be deleted.
    package func noteDeletion(of receipts: [Receipt]) throws {
        for receipt in receipts {
            try write(
                """
                INSERT OR REPLACE INTO attempts (destination, key, sha256, role, size, state)
                VALUES (?, ?, ?, ?, ?, \(attempt: .deleting))
                """, .text(receipt.destination), .text(receipt.key.text), Value([UInt8](hexadecimal: receipt.sha256)),
                .text(receipt.role.rawValue), .integer(receipt.size))
        }
        memory.leftoverBytes = nil
        try commit()
    }

    /// Marks an object that was to be deleted and is still there `outdated`, so that it can still go.
    package func settle(notDeleted attempt: Attempt) throws {
        try set(attempt, "state = \(attempt: .outdated), doubtful = 0")
    }

    /// Forgets durably the deletions noted for these keys, once they are done or given up.
    package func forgetDeletion(of keys: [ObjectKey], destination: String) throws {
        for key in keys {
            try write(
                """
                DELETE FROM attempts WHERE destination = ? AND key = ? AND state = \(attempt: .deleting)
                """, .text(destination),
                .text(key.text))
        }
        try commit()
    }
}

// MARK: - Looks

extension Library {
    /// Whether an object with this hash under `key` was put there by us.
    package func isOurs(destination: String, key: ObjectKey, sha256: String) throws -> Bool {
        let hash = Value([UInt8](hexadecimal: sha256))
        return try database.first(
            """
            SELECT 1 FROM receipts WHERE destination = ?1 AND key = ?2 AND sha256 = ?3
            UNION ALL SELECT 1 FROM attempts WHERE destination = ?1 AND key = ?2 AND sha256 = ?3
            """, .text(destination), .text(key.text), hash
        ) { _ in true } ?? false
    }

    /// Whether an object under `key` may hold other bytes than the hash in its metadata says.
    package func wasAttempted(destination: String, key: ObjectKey, sha256: String) throws -> Bool {
        try database.first(
            "SELECT 1 FROM attempts WHERE destination = ? AND key = ? AND sha256 = ? AND doubtful", .text(destination),
            .text(key.text), Value([UInt8](hexadecimal: sha256))
        ) { _ in true } ?? false
    }

    /// All attempts under the first `count` keys after `last`, in key order.
    package func attempts(destination: String, after last: String, count: Int) throws -> [Attempt] {
        try attempts(
            "destination = ?1 AND key IN (SELECT DISTINCT key FROM attempts WHERE destination = ?1 AND key > ?2 "
                + "ORDER BY key LIMIT \(count)) ORDER BY key", .text(destination), .text(last))
    }

    /// The attempts that may have left bytes under `key`.
    package func attempts(at key: ObjectKey, destination: String) throws -> [Attempt] {
        try attempts("destination = ? AND key = ?", .text(destination), .text(key.text))
    }

    /// Whether other bytes may have taken the place of what `receipt` says, by a request that was made since and not asked about.
    package func mayBeReplaced(_ receipt: Receipt) throws -> Bool {
        try attempts(at: receipt.key, destination: receipt.destination).contains { attempt in
            attempt.state == .unknown && attempt.source == nil && attempt.sha256 != receipt.sha256
                && attempt.notedAt > receipt.verifiedAt
        }
    }

    /// Moves that may have taken place or still may, in the order of the keys they move from.
    package func unsettledMoves(destination: String) throws -> [Attempt] {
        try attempts("destination = ? AND source IS NOT NULL ORDER BY source", .text(destination))
    }

    /// A move of the object under `key` that may have taken place.
    package func unsettledMove(from key: ObjectKey, destination: String) throws -> Attempt? {
        try attempts(
            """
            destination = ? AND source = ? AND state != \(attempt: .notMoved) LIMIT 1
            """, .text(destination), .text(key.text)
        ).first
    }

    /// A move that may have taken place, of the object under the key of `item` or of one that holds the same bytes.
    ///
    /// - Parameter isOthers: Whether a move to the item's own key is left out.
    package func unsettledMove(before item: Item, isOthers: Bool, destination: String) throws -> Attempt? {
        try attempts(
            """
            destination = ?1 AND source IS NOT NULL AND state != \(attempt: .notMoved) AND NOT (?5 AND key = ?2)
                AND (source = ?2 OR key = ?2 OR sha256 = ?3 AND role = ?4) LIMIT 1
            """, .text(destination), .text(item.objectKey.text), Value([UInt8](hexadecimal: item.sha256)),
            .text(item.role.rawValue), .integer(isOthers ? 1 : 0)
        ).first
    }

    /// Attempts from before `date` that the server has not been asked about, the oldest first.
    package func unseenAttempts(destination: String, before date: Date, count: Int) throws -> [Attempt] {
        try attempts(
            """
            destination = ? AND source IS NULL AND state = \(attempt: .unknown) AND noted < ?
                ORDER BY noted LIMIT \(count)
            """,
            .text(destination), .integer(FileTime(date).nanoseconds))
    }

    /// All attempts of a destination in `state`.
    package func attempts(in state: Attempt.State, destination: String) throws -> [Attempt] {
        try attempts("destination = ? AND state = ?", .text(destination), .integer(state.rawValue))
    }

    /// Objects marked as stored under a former name: either the originals or the pictures.
    package func outdatedMarks(isOriginal: Bool, destination: String) throws -> [Attempt] {
        try attempts(
            "destination = ? AND state = \(attempt: .outdated) AND (role = 'original') = ?", .text(destination),
            .integer(isOriginal ? 1 : 0))
    }

    /// Attempts that may have left an object: those not asked about yet first, then by time, newest first.
    package func doubtfulAttempts(destination: String, count: Int) throws -> [Attempt] {
        try attempts(
            """
            destination = ? AND source IS NULL AND state IN \(attempts: [.unknown, .there])
                ORDER BY state, noted DESC LIMIT \(count)
            """,
            .text(destination))
    }

    /// How many attempts are written down.
    package func attemptCount() throws -> Int {
        try database.first("SELECT count(*) FROM attempts") { Int($0.integer(0)) } ?? 0
    }

    private func attempts(_ condition: String, _ values: Value...) throws -> [Attempt] {
        var found: [Attempt] = []
        try database.each(
            """
            SELECT destination, key, sha256, role, size, directory, name, source, state, noted FROM attempts
            WHERE \(condition)
            """, binding: values
        ) { found.append(Self.attempt($0)) }
        return found
    }

    private static func attempt(_ row: Row) -> Attempt {
        var place: Asset.Place?
        if let directory = row.integerOrNil(5), let name = row.blobOrNil(6) {
            place = Asset.Place(directory: directory, name: name)
        }
        return Attempt(
            destination: row.text(0), key: ObjectKey(text: row.text(1)), sha256: row.blob(2).hexadecimal,
            role: Item.Role(rawValue: row.text(3)), size: row.integer(4), place: place,
            source: row.textOrNil(7).map(ObjectKey.init(text:)),
            state: Attempt.State(rawValue: row.integer(8)) ?? .unknown,
            notedAt: FileTime(nanoseconds: row.integer(9)).date)
    }

    /// Bytes of the leftovers that the server has shown, only under keys without a receipt.
    package func leftoverBytes(destination: String) throws -> Int64 {
        if let known = memory.leftoverBytes { return known }
        let bytes = try database.first(
            """
            SELECT sum(size) FROM (SELECT max(size) AS size FROM attempts a WHERE destination = ?1
                AND state = \(attempt: .there)
                AND NOT EXISTS (SELECT 1 FROM receipts r WHERE r.destination = ?1 AND r.key = a.key) GROUP BY key)
            """, .text(destination)
        ) { $0.integer(0) }
        memory.leftoverBytes = bytes ?? 0
        return bytes ?? 0
    }

    /// Bytes that filling `key` replaces: those of its receipt, or else of the leftover there.
    package func heldBytes(at key: ObjectKey, destination: String) throws -> (receipt: Int64, leftover: Int64) {
        if let receipt = try receipt(destination: destination, key: key) { return (receipt.size, 0) }
        let there = try attempts(at: key, destination: destination).filter { $0.state == .there }
        return (0, there.map(\.size).max() ?? 0)
    }
}

// MARK: - Settling

extension Library {
    /// Notes that the server showed the object: from now on it counts as a leftover of `size` bytes.
    package func settle(_ attempt: Attempt, isThere size: Int64) throws {
        try set(attempt, "state = \(attempt: .there), source = NULL, size = \(size)")
    }

    /// Notes that its object was deleted, though a request on its way may still create it again.
    package func settle(deleted attempt: Attempt) throws { try set(attempt, "state = \(attempt: .unknown)") }

    /// Notes that the object has not been moved.
    package func settle(notMoved attempt: Attempt) throws { try set(attempt, "state = \(attempt: .notMoved)") }

    /// Drops the key that the object was to be moved from: it is an attempt like any other now.
    package func settle(notFrom attempt: Attempt) throws {
        // What is known to be unmoved is asked about as a move only.
        let state = "CASE state WHEN \(attempt: .notMoved) THEN \(attempt: .unknown) ELSE state END"
        try set(attempt, "source = NULL, state = \(state)")
    }

    /// Whether the object of a move was to go to yet another key.
    package func hasRivals(_ move: Attempt) throws -> Bool {
        guard let source = move.source else { return false }
        return try attempts(
            "destination = ? AND source = ? AND key != ?", .text(move.destination), .text(source.text),
            .text(move.key.text)
        ).isEmpty == false
    }

    /// Forgets an attempt that left nothing under its key, or no longer matters.
    package func forget(_ attempt: Attempt) throws {
        try write(
            "DELETE FROM attempts WHERE destination = ? AND key = ? AND sha256 = ?", .text(attempt.destination),
            .text(attempt.key.text), Value([UInt8](hexadecimal: attempt.sha256)))
        memory.leftoverBytes = nil
    }
    private func set(_ attempt: Attempt, _ change: String) throws {
        try write(
            "UPDATE attempts SET \(change) WHERE destination = ? AND key = ? AND sha256 = ?",
            .text(attempt.destination), .text(attempt.key.text), Value([UInt8](hexadecimal: attempt.sha256)))
        memory.leftoverBytes = nil
    }

    /// Notes that a move took place: the receipt gets the new key, and the former file is read again.
    package func settle(moved attempt: Attempt, from receipt: Receipt, held: HeldObject, at now: Date) throws {
        let place = try place(ofReceipt: receipt.key, destination: receipt.destination)
        try write(
            """
            UPDATE OR REPLACE receipts SET key = ?, object = ?, version = ?, etag = ?, updated = ?, verified = ?,
                directory = coalesce(?, directory), name = coalesce(?, name)
            WHERE destination = ? AND key = ?
            """, .text(attempt.key.text), Value(held.id), Value(held.version), Value(held.eTag),
            Value(held.updatedAt), .integer(FileTime(now).nanoseconds), Value(attempt.place?.directory),
            attempt.place.map { .blob($0.name) } ?? .null, .text(receipt.destination), .text(receipt.key.text))
        try forget(attempt)
        guard let place, let target = attempt.place else { return }
        try leave(place, receipt)
        try noteAbsentFile(of: receipt, at: target)
    }

    /// Updates the file whose object went to another key: it is read again, or has nothing stored any more.
    private func leave(_ place: Asset.Place, _ receipt: Receipt) throws {
        let columns: [Value] = [.integer(place.directory), .blob(place.name)]
        guard receipt.role == .original else {
            return try write(
                """
                UPDATE assets SET thumbnails = \(picture: .wanted) WHERE directory = ? AND name = ?
                    AND state IN \(assets: [.queued, .stored])
                """,
                binding: columns)
        }
        try outdatePictures(at: place, destination: receipt.destination)
        try write(
            """
            UPDATE assets SET state = CASE state WHEN \(asset: .stored) THEN \(asset: .seen) ELSE \(asset: .gone) END, rank = rank % 2
            WHERE directory = ?1 AND name = ?2 AND state IN \(assets: [.stored, .remoteOnly]) AND NOT EXISTS (
                SELECT 1 FROM receipts r WHERE r.directory = ?1 AND r.name = ?2 AND r.role = 'original')
            """, binding: columns)
    }
}
