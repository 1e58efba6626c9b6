import Catalog
import Configuration
package import Queue
import Supabase

extension Sender {
    /// Deletes what lies under `keys`, and returns those that the server has deleted; throws `StorageError`.
    ///
    /// Another request may have deleted the rest: the next settling asks about them.
    ///
    /// - Parameters:
    ///   - sparesLastCopies: Whether objects stay that have become the last copy of something since they were looked at.
    ///   - forget: Forgets the receipts under the deleted keys, before their deletions are forgotten.
    package func delete(
        _ keys: [ObjectKey], sparesLastCopies: Bool = false, forgetting forget: (Set<ObjectKey>) async throws -> Void
    ) async throws -> Set<ObjectKey> {
        let deleted = try await delete(keys, sparesLastCopies: sparesLastCopies)
        try await forget(Set(deleted))
        try await library.forgetDeletion(of: deleted, destination: destination.name)
        return Set(deleted)
    }

    /// Deletes what lies under `keys`, and returns those that the server has deleted; throws `StorageError`.
    ///
    /// Each deletion is written down first, and stays so: a crash leaves no receipt without an object, and a request
    /// that is given up may still arrive, so the next settling asks about it.
    func delete(_ keys: [ObjectKey], sparesLastCopies: Bool = false) async throws -> [ObjectKey] {
        var keys = keys
        try await library.noteDeletion(of: keys, destination: destination.name, at: clock())
        if sparesLastCopies {
            // From here on no mark passes to any of them: `decideLastCopy` counts on nothing that is being deleted.
            let spared = try await library.lastCopies(among: keys, destination: destination.name)
            try await library.forgetDeletion(of: spared, destination: destination.name)
            keys.removeAll(where: spared.contains)
        }
        let deleted = try await storage.deleteAll(bucket: destination.bucket, keys: keys.map(\.text))
        return keys.filter { deleted.contains($0.text) }
    }
}
