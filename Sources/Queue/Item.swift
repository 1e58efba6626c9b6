import Cleansing
package import FoundationEssentials
package import Platform

/// One entry of the upload queue: bytes of a file that are to become an object.
///
/// Encodes exactly as `queue.json` documents it; a key without a value is left out.
package struct Item: Codable, Hashable, Sendable, Identifiable {
    /// Unique among all items; sorts by the time of creation.
    package let id: ItemIdentifier
    /// The name of the root, not its directory.
    package let root: String
    /// The path below the root; a readable form where it is not UTF-8.
    package let path: String
    /// The path's bytes in base64, only where they are not UTF-8.
    package let pathBytes: String?
    /// Whether the bytes are the original or a thumbnail of it.
    package let role: Role
    /// The object's media type, such as `image/jpeg`.
    package let contentType: String
    /// The number of bytes to send.
    package let size: Int64
    /// The SHA-256 of the bytes to send, 64 lowercase hex digits.
    package let sha256: String
    /// The modification time of the original file.
    package let modifiedAt: FileTime
    /// The destination's bucket.
    package let bucket: String
    /// The key to fill; changes where it turns out to hold another client's object.
    package var objectKey: ObjectKey

    /// What the queue is to do with it; the functions in `Item+Transitions` decide how it changes.
    package var status: Status
    /// Failed attempts that the server answered; progress and the user's request reset it.
    package var retryCount: Int
    /// Why it cannot be sent, where the cause lies outside the item; only while `pending`.
    package var blocked: Blocked?
    /// Why the last attempt failed or what blocked it; `nil` before that and once completed.
    package var lastError: Failure?
    /// When the item was made.
    package let createdAt: Date
    /// When the user asked for the bytes to be sent again even if they are stored; `nil` without such a request.
    package var forcedAt: Date?
    /// When it was last marked `uploading`; `nil` before the first attempt.
    package var lastAttemptAt: Date?
    /// The earliest time of the next attempt; `nil` means now.
    package var nextAttemptAt: Date?
    /// When the proof was found; `nil` until `completed`.
    package var completedAt: Date?
    /// Whether all bytes were accepted once, so that the server is asked for the object before anything is sent.
    package var sent: Bool
    /// Where a resumable upload continues; `nil` without one.
    package var resume: Resume?
}

extension Item {
    /// What the queue is to do with the item, by the table in `design.md`.
    package enum Status: String, Codable, Hashable, Sendable, CaseIterable {
        case pending, uploading, completed, failed
    }

    /// A cause outside the item that keeps it from being sent.
    package enum Blocked: String, Codable, Hashable, Sendable {
        case offline, budget, paused, signIn, bucket, tooLarge, metered
        /// The file's disk is not mounted.
        case away
    }

    /// Whether an object holds the original or a thumbnail.
    package struct Role: RawRepresentable, Codable, Hashable, Sendable {
        /// `original`, or `thumbnail-` and the size in pixels.
        package let rawValue: String
        /// A role read back from state, taken as it is.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The file itself.
        package static let original = Role(rawValue: "original")

        /// A thumbnail whose longer side has at most `size` pixels.
        package static func thumbnail(_ size: Int) -> Role { Role(rawValue: "thumbnail-\(size)") }

        /// The size of a thumbnail, `nil` for an original.
        package var thumbnailSize: Int? {
            rawValue.hasPrefix("thumbnail-") ? Int(rawValue.dropFirst("thumbnail-".count)) : nil
        }
    }

    /// Why an attempt failed, for programs and for the user.
    package struct Failure: Codable, Hashable, Sendable, Error {
        /// What kind of failure it is, the same word from version to version.
        package let code: FailureCode
        /// One sentence: what, where, and the other side's words.
        package let message: String
        /// Whether the same attempt may succeed later without any change.
        package let retryable: Bool

        /// A failure as it was met; `message` is cleansed by the caller.
        package init(code: FailureCode, message: String, retryable: Bool) {
            self.code = code
            self.message = message
            self.retryable = retryable
        }

        /// Reads a stored failure and cleanses it, since earlier versions stored the server's words unchanged.
        package init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: CodingKeys.self)
            code = try keys.decode(FailureCode.self, forKey: .code)
            message = Cleanser().text(try keys.decode(String.self, forKey: .message))
            retryable = try keys.decode(Bool.self, forKey: .retryable)
        }
    }

    /// Where a resumable upload continues.
    package struct Resume: Codable, Hashable, Sendable {
        /// The last segment of the upload's URL; the rest follows from our own endpoint.
        package let uploadID: String
        /// When the upload was begun, since servers let it expire.
        package let createdAt: Date
        /// The number of bytes that the server has acknowledged.
        package let offset: Int64
        /// The pieces in which it accepted them; `nil` where unknown.
        package var pieces: SentPieces?
        /// The greatest number that it had acknowledged before it lost some; `nil` if that is `offset`.
        package internal(set) var furthest: Int64?

        /// The position that the server stated last.
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
        modifiedAt: FileTime, bucket: String, objectKey: ObjectKey, forcedAt: Date? = nil, now: Date
    ) {
        self.init(
            id: ItemIdentifier(at: now), root: root, path: path.display,
            pathBytes: path.string == nil ? Data(path.bytes).base64EncodedString() : nil, role: role,
            contentType: contentType, size: size, sha256: sha256, modifiedAt: modifiedAt, bucket: bucket,
            objectKey: objectKey, status: .pending, retryCount: 0, createdAt: now, forcedAt: forcedAt, sent: false)
    }

    /// The path below the root, byte for byte.
    package var filePath: FilePath {
        guard let bytes = pathBytes.flatMap({ Data(base64Encoded: $0) }) else { return FilePath(path) }
        return FilePath(bytes: Array(bytes))
    }

    /// Whether work is left: pending or uploading.
    package var isOpen: Bool { status == .pending || status == .uploading }

    /// Whether its bytes may already be stored under its key, because it was marked `uploading` once.
    package var mayHaveArrived: Bool { lastAttemptAt != nil }

    /// Whether bytes that differ from those of `next` are on their way to the key of `next`, or lie there without a proof.
    ///
    /// If its attempt ended in another way, what that may have left was noted then.
    package func hasUnproven(otherThan next: Item) -> Bool {
        (status == .uploading || sent) && sha256 != next.sha256
    }

    /// Whether both are of the same file, as the original or as pictures.
    package func isOfSameFile(as other: Item) -> Bool {
        root == other.root && path == other.path && pathBytes == other.pathBytes
    }

    /// Where its object goes, as `ObjectKey.place` tells it.
    package var place: String { objectKey.place(in: bucket) }
}

extension ObjectKey: Codable {
    /// Reads the key as it is; it is not checked.
    package init(from decoder: any Decoder) throws {
        self.init(text: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the key as one string.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
