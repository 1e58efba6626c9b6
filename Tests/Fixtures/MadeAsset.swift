package import Catalog
import Foundation
package import MediaModel
package import Platform
package import Queue
import Records
package import Roots

/// An asset as a test wants the library to know it.
package struct MadeAsset: Sendable {
    package var path: FilePath
    /// Seconds since 1970 UTC; `nil` if the file states no date.
    package var takenAt: Double?
    /// Seconds by which the clock there was ahead of UTC.
    package var takenAtOffset: Int?
    package var modified: Int64 = 1_700_000_000
    package var size: Int64 = 7
    package var width = 4000
    package var height = 3000
    package var duration: Double?
    package var type = MediaType.jpeg
    package var state = Asset.State.stored
    package var camera: String?
    /// The identifier that the photo and the movie of a Live Photo share.
    package var contentIdentifier: String?
    package var clip: EmbeddedClip?
    /// The path whose bytes it has; `nil` for bytes of its own.
    package var content: FilePath?

    package init(_ path: FilePath, takenAt: Double? = nil, state: Asset.State = .stored, type: MediaType = .jpeg) {
        (self.path, self.takenAt, self.state, self.type) = (path, takenAt, state, type)
    }

    package var sha256: String { SHA256.hash((content ?? path).bytes).hexadecimal }
}

extension Library {
    /// Writes `assets` below `root` into the library, durably, as the stages would.
    package func make(_ assets: [MadeAsset], below root: KnownRoot) throws {
        for made in assets {
            let seen = Observation(
                name: made.path.name, size: made.size, modifiedAt: FileTime(nanoseconds: made.modified * 1_000_000_000))
            _ = try merge(seen, at: made.path, root: root.id, origin: .backlog, now: Items.now)
            guard made.state != .seen, let asset = try asset(root: root.name, path: made.path) else { continue }
            var facts = MediaFacts(kind: made.type.kind, type: made.type)
            (facts.width, facts.height, facts.duration) = (made.width, made.height, made.duration)
            facts.takenAt = made.takenAt.map { Date(timeIntervalSince1970: $0) }
            facts.takenAtOffset = made.takenAtOffset
            facts.takenAtSource = made.takenAt.map { _ in .exif }
            facts.camera = made.camera
            (facts.contentIdentifier, facts.clip) = (made.contentIdentifier, made.clip)
            facts.thumbHash = "1QcSHQRnh493V4dIh4eXh1h4kJUI"
            try setFacts(facts, of: made.sha256, in: asset)
            try settle(
                asset, as: .identified(sha256: made.sha256, type: made.type.rawValue, next: made.state, note: nil))
        }
        try commit()
    }
}

extension Library {
    /// Writes the file of `item` into the library as one that was seen, and if `isRead` also read.
    package func see(_ item: Item, below root: KnownRoot, isRead: Bool = true) throws {
        let path = item.filePath
        let observation = Observation(name: path.name, size: item.size, modifiedAt: item.modifiedAt)
        _ = try merge(observation, at: path, root: root.id, origin: .backlog, now: item.createdAt)
        guard isRead, let asset = try asset(root: root.name, path: path) else { return }
        try settle(asset, as: .identified(sha256: item.sha256, type: item.contentType, next: .queued, note: nil))
    }
}
