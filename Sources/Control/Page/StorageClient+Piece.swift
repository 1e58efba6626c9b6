package import Queue
package import Supabase
import Transfer

extension StorageClient {
    /// `count` bytes of an object from `offset` on, as the page reads it; fewer at the object's end.
    package func piece(
        of key: ObjectKey, in bucket: String, at offset: Int64, count: Int
    ) async throws -> [UInt8] {
        guard count > 0 else { return [] }
        let object = try await download(
            bucket: bucket, key: key.text, to: .memory(limit: count), range: .between(offset, count: Int64(count)))
        // A server that ignores ranges has sent the first bytes instead.
        return object.offset == offset ? object.body : []
    }
}
