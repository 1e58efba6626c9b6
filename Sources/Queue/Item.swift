import Cleansing
package import FoundationEssentials
package import Platform

/// One entry of the upload queue: these bytes are to become that object.
///
/// Encodes exactly as `queue.json` documents it; a key without a value is left out.
package struct Item: Codable, Hashable, Sendable, Identifiable {
    package let id: ItemIdentifier
    /// The name of the root, not its directory.
    package let root: String
    /// The path below the root, for people where it is not UTF-8.
    package let path: String
    /// The path's bytes in base64, only where they are not UTF-8.
    package let pathBytes: String?
    package let role: Role
    package let contentType: String
    /// Bytes to send.
    package let size: Int64
    /// Of the bytes to send, 64 lowercase hex digits.
    package let sha256: String
    package let modifiedAt: FileTime
    package let bucket: String
    package var objectKey: ObjectKey

    package var status: Status
    /// Answered attempts that failed since the item was made.
    package var retryCount: Int
    /// What outside the item is in the way; only while `pending`.
    package var blocked: Blocked?
    package var lastError: Failure?
    package let createdAt: Date
    package var lastAttemptAt: Date?
    /// Not to be tried before; `nil` means now.
    package var nextAttemptAt: Date?
    package var completedAt: Date?
    /// All bytes were accepted; what is missing is the proof.
    package var sent: Bool
    package var resume: Resume?
}

extension Item {
    /// What the queue is to do with the item, one word of `design.md`'s table.
    package enum Status: String, Codable, Hashable, Sendable, CaseIterable {
        case pending, uploading, completed, failed
    }

    /// What outside the item keeps it from being sent.
    package enum Blocked: String, Codable, Hashable, Sendable {
        case offline, budget, paused, signIn, bucket, tooLarge, metered
        /// The disk that the file lies on is not there.
        case away
    }

    /// Which bytes of an asset the object holds.
    package struct Role: RawRepresentable, Codable, Hashable, Sendable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The file itself.
        package static let original = Role(rawValue: "original")

        /// A picture whose longer side has at most `size` pixels.
        package static func thumbnail(_ size: Int) -> Role { Role(rawValue: "thumbnail-\(size)") }

        /// The size of a thumbnail, `nil` for an original.
        package var thumbnailSize: Int? {
            rawValue.hasPrefix("thumbnail-") ? Int(rawValue.dropFirst("thumbnail-".count)) : nil
        }
    }

    /// Why an attempt failed, in a form that programs and people read.
    package struct Failure: Codable, Hashable, Sendable, Error {
        /// A stable word such as `http.503`, `storage.NoSuchBucket` or `file.EACCES`.
        package let code: String
        /// One sentence: what, where, and the other side's words.
        package let message: String
        package let retryable: Bool

        package init(code: String, message: String, retryable: Bool) {
            self.code = code
            self.message = message
            self.retryable = retryable
        }

        /// Reads what was written down; earlier versions kept the other side's words as they came.
        package init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: CodingKeys.self)
            let cleanser = Cleanser()
            code = cleanser.text(try keys.decode(String.self, forKey: .code), limit: 100)
            message = cleanser.text(try keys.decode(String.self, forKey: .message))
            retryable = try keys.decode(Bool.self, forKey: .retryable)
        }
    }

    /// Where a resumable upload goes on.
    package struct Resume: Codable, Hashable, Sendable {
        package let uploadID: String
        package let createdAt: Date
        /// Bytes the server has acknowledged.
        package let offset: Int64
        /// In which pieces it took them; `nil` where that is not known.
        package var pieces: SentPieces?

        package init(uploadID: String, createdAt: Date, offset: Int64, pieces: SentPieces? = nil) {
            self.uploadID = uploadID
            self.createdAt = createdAt
            self.offset = offset
            self.pieces = pieces
        }
    }
}

extension Item {
    /// A new entry, pending and due at once.
    package init(
        root: String, path: FilePath, role: Role, contentType: String, size: Int64, sha256: String,
        modifiedAt: FileTime, bucket: String, objectKey: ObjectKey, now: Date
    ) {
        self.init(
            id: ItemIdentifier(at: now), root: root, path: path.display,
            pathBytes: path.string == nil ? Data(path.bytes).base64EncodedString() : nil, role: role,
            contentType: contentType, size: size, sha256: sha256, modifiedAt: modifiedAt, bucket: bucket,
            objectKey: objectKey, status: .pending, retryCount: 0, createdAt: now, sent: false)
    }

    /// The path below the root, byte for byte.
    package var filePath: FilePath {
        guard let bytes = pathBytes.flatMap({ Data(base64Encoded: $0) }) else { return FilePath(path) }
        return FilePath(bytes: Array(bytes))
    }

    /// Whether it still has something to do: pending or uploading.
    package var isOpen: Bool { status == .pending || status == .uploading }

    /// Whether bytes of it may lie under its key: it was marked `uploading` once.
    package var mayHaveArrived: Bool { lastAttemptAt != nil }

    /// Whether bytes of it, which are not those of `next`, may lie under the key that `next` is to fill.
    package func mayLeaveBytes(besides next: Item) -> Bool { mayHaveArrived && sha256 != next.sha256 }

    /// Where it is to be stored, as a dictionary key.
    package var place: String { bucket + "/" + objectKey.text }
}

extension ObjectKey: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(text: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
