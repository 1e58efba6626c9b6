import Database
import FoundationEssentials
import Platform
package import Queue
import Records
import Tables
import Text

/// An upload over the object of a receipt for other bytes.
///
/// Until its end is known that receipt proves nothing. The queue cannot tell that alone: if it lost the item, and the
/// file were again as it was, the receipt would count, although the object may hold the other bytes.
extension Library {
    /// Notes durably, before the first byte, that `item` is to replace the object of a receipt for other bytes.
    ///
    /// The budget does not count it, because room is reserved for the item while it is sent.
    package nonisolated func noteReplacement(by item: Item, destination: String) async throws {
        try await durably { try $0.insertReplacement(by: item, destination: destination) }
    }

    private func insertReplacement(by item: Item, destination: String) throws {
        let before = try receipt(destination: destination, key: item.objectKey)
        guard let before, before.sha256 != item.sha256 else { return }
        let place = try place(toNote: item)
        try writeAttempts(
            """
            INSERT INTO attempts (destination, key, sha256, role, size, directory, name, state, doubtful, noted)
            VALUES (?, ?, ?, ?, ?, ?, ?, \(attempt: .replacing), 0, ?)
            ON CONFLICT (destination, key, sha256) DO UPDATE SET noted = max(noted, excluded.noted),
                size = max(size, excluded.size),
                state = CASE state WHEN \(attempt: .replacing) THEN state ELSE \(attempt: .unknown) END
            """, .text(destination), .text(item.objectKey.text), Value([UInt8](hexadecimal: item.sha256)),
            .text(item.role.rawValue), .integer(item.size), Value(place?.directory),
            place.map { .blob($0.name) } ?? .null, .integer(FileTime(item.lastAttemptAt ?? item.createdAt).nanoseconds))
    }

    /// Forgets with the next commit that `item` was to replace an object: the server has certainly taken none of it.
    package func forgetReplacement(by item: Item, destination: String) throws {
        let own = "attempts WHERE destination = ? AND key = ? AND sha256 = ? AND state = \(attempt: .replacing)"
        let values: [Value] = [
            .text(destination), .text(item.objectKey.text), Value([UInt8](hexadecimal: item.sha256)),
        ]
        guard try database.exists("SELECT 1 FROM \(own)", binding: values) else { return }
        try writeAttempts("DELETE FROM \(own)", binding: values)
    }

    /// Counts replacements that an earlier run began, and whose items the queue has lost, as attempts without an answer,
    /// with the next commit.
    package func noteCutShortReplacements() throws {
        guard try database.exists("SELECT 1 FROM attempts WHERE state = \(attempt: .replacing)") else { return }
        try writeAttempts(
            "UPDATE attempts SET state = \(attempt: .unknown), doubtful = 1 WHERE state = \(attempt: .replacing)")
    }
}
