import Database
package import FoundationEssentials
import Platform
package import Queue
package import Records
import Tables
import Text

// MARK: - Writing down

extension Library {
    /// Remembers durably that `item`, which is replaced or dropped, may have left bytes under its key.
    ///
    /// - Parameter bytes: How many the budget is to count; all of the item, unless it is known that none came.
    package func remember(_ item: Item, destination: String, bytes: Int64? = nil) throws {
        try noteAttempt(item, destination: destination, bytes: bytes)
        try commit()
    }

    /// Remembers with the next commit that bytes of `item` may lie under its key, so that they count as ours.
    ///
    /// - Parameters:
    ///   - source: The key that an object is to be moved from; its bytes are not doubtful then.
    ///   - bytes: How many the budget is to count; all of the item, unless it is known that none came.
    ///   - isDoubtful: Whether other bytes than the item's may have been sent under its name.
    package func noteAttempt(
        _ item: Item, destination: String, movingFrom source: ObjectKey? = nil, bytes: Int64? = nil,
        isDoubtful: Bool = true
    ) throws {
        let place = try place(root: item.root, path: item.filePath)
        try writeAttempts(
            """
            INSERT INTO attempts (destination, key, sha256, role, size, directory, name, source, doubtful, noted)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (destination, key, sha256) DO UPDATE SET role = excluded.role,
                size = CASE state WHEN \(attempt: .replacing) THEN excluded.size ELSE max(size, excluded.size) END,
                directory = excluded.directory, name = excluded.name,
                noted = max(noted, excluded.noted), state = \(attempt: .unknown),
                source = coalesce(excluded.source, source),
                doubtful = CASE WHEN excluded.source IS NOT NULL THEN 0
                    WHEN source IS NOT NULL AND state != \(attempt: .notMoved) THEN doubtful
                    ELSE max(doubtful, excluded.doubtful) END
            """, .text(destination), .text(item.objectKey.text), Value([UInt8](hexadecimal: item.sha256)),
            .text(item.role.rawValue), .integer(bytes ?? item.size), Value(place?.directory),
            place.map { .blob($0.name) } ?? .null, Value(source?.text), .integer(isDoubtful && source == nil ? 1 : 0),
            .integer(FileTime(item.lastAttemptAt ?? item.createdAt).nanoseconds))
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
        let place = try place(of: receipt)
        try noteLeftover(
            at: receipt.key, destination: receipt.destination, role: receipt.role, place, sha256: sha256, size: size)
    }

    /// Remembers with the next commit that the object which `attempt` brought to its key is ours, whatever it holds.
    package func noteLeftover(of attempt: Attempt, sha256: String, size: Int64) throws {
        try noteLeftover(
            at: attempt.key, destination: attempt.destination, role: attempt.role, attempt.place, sha256: sha256,
            size: size)
    }

    private func noteLeftover(
        at key: ObjectKey, destination: String, role: Item.Role, _ place: Asset.Place?, sha256: String, size: Int64
    ) throws {
        try writeAttempts(
            """
            INSERT INTO attempts (destination, key, sha256, role, size, directory, name, state)
            VALUES (?, ?, ?, ?, ?, ?, ?, \(attempt: .there))
            ON CONFLICT (destination, key, sha256) DO UPDATE SET role = excluded.role, size = excluded.size,
                directory = excluded.directory, name = excluded.name, doubtful = 1,
                source = CASE state WHEN \(attempt: .unknown) THEN source END,
                state = CASE state WHEN \(attempt: .unknown) THEN \(attempt: .unknown) ELSE excluded.state END
            """, .text(destination), .text(key.text), Value([UInt8](hexadecimal: sha256)), .text(role.rawValue),
            .integer(size), Value(place?.directory), place.map { .blob($0.name) } ?? .null)
    }
}

// MARK: - Settling

/// The server's answer is about the attempt as it was read before asking: if `noted` has changed since, because the
/// request is sent once more, the row stays as it is.
extension Library {
    /// Notes that the server showed the object: from now on it counts as a leftover of `size` bytes.
    package func settle(_ attempt: Attempt, isThere size: Int64) throws {
        try set(attempt, "state = \(attempt: .there), source = NULL, size = ?", .integer(size))
    }

    /// Notes that the object was deleted, and takes no room any more.
    ///
    /// A request on its way may still create it again.
    package func settle(deleted attempt: Attempt) throws {
        try set(attempt, "state = \(attempt: .unknown), size = 0")
    }

    /// Notes that the object has not been moved.
    package func settle(notMoved attempt: Attempt) throws { try set(attempt, "state = \(attempt: .notMoved)") }

