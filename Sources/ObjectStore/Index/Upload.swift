import Database
import Serving

/// A resumable upload as the index stores it.
///
/// The size of its blob, which is named for `version` from the beginning, is the number of bytes that arrived.
package struct Upload: Hashable, Sendable {
    /// The name of its blob.
    package let version: String
    /// The bucket of the object that it becomes.
    package let bucket: String
    /// The key of the object that it becomes.
    package let key: String
    /// The `sub` of the user who began it; empty for the service role.
    let owner: String
    /// The bytes of the whole; `nil` until the client states them.
    package var length: Int64?
    /// The `Upload-Metadata` as HEAD repeats it.
    package let metadata: String
    /// Milliseconds since 1970.
    package let createdAt: Int64
    /// Whether the object was created, so that the blob belongs to it.
    package var isFinished: Bool
    /// The sizes in bytes of the parts that have ended, where eTags have parts.
    package var parts: [Int64] = []

    /// An upload with all that the index stores.
    package init(
        version: String, bucket: String, key: String, owner: String, length: Int64?, metadata: String, createdAt: Int64,
        isFinished: Bool, parts: [Int64] = []
    ) {
        self.version = version
        self.bucket = bucket
        self.key = key
        self.owner = owner
        self.length = length
        self.metadata = metadata
        self.createdAt = createdAt
        self.isFinished = isFinished
        self.parts = parts
    }
}

extension Upload {
    static let columns = "version, bucket, key, owner, length, metadata, created_at, finished, parts"

    init(_ row: Row) {
        version = row.text(0)
        bucket = row.text(1)
        key = row.text(2)
        owner = row.text(3)
        length = row.integerOrNil(4)
        metadata = row.text(5)
        createdAt = row.integer(6)
        isFinished = row.flag(7)
        parts = row.text(8).split(separator: ",").compactMap { Int64($0) }
    }

    var values: [Value] {
        [
            .text(version), .text(bucket), .text(key), .text(owner), Value(length), .text(metadata),
            .integer(createdAt), Value(isFinished), .text(parts.map(String.init).joined(separator: ",")),
        ]
    }

    /// The last segment of its URL: unpadded base64url of `bucket/key/version`.
    package var id: String { Base64URL.encode(Array("\(bucket)/\(key)/\(version)".utf8)) }
}

/// The decoded last segment of an upload's URL.
package struct UploadID: Hashable {
    /// The bucket of the upload.
    package let bucket: String
    /// The key of the object that the upload becomes.
    package let key: String
    /// The name of the upload's blob.
    package let version: String

    /// Decodes the segment; `nil` where it is none of ours.
    package init?(_ encoded: String) {
        guard let bytes = Base64URL.decode(encoded), let text = String(validating: bytes, as: UTF8.self),
            let first = text.firstIndex(of: "/"), first > text.startIndex, let last = text.lastIndex(of: "/"),
            first < last,
            text.index(after: first) < last, text.index(after: last) < text.endIndex
        else { return nil }
        bucket = String(text[..<first])
        key = String(text[text.index(after: first)..<last])
        version = String(text[text.index(after: last)...])
    }
}
