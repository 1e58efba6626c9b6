import Cleansing
package import FoundationEssentials
package import Platform
package import Providers
package import Queue

/// One file of a job on its way from the provider into storage.
package struct JobFile: Hashable, Codable, Sendable {
    /// How far a file has come; each stage is on disk before anything relies on it.
    package enum Stage: String, Hashable, Codable, Sendable, CaseIterable {
        case waiting
        /// Some of its bytes lie in the `.part`.
        case downloading
        /// All of its bytes lie in the `.part`, and they are of the expected kind.
        case probed
        /// On this disk under its own name.
        case safe
        /// In storage, with a receipt.
        case stored
        case failed
    }

    /// Where to fetch it, with its query, which is a secret; shown only through `Cleanser.link`.
    package var link: String
    /// The link without its query, which changes with each signature; the same for one file.
    package var identity: String
    /// The kind that its bytes must be of; `unknown` accepts video, picture and sound.
    package var kind: RemoteMedia.Kind
    /// The name by the provider; shown until the file has its `path`, never used as a path.
    package var fileName: String?
    /// As the provider says, and once probed as the file's bytes say.
    package var contentType: String?
    /// Bytes, as the provider announced them.
    package var size: Int64?
    /// The facts that the provider claims; not verified.
    package var claim: VideoResult?
    /// When the provider deletes it; `nil` where that is unknown.
    package var deadline: Deadline?
    /// Whether the link works only with the provider account's headers.
    var needsAccount: Bool
    /// How far it has come.
    package var stage: Stage
    /// Bytes of the `.part` that are durable.
    package var received: Int64
    /// The strong ETag or Last-Modified of the bytes in the `.part`; sent as `If-Range`.
    package var validator: String?
    /// Bytes of the whole file, as the download says.
    package var total: Int64?
    /// Its path below the root of rescued files; `nil` until probed, valid once safe.
    package var path: FilePath?
    /// SHA-256 of the downloaded bytes, 64 lowercase hex digits; `nil` until probed.
    package var sha256: String?
    /// Bytes counted in the downloaded file; `nil` until probed.
    package var bytes: Int64?
    /// The facts measured in the downloaded file; `nil` until probed.
    package var result: VideoResult?
    /// The key under which storage holds it; `nil` until stored.
    package var objectKey: String?
    /// The object's URL, authenticated unless the bucket is public; `nil` until stored.
    package var storedURL: String?
    /// The URL of its stored thumbnail of the size nearest to 512 pixels; `nil` without one.
    package var thumbnailURL: String?
    /// The key of that thumbnail; `nil` without one.
    package var thumbnailKey: String?
    /// Why there is no thumbnail, where a row wanted it.
    package var thumbnailNote: String?
    /// When storage was verified to hold it; `nil` until then.
    package var storedAt: Date?
    /// What became of the row it came from; `nil` before the first try, and without a row.
    package var row: RowOutcome?
    /// The link that ends, and that its row holds or is to get; `nil` for none.
    package var rowLink: RowLink?
    /// Why the last attempt failed.
    package var failure: Item.Failure?
    /// Answered attempts that failed since bytes last came; the retry ladder limits them.
    package var attempts: Int
    /// Attempts in a row that got no answer; they lengthen the backoff and are not limited.
    package var misses: Int
    /// How often the bytes that came were no media.
    var rejections: Int
    /// Whether to request it in one piece, because the server's ranges did not fit together.
    package var isWhole: Bool
    /// The earliest time of the next attempt; `nil` means now.
    package var nextAttemptAt: Date?
    /// Why its link has ended, if another one is to be asked for; `nil` while the link may work.
    package var endedLink: Item.Failure?
    /// How many further links were named for it since bytes last came; the retry ladder limits them.
    package var renewals: Int?

    private enum CodingKeys: String, CodingKey {
        case link, identity, kind, fileName, contentType, size, claim, deadline, needsAccount, stage, received
        case validator, total, path, sha256, bytes, result, objectKey, storedURL, thumbnailURL, thumbnailKey
        case thumbnailNote, storedAt, row, rowLink
        case failure, attempts, misses, rejections, isWhole, nextAttemptAt, endedLink, renewals
    }

    /// A file to be fetched, as its provider describes it.
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
    /// Bytes, from the best source: counted, else by the download, else by the provider.
    package var knownSize: Int64? { bytes ?? total ?? size }

    /// Whether nothing more is to be done about the file itself.
    package var isSettled: Bool { stage == .stored || stage == .failed }

    /// Whether its row holds a link that is to be renewed.
    package var keepsRowLink: Bool { stage == .stored && row == .written && rowLink != nil }

    /// Whether its bytes no longer depend on the provider: on this disk or in storage.
    package var isSafe: Bool { stage == .safe || stage == .stored }

    /// Whether its link is of no more use, because all of its bytes are on this disk, examined or not.
    var hasArrived: Bool { isSafe || stage == .probed || hasAllBytes }

    /// What people know it by: its path here, the name that its provider gave it, or its link without a query.
    package var title: String { path?.display ?? fileName ?? Cleanser.link(link) }

    /// The file as people and other programs may see it: no query of any link.
    var redacted: JobFile {
        var file = self
        file.link = Cleanser.link(link)
        file.claim?.videoURL = Cleanser.link(claim?.videoURL ?? "")
        file.rowLink = nil
        return file
    }
}
