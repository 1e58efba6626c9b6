import Catalog
import Configuration
package import Queue
import Supabase

extension Sender {
    /// Deletes what lies under `keys`, and returns those that the server has deleted; throws `StorageError`.
    ///
    /// Another request may have deleted the rest: the next settling asks about them.
    ///
    /// - Parameter forget: Forgets the receipts under the deleted keys, before their deletions are forgotten.
    package func delete(
        _ keys: [ObjectKey], forgetting forget: (Set<ObjectKey>) async throws -> Void
    ) async throws -> Set<ObjectKey> {
        let deleted = try await delete(keys)
        try await forget(Set(deleted))
        try await library.forgetDeletion(of: deleted, destination: destination.name)
        return Set(deleted)
    }

    /// Deletes what lies under `keys`, and returns those that the server has deleted; throws `StorageError`.
    ///
    /// Each deletion is written down first, and stays so: a crash leaves no receipt without an object, and a request
    /// that is given up may still arrive, so the next settling asks about it.
    func delete(_ keys: [ObjectKey]) async throws -> [ObjectKey] {
        try await library.noteDeletion(of: keys, destination: destination.name, at: clock())
        let deleted = try await storage.deleteAll(bucket: destination.bucket, keys: keys.map(\.text))
        return keys.filter { deleted.contains($0.text) }
    }
}
