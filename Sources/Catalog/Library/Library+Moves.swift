import Database
package import FoundationEssentials
import Platform
package import Queue
package import Records
import Tables
import Text

// MARK: - Writing down

extension Library {
    /// Remembers durably that an object is about to be moved to the key of `item`.
    package nonisolated func noteMove(
        of item: Item, from source: ObjectKey, destination: String, at now: Date
    ) async throws {
        try await durably { library in
            let place = try library.place(toNote: item)
            try library.insert(
                Move(
                    destination: destination, from: source, to: item.objectKey, sha256: item.sha256, role: item.role,
                    place: place, isSettled: false, notedAt: now))
        }
    }

    /// Remembers durably that the object of `receipt` is about to be moved to `key`.
    package nonisolated func noteMove(of receipt: Receipt, to key: ObjectKey, at now: Date) async throws {
        try await durably { library in
            let place = try library.place(of: receipt)
            try library.insert(
                Move(
                    destination: receipt.destination, from: receipt.key, to: key, sha256: receipt.sha256,
                    role: receipt.role, place: place, isSettled: false, notedAt: now))
        }
    }

    private func insert(_ move: Move) throws {
        try write(
            """
            INSERT INTO moves (destination, source, key, sha256, role, directory, name, noted)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (destination, source, key) DO UPDATE SET sha256 = excluded.sha256, role = excluded.role,
                directory = excluded.directory, name = excluded.name, settled = 0,
                earlier = CASE noted WHEN excluded.noted THEN earlier ELSE noted END, noted = excluded.noted
            """, .text(move.destination), .text(move.source.text), .text(move.key.text),
            Value([UInt8](hexadecimal: move.sha256)), .text(move.role.rawValue), Value(move.place?.directory),
            move.place.map { .blob($0.name) } ?? .null, .integer(FileTime(move.notedAt).nanoseconds))
    }

    /// Notes with the next commit that the last request for a move was answered; an earlier one that was given up stays
    /// expected.
    ///
    /// A look in between was too early to settle it.
    package func noteAnswer(toMoveFrom source: ObjectKey, to key: ObjectKey, destination: String) throws {
        try write(
            """
            UPDATE moves SET settled = 0, noted = earlier, earlier = 0
            WHERE destination = ? AND source = ? AND key = ?
            """, .text(destination), .text(source.text), .text(key.text))
    }
}

// MARK: - Settling

/// The server's answer is about the move as it was read before asking: if it was noted anew since, because it is requested
/// once more, the row stays as it is.
extension Library {
    /// Notes with the next commit that it is known how the last request for `move` ended.
    ///
    /// One that may still arrive stays expected, because it would move whatever lies under its old key by then.
    package func settle(_ move: Move, at now: Date) throws {
        let change = move.mayArrive(at: now) ? "UPDATE moves SET settled = 1" : "DELETE FROM moves"
        try write(
            "\(change) WHERE destination = ? AND source = ? AND key = ? AND noted = ?", .text(move.destination),
            .text(move.source.text), .text(move.key.text), .integer(FileTime(move.notedAt).nanoseconds))
    }

    /// Settles the moves from `key` to keys that have receipts for their objects; a move to yet another key must still be
    /// asked about.
    func settleMoves(from key: ObjectKey, destination: String) throws {
        let done = """
            destination = ?1 AND source = ?2 AND EXISTS (SELECT 1 FROM receipts r
                WHERE r.destination = moves.destination AND r.key = moves.key AND r.sha256 = moves.sha256)
            """
        let values: [Value] = [.text(destination), .text(key.text)]
        try write("DELETE FROM moves WHERE \(done) AND noted = 0", binding: values)
        try write("UPDATE moves SET settled = 1 WHERE \(done)", binding: values)
    }

    /// Notes that a move took place: the receipt gets the new key, and the former file is read again where it is back.
    ///
    /// - Parameter isGone: Whether the former file is known to be gone: then its asset is deleted.
    package func settle(
        moved move: Move, from receipt: Receipt, held: HeldObject, isGone: Bool = false, at now: Date
    ) throws {
        let place = try place(of: receipt)
        // Pictures that are older than their original show its file's former content (`isUnpictured`).
        let item = place == move.place ? receipt.item : receipt.item.redated(at: now)
        let present = try self.receipt(destination: receipt.destination, key: receipt.key)
        let replaced = try self.receipt(destination: move.destination, key: move.key)
        let losing = try replaced.flatMap { try $0.sha256 == receipt.sha256 ? nil : self.place(of: $0) }
        if receipt.role == .original, present?.item == receipt.item {
            let target = move.place ?? place
            try sendBackFile(keptAt: move.key, destination: receipt.destination, besides: target)
        }
        try write(
            """
            UPDATE OR REPLACE receipts SET key = ?, item = ?, object = ?, version = ?, etag = ?, updated = ?,
                verified = ?, directory = coalesce(?, directory), name = coalesce(?, name)
            WHERE destination = ? AND key = ? AND item = ?
            """, .text(move.key.text), .text(item.text), Value(held.id), Value(held.version), Value(held.eTag),
            Value(held.updatedAt), .integer(FileTime(now).nanoseconds), Value(move.place?.directory),
            move.place.map { .blob($0.name) } ?? .null, .text(receipt.destination), .text(receipt.key.text),
            .text(receipt.item.text))
        let hasFollowed = database.changes > 0
        memory.forgetOccupancies()
        try settle(move, at: now)
        // Another move of this object was found to have taken place meanwhile, so what this one brought is a leftover.
        guard hasFollowed else { return try noteLeftover(of: move, size: receipt.size) }
        if let losing {
            if receipt.role == .original { try readAgainIfUnkept(losing) } else { try losePicture(at: losing) }
        }
        try settleMarks(at: move.key, destination: move.destination)
        try moveMark(of: receipt, to: move.key)
        guard let place, let target = move.place else { return }
        // A move within one file sets its object aside, because the file is gone; or brings it back.
        if place == target {
            guard move.key.isBeside(receipt.sha256),
                let aside = try self.receipt(destination: receipt.destination, key: move.key)
            else { return }
            try giveName(receipt.key, to: place, aside)
            return try noteAside(aside)
        }
        try leave(place, receipt, isGone: isGone)
        try noteAbsentFile(of: receipt, at: target)
    }

