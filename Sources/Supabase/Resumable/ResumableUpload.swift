package import FoundationEssentials

/// One upload in pieces: what must be saved, durably and before the first byte, to resume it.
package struct ResumableUpload: Codable, Hashable, Sendable {
    /// The last segment of its URL; the rest is rebuilt from the configured endpoint each time.
    package let uploadID: String
    /// Servers forget an upload some hours after this, even one that is in use (contract 4.7).
    package let createdAt: Date
    /// Bytes the server has acknowledged.
    package var offset: Int64

    /// An upload as the server created it, or as it was saved.
    package init(uploadID: String, createdAt: Date, offset: Int64 = 0) {
        self.uploadID = uploadID
        self.createdAt = createdAt
        self.offset = offset
    }

    /// Bytes of a chunk that every gateway passes and every store accepts whole (contract 4.8).
    package static let chunkSize: Int64 = 6 * 1024 * 1024
}

/// Where the bytes of an upload in pieces are to be stored, and with which metadata.
package struct ResumableTarget: Hashable, Sendable {
    /// The bucket's name, not encoded.
    package var bucket: String
    /// The key without the bucket, not encoded.
    package var key: String
    /// Bytes of the whole object; an empty one is better sent by a plain upload.
    var length: Int64
    /// Without parameters: an allow-list may refuse them.
    var contentType: String
    /// Seconds that caches may keep a copy.
    var cacheControl: Int
    /// User metadata, sent in a header when the upload is created.
    package var metadata: [String: JSONValue]
    /// Whether an existing object may be replaced; each request must say so again.
    package var replacing: Bool

    /// A target that, unless told otherwise, refuses to replace an existing object.
    package init(
        bucket: String, key: String, length: Int64, contentType: String, cacheControl: Int = 3600,
        metadata: [String: JSONValue] = [:], replacing: Bool = false
    ) {
        self.bucket = bucket
        self.key = key
        self.length = length
        self.contentType = contentType
        self.cacheControl = cacheControl
        self.metadata = metadata
        self.replacing = replacing
    }
}

/// How many bytes of an upload in pieces the server has.
package struct ResumableProgress: Hashable, Sendable {
    /// Bytes the server has; continue here, however many were sent.
    package let offset: Int64
    /// Whether the server said that the object is stored; without that only `info` proves it.
    package let isComplete: Bool
}
