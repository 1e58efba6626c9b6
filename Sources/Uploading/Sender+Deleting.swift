import Catalog
import Configuration
package import Queue
import Supabase

extension Sender {
    /// Deletes what lies under `keys`, and returns those that the server has deleted; throws `StorageError`.
    ///
    /// Each deletion is written down first: a crash leaves no receipt without an object, and a request that is given
    /// up may still arrive, so the next settling asks about it. Of the deleted keys the caller forgets the receipts
    /// and then, with `Library.forgetDeletion`, the deletions.
    package func delete(_ keys: [ObjectKey]) async throws -> [ObjectKey] {
        try await library.noteDeletion(of: keys, destination: destination.name, at: clock())
        let deleted = try await storage.deleteAll(bucket: destination.bucket, keys: keys.map(\.text))
        return keys.filter { deleted.contains($0.text) }
    }
}
