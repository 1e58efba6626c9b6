import Database
import FoundationEssentials
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
    package nonisolated func remember(_ item: Item, destination: String, bytes: Int64? = nil) async throws {
        try await durably { try $0.noteAttempt(item, destination: destination, bytes: bytes) }
    }

    /// Remembers with the next commit what an earlier run was sending when it ended, or had not proven: it may be stored.
    package func noteInterrupted(_ items: [Item], destination: String) throws {
        for item in items where item.isOpen {
            // If the server has accepted an item, the bytes were the item's, so they are not doubtful.
            try noteAttempt(item, destination: destination, isDoubtful: !item.sent)
        }
    }

    /// Remembers with the next commit that bytes of `item` may lie under its key, so that they count as ours.
    ///
    /// - Parameters:
    ///   - bytes: How many the budget is to count; all of the item, unless it is known that none came.
    ///   - isDoubtful: Whether other bytes than the item's may have been sent under its name.
    package func noteAttempt(
        _ item: Item, destination: String, bytes: Int64? = nil, isDoubtful: Bool = true
    ) throws {
        let place = try place(toNote: item)
        try writeAttempts(
            """
            INSERT INTO attempts (destination, key, sha256, role, size, directory, name, doubtful, noted)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (destination, key, sha256) DO UPDATE SET role = excluded.role,
                size = CASE state WHEN \(attempt: .replacing) THEN excluded.size ELSE max(size, excluded.size) END,
                directory = excluded.directory, name = excluded.name,
                noted = max(noted, excluded.noted), state = \(attempt: .unknown),
                doubtful = max(doubtful, excluded.doubtful)
            """, .text(destination), .text(item.objectKey.text), Value([UInt8](hexadecimal: item.sha256)),
            .text(item.role.rawValue), .integer(bytes ?? item.size), Value(place?.directory),
            place.map { .blob($0.name) } ?? .null, Value(isDoubtful),
            .integer(FileTime(item.lastAttemptAt ?? item.createdAt).nanoseconds))
    }

    /// Remembers with the next commit that the object `receipt` was for is ours, whatever it holds now.
    ///
    /// A request with the same bytes that may still arrive stays expected.
    package func noteLeftover(of receipt: Receipt, sha256: String, size: Int64) throws {
        let place = try place(of: receipt)
        try noteLeftover(
            at: receipt.key, destination: receipt.destination, role: receipt.role, place, sha256: sha256, size: size)
    }

    /// Remembers with the next commit that the object which `move` brought to its key is ours.
    ///
    /// - Parameter sha256: Its hash, if it is not the object that was to be moved: it may hold anything then.
    package func noteLeftover(of move: Move, sha256: String? = nil, size: Int64) throws {
        try noteLeftover(
            at: move.key, destination: move.destination, role: move.role, move.place, sha256: sha256 ?? move.sha256,
            size: size, isDoubtful: sha256 != nil)
    }

    private func noteLeftover(
        at key: ObjectKey, destination: String, role: Item.Role, _ place: Asset.Place?, sha256: String, size: Int64,
        isDoubtful: Bool = true
    ) throws {
        try writeAttempts(
            """
            INSERT INTO attempts (destination, key, sha256, role, size, directory, name, doubtful, state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, \(attempt: .there))
            ON CONFLICT (destination, key, sha256) DO UPDATE SET role = excluded.role, size = excluded.size,
                directory = excluded.directory, name = excluded.name, doubtful = max(doubtful, excluded.doubtful),
                state = CASE state WHEN \(attempt: .unknown) THEN \(attempt: .unknown) ELSE excluded.state END
            """, .text(destination), .text(key.text), Value([UInt8](hexadecimal: sha256)), .text(role.rawValue),
            .integer(size), Value(place?.directory), place.map { .blob($0.name) } ?? .null, Value(isDoubtful))
    }
}

// MARK: - Settling

/// The server's answer is about the attempt as it was read before asking: if `noted` has changed since, because the
/// request is sent once more, the row stays as it is.
extension Library {
    /// Notes that the server showed the object: from now on it counts as a leftover of `size` bytes.
    package func settle(_ attempt: Attempt, isThere size: Int64) throws {
        try set(attempt, "state = \(attempt: .there), size = ?", .integer(size))
    }

    /// Notes that the object was deleted, and takes no room any more.
    ///
    /// A request on its way may still create it again.
    package func settle(deleted attempt: Attempt) throws {
        try set(attempt, "state = \(attempt: .unknown), size = 0")
    }

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
}
