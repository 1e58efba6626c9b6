package import FoundationEssentials

/// One upload in pieces: what must be remembered, durably and before the first byte, to go on with it.
package struct ResumableUpload: Codable, Hashable, Sendable {
    /// The last segment of its URL; the rest of the URL is rebuilt from our own endpoint each time.
    package let uploadID: String
    /// Servers forget uploads some hours after this, however lively they are (contract 4.7).
    package let createdAt: Date
    /// Bytes the server has acknowledged.
    package var offset: Int64

    package init(uploadID: String, createdAt: Date, offset: Int64 = 0) {
        self.uploadID = uploadID
        self.createdAt = createdAt
        self.offset = offset
    }

    /// Bytes of a chunk that no gateway minds and every store takes whole (contract 4.8).
    package static let chunkSize: Int64 = 6 * 1024 * 1024
}

/// Where the bytes of a resumable upload are to go, and with what.
package struct ResumableTarget: Hashable, Sendable {
    package var bucket: String
    package var key: String
    /// Bytes of the whole; 0 is better sent by a plain upload.
    package var length: Int64
    /// Bare, without parameters, or an allow-list may refuse it.
    package var contentType: String
    /// Seconds that others may keep a copy.
    package var cacheControl: Int
    package var metadata: [String: JSONValue]
    /// Whether what is under the key may be replaced; each request says so again.
    package var replacing: Bool

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

/// By what right an upload in pieces is made.
package enum ResumableAccess: Hashable, Sendable {
    case signedIn
    /// The token of a signed upload URL: no sign-in, another path, and the token decides what may be replaced.
    case signature(String)
}

/// How far an upload in pieces has come.
package struct ResumableProgress: Hashable, Sendable {
    /// Bytes the server has; continue here, whatever was sent.
    package let offset: Int64
    /// Whether the server said that the object is in place; without it only `info` proves that.
    package let isComplete: Bool
}
