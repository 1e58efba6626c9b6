import Database
package import FoundationEssentials
import Platform
package import Queue
import Records
import Text

/// A request to delete what lies under a key, which was not answered or whose answer is not written down yet.
package struct Deletion: LateRequest, Hashable, Sendable {
    /// URL, bucket and prefix, as `Destination.name` writes them.
    package let destination: String
    /// Whatever lies under it when the request arrives is deleted.
    package let key: ObjectKey
    /// When it was about to be requested.
    package let notedAt: Date
}

extension Library {
    /// Remembers durably that what lies under `keys` is about to be deleted.
    ///
    /// A request that is given up may still take effect, on what is stored under the key by then.
    package nonisolated func noteDeletion(of keys: [ObjectKey], destination: String, at now: Date) async throws {
        try await durably { library in
            for key in keys {
                try library.write(
                    """
                    INSERT INTO deletions (destination, key, noted) VALUES (?, ?, ?)
                    ON CONFLICT (destination, key) DO UPDATE SET earlier = noted, noted = excluded.noted
                    """, .text(destination), .text(key.text), .integer(FileTime(now).nanoseconds))
            }
        }
    }

    /// Forgets durably the last deletions of `keys`, which were answered; an earlier, unanswered one stays expected.
    package nonisolated func forgetDeletion(of keys: [ObjectKey], destination: String) async throws {
        try await durably { library in
            for key in keys {
                let place: [Value] = [.text(destination), .text(key.text)]
                try library.write(
                    "DELETE FROM deletions WHERE destination = ? AND key = ? AND earlier IS NULL", binding: place)
                try library.write(
                    "UPDATE deletions SET noted = earlier, earlier = NULL WHERE destination = ? AND key = ?",
                    binding: place)
            }
        }
    }

    /// Forgets with the next commit that anything was to be deleted under `key`.
    package func forget(_ deletion: Deletion) throws {
        try write(
            "DELETE FROM deletions WHERE destination = ? AND key = ?", .text(deletion.destination),
            .text(deletion.key.text))
    }

    /// The deletions that may have taken effect or still may, in the order of their keys.
    package func deletions(destination: String) throws -> [Deletion] {
        try database.rows("SELECT key, noted FROM deletions WHERE destination = ? ORDER BY key", .text(destination)) {
            Deletion(
                destination: destination, key: ObjectKey(text: $0.text(0)),
                notedAt: FileTime(nanoseconds: $0.integer(1)).date)
        }
    }
}
