package import Catalog
package import Configuration
package import FoundationEssentials
import MediaModel
import Platform
package import Queue
package import Records
package import Roots
import Text
package import Uploading

/// Stage 4: makes items of identified assets; durable before the next step hears of them.
package struct Enqueuer: Sendable {
    let library: Library
    let queue: UploadQueue
    let destination: Destination
    /// What comes before the root's name in every key; the prefix and, signed in as a user, the user id.
    let keyPrefix: String
    let clock: @Sendable () -> Date

    /// Makes items for `destination`, with keys that begin with `keyPrefix`.
    package init(
        library: Library, queue: UploadQueue, destination: Destination, keyPrefix: String,
        clock: @escaping @Sendable () -> Date
    ) {
        self.library = library
        self.queue = queue
        self.destination = destination
        self.keyPrefix = keyPrefix
        self.clock = clock
    }

    /// What became of an asset that was offered.
    package enum Outcome: Hashable, Sendable {
        case queued
        /// Its receipt exists for exactly these bytes.
        case alreadyStored
        /// Its root is indexed, and uploaded on request only.
        case indexed
        /// Too many other assets changed along with it, so none of them is sent for now.
        case held
        /// The user cancelled it while it was read, or its file is known to have changed by now.
        case overtaken
    }

    /// Puts the original into the queue, unless its receipt exists and the bytes are not asked for again.
    ///
    /// If pictures are due, the library notes so in one commit with what becomes of the asset.
    package func enqueue(
        _ identified: IdentifiedAsset, in root: Root, note: String?, arePicturesDue: Bool = false
    ) async throws -> Outcome {
        let asset = identified.asset
        let reading = { (next: Asset.State) in
            Reading.identified(
                sha256: identified.sha256, type: identified.identity.type.rawValue, next: next, note: note,
                arePicturesDue: arePicturesDue)
        }
        guard root.autoUpload || asset.rank.isNamed else {
            try await library.settle(asset, as: reading(.indexed))
            return .indexed
        }
        guard try await library.isCurrent(asset) else { return .overtaken }
        let key = ObjectKey(prefix: keyPrefix, root: asset.root, path: asset.path)
        let standing = await standing(of: identified.sha256, at: key, file: asset)
        // Taken before the receipt is read, so that a receipt that is confirmed later is not older than the item.
        let now = clock()
        let admission = try await library.admission(of: identified, as: key, destination: destination.name, at: now)
        switch admission {
        case .stored where standing.isOvertaken || standing.isForced: break
        case .stored:
            try await library.renewReceipt(of: asset, content: identified.sha256, at: now)
            try await library.settle(asset, as: reading(.stored))
            return .alreadyStored
        case .held:
            try await library.settle(asset, as: reading(.held))
            return .held
        case .free, .doubtful: break
        }
        var item = Item(
            root: asset.root, path: asset.path, role: .original, contentType: identified.identity.type.rawValue,
            size: asset.size, sha256: identified.sha256, modifiedAt: asset.modifiedAt, bucket: destination.bucket,
            objectKey: standing.key, forcedAt: asset.forcedAt?.date, now: now)
        item.sent = admission == .doubtful
        try await add(item, origin: asset.rank.origin)
        try await library.settle(asset, as: reading(.queued))
        if try await withdrawOvertaken(asset) { return .overtaken }
        try await readAgain(ifLost: item)
        return .queued
    }

    /// Puts thumbnails, which lie in the cache, into the queue; those that are stored already are left out.
    ///
    /// Returns `false` if they were left out because the file no longer has the content that they show.
    @discardableResult
    package func enqueue(
        _ thumbnails: [CachedThumbnail], of identified: IdentifiedAsset, in root: Root
    ) async throws -> Bool {
        let asset = identified.asset
        guard try await library.isCurrent(asset) else { return false }
        guard root.autoUpload || asset.rank.isNamed else { return true }
        let original = ObjectKey(prefix: keyPrefix, root: asset.root, path: asset.path)
        for thumbnail in thumbnails {
            let key = ObjectKey(
                thumbnail: thumbnail.size, of: original, prefix: keyPrefix, format: thumbnail.format)
            let standing = await standing(of: thumbnail.sha256, at: key, file: asset)
            let admission = try await library.admission(
                of: thumbnail.sha256, size: thumbnail.facts.size, as: [key, key.beside(thumbnail.sha256)],
                destination: destination.name, forcedAt: asset.forcedAt)
            if admission == .stored, !standing.isOvertaken { continue }
            var item = Item(
                root: asset.root, path: asset.path, role: .thumbnail(thumbnail.size),
                contentType: thumbnail.format.type.rawValue, size: thumbnail.facts.size, sha256: thumbnail.sha256,
                modifiedAt: thumbnail.facts.modifiedAt, bucket: destination.bucket, objectKey: standing.key,
                forcedAt: asset.forcedAt?.date, now: clock())
            item.sent = admission == .doubtful
            try await add(item, origin: asset.rank.origin)
        }
        return try await !withdrawOvertaken(asset)
    }

    /// The formats in which pictures of `asset` are on their way: newer ones go to the same keys, and replace them.
    func openFormats(of asset: Asset, sizes: [Int]) async -> [Item.Role: Set<ThumbnailFormat>] {
        let original = ObjectKey(prefix: keyPrefix, root: asset.root, path: asset.path)
        let keys = sizes.flatMap { size in
            ThumbnailFormat.stored.map { ObjectKey(thumbnail: size, of: original, prefix: keyPrefix, format: $0) }
        }
        let open = await queue.items(at: keys.map { $0.place(in: destination.bucket) }).filter(\.isOpen)
        return open.reduce(into: [:]) { formats, item in
            guard item.isOf(asset), let format = item.objectKey.thumbnailFormat else { return }
            formats[item.role, default: []].insert(format)
        }
    }

    /// Takes back what was added for a file that was cancelled or found changed at that moment; returns whether it was.
    ///
    /// The user's order withdrew what waited then, and not what was added after it. Items for other bytes of the file
    /// are withdrawn along with it, and the file is read again; its pictures are owed.
    private func withdrawOvertaken(_ asset: Asset) async throws -> Bool {
        if try await library.isCurrent(asset) { return false }
        let withdrawn = try await queue.withdraw { $0.isOf(asset) }
        for item in withdrawn { try await library.sendBack(item) }
        try await library.losePictures(of: withdrawn)
        return true
    }

    /// Has an original's file read again if its item was withdrawn before the library knew of it, for example by a late
    /// run for the file's former bytes.
    private func readAgain(ifLost item: Item) async throws {
        guard await queue.item(at: item.objectKey.place(in: destination.bucket)) == nil,
            try await library.blocked(item.objectKey, destination: destination.name) == nil
        else { return }
        try await library.sendBack(item)
    }

    /// What the queue knows about bytes that are to be stored.
    private struct Standing {
        /// The key that they are to fill.
        let key: ObjectKey
        /// Whether other bytes are on their way to the usual key, so that a receipt of these will not hold for long.
        let isOvertaken: Bool
        /// Whether these bytes are on their way because the user wants them sent, no matter what storage holds.
        let isForced: Bool
    }

    /// Looks at the items under `key`, the usual one of bytes with this hash, and under the one beside it.
    ///
    /// If another program's object lies under `key`, the file's item with these bytes may already be on its way beside it,
    /// where another file may have its own key. Must be asked before the receipt is read, because an item is open until
    /// its own receipt is written.
    private func standing(of sha256: String, at key: ObjectKey, file: Asset) async -> Standing {
        let beside = key.beside(sha256)
        let open = await queue.items(at: [key, beside].map { $0.place(in: destination.bucket) }).filter(\.isOpen)
        let same = open.filter { $0.sha256 == sha256 && $0.isOf(file) }
        return Standing(
            key: same.contains { $0.objectKey == beside } ? beside : key,
            isOvertaken: open.contains { $0.objectKey == key && $0.mayHaveArrived && $0.sha256 != sha256 },
            isForced: same.contains { $0.forcedAt != nil })
    }

    /// Adds an item; if the item that it replaces is being sent, that one's bytes are remembered as ours first.
    ///
    /// Where another file's item fills its place, it goes beside.
    private func add(_ item: Item, origin: Asset.Rank.Origin) async throws {
        var (item, remembered) = (item, Item?.none)
        while true {
            let filling: ItemIdentifier
            switch try await queue.add(item, origin: origin, displacing: remembered, now: clock()) {
            case .displaces(let open):
                try await library.remember(open, destination: destination.name)
                remembered = open
                continue
            case .occupied:
                item.objectKey = item.objectKey.beside(item.sha256)
                continue
            case .added: filling = item.id
            case .known(let id): filling = id
            }
            guard library.hasBlocked else { return }
            return try await library.forget(
                blocked: item.objectKey, destination: destination.name, filledBy: filling)
        }
    }
}

extension Item {
    /// Whether it is the original, or a picture, of that file.
    fileprivate func isOf(_ asset: Asset) -> Bool { root == asset.root && filePath == asset.path }
}
