import Foundation
package import Platform
import Queue
package import Supabase
import Sync
package import Transfer
import Uploading

/// An object in the double of a bucket.
package struct StoredThing: Sendable {
    package var key: String
    package var bytes: [UInt8]
    package var metadata: [String: JSONValue]?
    package var eTag: String?
    package var version = "v1"
    /// The size that the server states, if it is not the true one.
    package var claimedSize: Int?

    /// An object of another client.
    package init(key: String, _ text: String, eTag: String? = nil) {
        self.key = key
        bytes = Array(text.utf8)
        self.eTag = eTag
    }

    /// The object that a sync makes of a file.
    package init(
        _ path: FilePath, _ text: String, root: String = "Pictures", prefix: String = "",
        at time: FileTime = Self.usualTime
    ) throws {
        let bytes = Array(text.utf8)
        let item = Item(
            root: root, path: path, role: .original, contentType: "image/jpeg", size: Int64(bytes.count),
            sha256: SHA256.hash(bytes).hexadecimal, modifiedAt: time, bucket: "media",
            objectKey: ObjectKey(prefix: prefix, root: root, path: path), now: Items.now)
        key = item.objectKey.text
        self.bytes = bytes
        metadata = ObjectMetadata(item, facts: nil).values
        eTag = "\"\(MD5.hash(bytes).hexadecimal)\""
    }

    package static let usualTime = FileTime(nanoseconds: 1_700_000_000_123_456_789)
    /// When every object was stored.
    package static let storedAt = "2026-11-20T18:36:45.278Z"

    /// A copy with a change.
    package func with(_ change: (inout StoredThing) -> Void) -> StoredThing {
        var thing = self
        change(&thing)
        return thing
    }
}

extension StoredThing {
    private struct Info: Codable {
        var id: String
        var name: String
        var version: String
        var bucket_id = "media"
        var size: Int?
        var etag: String?
        var metadata: [String: JSONValue]?
        var last_modified = StoredThing.storedAt
    }

    /// The server's answer to `info`.
    package var info: HTTPResponse {
        let info = Info(
            id: "id-\(key)", name: key, version: version, size: claimedSize ?? bytes.count, etag: eTag,
            metadata: metadata)
        return HTTPResponse(status: 200, body: Array((try? JSONEncoder().encode(info)) ?? Data()))
    }

    /// The object's row in a listing.
    package var row: String {
        let name = String(decoding: (try? JSONEncoder().encode(key)) ?? Data(), as: UTF8.self)
        return #"{"id":"id","name":\#(name),"metadata":{"size":\#(bytes.count)},"updated_at":"\#(Self.storedAt)"}"#
    }

    /// The answer `info` as the client reads it.
    package var read: ObjectInfo {
        get throws { try JSONDecoder().decode(ObjectInfo.self, from: Data(info.body)) }
    }
}