    /// Forgets an attempt that left nothing under its key, or no longer matters.
    package func forget(_ attempt: Attempt) throws {
        try writeAttempts("DELETE FROM attempts WHERE \(Self.isAttempt)", binding: values(of: attempt))
    }

    private func set(_ attempt: Attempt, _ change: String, _ values: Value...) throws {
        try writeAttempts(
            "UPDATE attempts SET \(change) WHERE \(Self.isAttempt)", binding: values + self.values(of: attempt))
    }

    /// The row of an attempt that was not noted anew since it was read.
    private static let isAttempt = "destination = ? AND key = ? AND sha256 = ? AND noted = ?"

    private func values(of attempt: Attempt) -> [Value] {
        [
            .text(attempt.destination), .text(attempt.key.text), Value([UInt8](hexadecimal: attempt.sha256)),
            .integer(FileTime(attempt.notedAt).nanoseconds),
        ]
    }

    /// Notes that a move took place: the receipt gets the new key, and the former file is read again where it is back.
    ///
    /// - Parameters:
    ///   - isGone: Whether the former file is known to be gone: then its asset is deleted.
    ///   - isExpected: Whether another request for the same move may still arrive, and take what the former key holds then.
    package func settle(
        moved attempt: Attempt, from receipt: Receipt, held: HeldObject, isGone: Bool = false, isExpected: Bool = false,
        at now: Date
    ) throws {
        let place = try place(of: receipt)
        // Pictures that are older than their original show its file's former content (`isUnpictured`).
        let item = place == attempt.place ? receipt.item : receipt.item.redated(at: now)
        let present = try self.receipt(destination: receipt.destination, key: receipt.key)
        if receipt.role == .original, present?.item == receipt.item {
            let target = attempt.place ?? place
            try sendBackFile(keptAt: attempt.key, destination: receipt.destination, besides: target)
        }
        try write(
            """
            UPDATE OR REPLACE receipts SET key = ?, item = ?, object = ?, version = ?, etag = ?, updated = ?,
                verified = ?, directory = coalesce(?, directory), name = coalesce(?, name)
            WHERE destination = ? AND key = ? AND item = ?
            """, .text(attempt.key.text), .text(item.text), Value(held.id), Value(held.version), Value(held.eTag),
            Value(held.updatedAt), .integer(FileTime(now).nanoseconds), Value(attempt.place?.directory),
            attempt.place.map { .blob($0.name) } ?? .null, .text(receipt.destination), .text(receipt.key.text),
            .text(receipt.item.text))
        // Another move of this object was found to have taken place meanwhile, so what this one brought is a leftover.
        guard database.changes > 0 else { return try settle(attempt, isThere: receipt.size) }
        if isExpected { try settle(notMoved: attempt) } else { try forget(attempt) }
        try settleMarks(at: attempt.key, destination: attempt.destination)
        try moveMark(of: receipt, to: attempt.key)
        guard let place, let target = attempt.place else { return }
        // A move within one file sets its object aside, because the file is gone; or brings it back.
        if place == target {
            guard attempt.key.isBeside(receipt.sha256),
                let aside = try self.receipt(destination: receipt.destination, key: attempt.key)
            else { return }
            // A file that has its content back is restored by its name only once the object has that again.
            if try file(at: place, keptBy: aside) != nil { try readAgain(place, if: .stored) }
            return try noteAside(aside)
        }
        try leave(place, receipt, isGone: isGone)
        try noteAbsentFile(of: receipt, at: target)
    }

    /// Updates the file whose object went to another key: it is read again, or has another name now.
    private func leave(_ place: Asset.Place, _ receipt: Receipt, isGone: Bool) throws {
        guard receipt.role == .original else { return try wantPicture(receipt.role, of: place) }
        let columns: [Value] = [.integer(place.directory), .blob(place.name)]
        try outdatePictures(at: place, destination: receipt.destination)
        let here = """
            WHERE directory = ?1 AND name = ?2 AND NOT EXISTS (
                SELECT 1 FROM receipts r WHERE r.directory = ?1 AND r.name = ?2 AND r.role = 'original')
            """
        // A file that was renamed is not lost, but its old row would count as a file deleted before it was stored.
        try write(
            "DELETE FROM assets \(here) AND state IN \(assets: isGone ? [.stored, .remoteOnly] : [.remoteOnly])",
            binding: columns)
        if database.changes > 0 { try noteForgotten(at: place) }
        try write(
            "UPDATE assets SET state = \(asset: .seen), rank = rank % 2 \(here) AND state = \(asset: .stored)",
            binding: columns)
    }
}