    /// Has the file at `place` read again if its object is to get the name `key`, which was freed.
    ///
    /// It is restored by its name only then. Its content is that of the object `aside` again, or was stored beside it
    /// because the move was refused first.
    private func giveName(_ key: ObjectKey, to place: Asset.Place, _ aside: Receipt) throws {
        guard let asset = try asset(at: place), asset.state == .stored, let sha256 = asset.sha256 else { return }
        if sha256 != aside.sha256 {
            let beside = try self.receipt(destination: aside.destination, key: key.beside(sha256))
            guard let beside, beside.sha256 == sha256, try self.place(of: beside) == place else { return }
            try outdate(beside)
        }
        try readAgain(place, if: .stored)
    }

    /// Updates the file whose object went to another key: it is read again, or has another name now.
    private func leave(_ place: Asset.Place, _ receipt: Receipt, isGone: Bool) throws {
        guard receipt.role == .original else { return try losePicture(at: place) }
        try outdatePictures(at: place, destination: receipt.destination)
        // A file that was renamed is not lost, but its old row would count as a file deleted before it was stored.
        let isForgotten = try forgetFile(leftAt: place, among: isGone ? [.stored, .remoteOnly] : [.remoteOnly])
        if isForgotten { try noteForgotten(at: place) } else { try readAgainIfUnkept(place) }
    }

    /// Has the file at `place` read again if no object keeps the content by which it counts as stored.
    ///
    /// A former content of it may still be stored under its name.
    func readAgainIfUnkept(_ place: Asset.Place) throws {
        try write(
            """
            UPDATE assets SET state = \(asset: .seen), rank = rank % 2
            WHERE directory = ?1 AND name = ?2 AND state = \(asset: .stored) AND NOT EXISTS (
                SELECT 1 FROM receipts r WHERE r.directory = ?1 AND r.name = ?2 AND r.role = 'original'
                    AND r.sha256 = assets.sha256)
            """, .integer(place.directory), .blob(place.name))
    }
}

// MARK: - Looking

extension Library {
    /// Moves that may have taken place or still may, in the order of the keys they move from.
    package func expectedMoves(destination: String) throws -> [Move] {
        try moves("destination = ? ORDER BY source", .text(destination))
    }

    /// Moves of the object under `key` that may have taken place.
    package func unsettledMoves(from key: ObjectKey, destination: String) throws -> [Move] {
        try expectedMoves(from: key, destination: destination).filter { !$0.isSettled }
    }

    /// Moves of the object under `key` that may have taken place or still may.
    package func expectedMoves(from key: ObjectKey, destination: String) throws -> [Move] {
        try moves("destination = ? AND source = ?", .text(destination), .text(key.text))
    }

    /// Moves of objects to `key` that may have taken place or still may.
    package func expectedMoves(to key: ObjectKey, destination: String) throws -> [Move] {
        try moves("destination = ? AND key = ?", .text(destination), .text(key.text))
    }

    /// A move that may have taken place, from or to the key of `item`, or of an object with the same bytes.
    ///
    /// - Parameter isOthers: Whether a move to the item's own key is left out.
    package func unsettledMove(before item: Item, isOthers: Bool, destination: String) throws -> Move? {
        try moves(
            """
            destination = ?1 AND NOT settled AND NOT (?5 AND key = ?2)
                AND (source = ?2 OR key = ?2 OR sha256 = ?3 AND role = ?4) LIMIT 1
            """, .text(destination), .text(item.objectKey.text), Value([UInt8](hexadecimal: item.sha256)),
            .text(item.role.rawValue), .integer(isOthers ? 1 : 0)
        ).first
    }

    private func moves(_ condition: String, _ values: Value...) throws -> [Move] {
        var found: [Move] = []
        try database.each(
            """
            SELECT destination, source, key, sha256, role, settled, noted, directory, name FROM moves
            WHERE \(condition)
            """, binding: values
        ) { row in
            let place = row.integerOrNil(7) == nil ? nil : Asset.Place(at: 7, of: row)
            found.append(
                Move(
                    destination: row.text(0), from: ObjectKey(text: row.text(1)), to: ObjectKey(text: row.text(2)),
                    sha256: row.blob(3).hexadecimal, role: Item.Role(rawValue: row.text(4)), place: place,
                    isSettled: row.flag(5), notedAt: FileTime(nanoseconds: row.integer(6)).date))
        }
        return found
    }
}
