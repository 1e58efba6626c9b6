import Cleansing
package import FoundationEssentials
package import Platform
package import Providers
package import Queue

/// One file of a job on its way from the provider's shelf into storage.
package struct JobFile: Hashable, Codable, Sendable {
    /// How far it has come; each stage is on disk before anything rests on it.
    package enum Stage: String, Hashable, Codable, Sendable, CaseIterable {
        case waiting
        /// Some of its bytes lie in the `.part`.
        case downloading
        /// All of them do, and they are what they should be.
        case probed
        /// On this disk under its own name.
        case safe
        /// In storage, with a receipt.
        case stored
        case failed
    }

    /// Kept whole in the state file only; shown through `Cleanser.link`.
    package var link: String
    /// The link without its query, which signatures change.
    package var identity: String
    package var kind: RemoteMedia.Kind
    package var fileName: String?
    /// As the provider, later as the file's bytes say.
    package var contentType: String?
    /// Bytes, by the provider's word.
    package var size: Int64?
    /// What else the provider says; a hint.
    package var claim: VideoResult?
    package var deadline: Deadline?
    package var needsAccount: Bool
    package var stage: Stage
    /// Bytes of the `.part` that are on the disk itself.
    package var received: Int64
    /// A strong ETag or a Last-Modified of the bytes in the `.part`.
    package var validator: String?
    /// Bytes of the whole, as the download says.
    package var total: Int64?
    /// Below the root of rescued files; the name it has once it is safe.
    package var path: FilePath?
    /// Of the downloaded bytes, 64 lowercase hex digits.
    package var sha256: String?
    /// Downloaded bytes.
    package var bytes: Int64?
    /// Measured from the downloaded file.
    package var result: VideoResult?
    package var objectKey: String?
    package var storedURL: String?
    /// Where its picture is stored, of the size nearest to 512 pixels; nil without one.
    package var thumbnailURL: String?
    /// Why there is none, where a row wanted it.
    package var thumbnailNote: String?
    package var storedAt: Date?
    /// What became of the row it came from.
    package var row: RowOutcome?
    /// Why the last attempt failed.
    package var failure: Item.Failure?
    /// Answered attempts that failed.
    package var attempts: Int
    /// Attempts in a row that nobody answered; they make waits longer and are never too many.
    package var misses: Int
    /// How often the bytes that came were no media.
    package var rejections: Int
    /// The server's ranges did not fit together: to be asked for in one piece.
    package var isWhole: Bool
    /// Not to be tried before; `nil` means now.
    package var nextAttemptAt: Date?
    /// When the provider was asked for a fresh link, since bytes last came.
    package var refreshedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case link, identity, kind, fileName, contentType, size, claim, deadline, needsAccount, stage, received
        case validator, total, path, sha256, bytes, result, objectKey, storedURL, thumbnailURL, thumbnailNote, storedAt,
            row
        case failure, attempts, misses, rejections, isWhole, nextAttemptAt, refreshedAt
    }

    /// A file to be fetched, as a provider tells of it.
    package init(_ media: RemoteMedia, by provider: ProviderName? = nil, createdAt: Date? = nil) {
        link = media.url
        identity = media.identity
        kind = media.kind
        fileName = media.fileName
        contentType = media.contentType
        size = media.size
        claim = provider.map { media.result(by: $0, createdAt: createdAt) }
        deadline = media.deadline
        needsAccount = media.needsAccount
        stage = .waiting
        received = 0
        attempts = 0
        misses = 0
        rejections = 0
        isWhole = false
    }
}

extension JobFile {
    /// Bytes, by the best word there is: counted, else announced by the download, else said by the provider.
    package var knownSize: Int64? { bytes ?? total ?? size }

    /// Whether nothing more is to be done about the file itself.
    package var isSettled: Bool { stage == .stored || stage == .failed }

    /// Whether its bytes are out of the provider's reach: on this disk or in storage.
    package var isSafe: Bool { stage == .safe || stage == .stored }

    /// The file as people and other programs may see it: no query of any link.
    package var redacted: JobFile {
        var file = self
        file.link = Cleanser.link(link)
        file.claim?.videoURL = Cleanser.link(claim?.videoURL ?? "")
        return file
    }
}
