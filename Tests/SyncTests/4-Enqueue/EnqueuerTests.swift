import Foundation
import MediaModel
import Platform
import Records
import Roots
import Supabase
import TestSupport
import Testing

@testable import Catalog
@testable import Configuration
@testable import Fixtures
@testable import Queue
@testable import Sync
@testable import Uploading

/// What becomes of bytes that have a receipt.
@Suite struct EnqueuerTests {
    static let destination = Destination(
        endpoint: StorageEndpoint(base: "https://storage.test"), bucket: "media")
    static let sha256 = String(repeating: "ab", count: 32)

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The content of another item for the same key; `nil` for none.
        let other: UInt8?
        var isClaimed = false
        /// Seconds after the receipt at which a request with those bytes was made whose item is gone; `nil` for none.
        var triedAfter: Double?
        /// Whether the object may have been moved to another key since.
        var mayBeMoved = false
        /// What is queued: nothing, or an item that asks for the object first, or one that is sent.
        var next: Next = .none
    }

    enum Next: Hashable, Sendable { case none, asking, sending }

    private static let rows = [
        Row(testDescription: "nothing else is on its way", other: nil),
        Row(testDescription: "other bytes wait, and will be withdrawn", other: 1),
        Row(testDescription: "other bytes are on their way", other: 1, isClaimed: true, next: .sending),
        Row(testDescription: "the same bytes are on their way", other: 0xAB, isClaimed: true),
        Row(testDescription: "other bytes were withdrawn, but may be there", other: 1, triedAfter: 1, next: .asking),
        Row(testDescription: "they were tried before", other: 1, triedAfter: -1),
        Row(testDescription: "its object may have been moved away", other: nil, mayBeMoved: true, next: .sending),
    ]

    /// The file, or its picture, is again what it was when it got its receipt.
    @Test(arguments: rows, [Item.Role.original, .thumbnail(512)])
    func whatIsStoredIsQueuedOnceMoreWhereOtherBytesMayReplaceIt(_ row: Row, _ role: Item.Role) async throws {
        try await Self.withOneFile { folder, library, queue, known, asset in
            let original = ObjectKey(root: known.name, path: "a.png")
            let key = role == .original ? original : ObjectKey(thumbnail: 512, of: original, prefix: "")
            let stored = Self.item(known, role, key, content: 0xAB, size: asset.asset.size)
            try await library.record([(Self.receipt(stored), stored)])
            if row.mayBeMoved {
                let renamed = ObjectKey(root: known.name, path: "b.png")
                try await library.noteMove(
                    of: Self.item(known, role, renamed, content: 0xAB, size: asset.asset.size), from: key,
                    destination: Self.destination.name, at: Items.now)
            }
            if let other = row.other, let after = row.triedAfter {
                var item = Self.item(known, role, key, content: other, size: 9)
                item.lastAttemptAt = Items.now + after
                try await library.remember(item, destination: Self.destination.name)
            } else if let other = row.other {
                _ = try await queue.add(
                    Self.item(known, role, key, content: other, size: 9), origin: .arrival, now: Items.now)
                if row.isClaimed { _ = try await queue.claim(now: Items.now) }
            }
            try await Self.enqueue(asset, role, folder, known, library, queue)
            let fresh = await queue.all().first { $0.isOpen && $0.sha256 == Self.sha256 && !$0.mayHaveArrived }
            let next: Next = fresh.map { $0.sent ? .asking : .sending } ?? .none
            #expect(next == row.next)
        }
    }

    /// Another program's object lies under the key, and the item has gone to another one while the file is read once more.
    @Test(
        arguments: [("waits", false), ("is stored", true)],
        [Item.Role.original, .thumbnail(512)])
    func whatWentBesideAForeignObjectIsNotQueuedOnceMore(_ state: (String, isStored: Bool), _ role: Item.Role)
        async throws
    {
        try await Self.withOneFile { folder, library, queue, known, asset in
            try await Self.enqueue(asset, role, folder, known, library, queue)
            let sent = try #require(try await queue.claim(now: Items.now))
            let beside = sent.objectKey.beside(Self.sha256)
            let moved = try #require(try await queue.finish(sent.id, .moved(beside), now: Items.now))
            if state.isStored {
                _ = try #require(try await queue.claim(now: Items.now))
                try await library.record([(Self.receipt(moved), moved)])
                _ = try await queue.finish(moved.id, .verified, now: Items.now)
            }

            try await Self.enqueue(asset, role, folder, known, library, queue)

            #expect(await queue.all().map(\.objectKey) == [beside])
        }
    }

    /// Another file's item has gone beside a foreign object, to the very key that this file's name makes.
    @Test(arguments: [UInt8(0xAB), 1], [true, false])
    func whereAnotherFilesItemHasTheKeyItGoesBeside(content: UInt8, isClaimed: Bool) async throws {
        try await Self.withOneFile { folder, library, queue, known, asset in
            let key = ObjectKey(root: known.name, path: "a.png")
            let other = Self.item(known, .original, key, path: "other.png", content: content, size: asset.asset.size)
            _ = try await queue.add(other, origin: .arrival, now: Items.now)
            if isClaimed { _ = try await queue.claim(now: Items.now) }
            try await Self.enqueue(asset, .original, folder, known, library, queue)
            #expect(await queue.item(at: other.place)?.id == other.id)
            let own = await queue.all().first { $0.path == "a.png" }
            #expect(own?.objectKey == key.beside(Self.sha256) && own?.sha256 == Self.sha256)
            #expect(try await library.asset(root: known.name, path: "a.png")?.state == .queued)
        }
    }

    /// What happens to a file while it is read.
    enum Change: CaseIterable, Sendable {
        case cancelled, rewritten, resized, deleted

        /// The state that the library then has it in.
        var state: Asset.State {
            switch self {
            case .cancelled: .excluded
            case .rewritten, .resized: .seen
            case .deleted: .gone
            }
        }

        func happen(to asset: Asset, of root: Int64, in library: Library) async throws {
            var (size, time) = (asset.size, asset.modifiedAt.nanoseconds)
            switch self {
            case .cancelled: return try await library.exclude([asset])
            case .rewritten: time += 1
            case .resized: size += 1
            case .deleted:
                _ = try await library.merge(nil, at: asset.path, root: root, origin: .arrival, now: Items.now)
                return
            }
            let seen = Observation(name: asset.path.name, size: size, modifiedAt: FileTime(nanoseconds: time))
            _ = try await library.merge(seen, at: asset.path, root: root, origin: .arrival, now: Items.now)
        }
    }

    /// Its content may take minutes to be read, and its facts ten seconds more.
    @Test(arguments: Change.allCases, [Item.Role.original, .thumbnail(512)])
    func whatIsCancelledOrChangesWhileItIsReadIsNotQueued(_ change: Change, _ role: Item.Role) async throws {
        try await Self.withOneFile { folder, library, queue, known, asset in
            try await change.happen(to: asset.asset, of: known.id, in: library)
            try await Self.enqueue(asset, role, folder, known, library, queue)
            #expect(await queue.all().isEmpty)
            #expect(try await library.asset(root: known.name, path: "a.png")?.state == change.state)
        }
    }

    /// A blocked item changes places between the queue and the library, while its file is read once more.
    @Test(arguments: [("into the library", false), ("back into the queue", true)])
    func anItemThatIsOnItsWayIsNotLost(_ way: String, isBack: Bool) async throws {
        try await Self.withOneFile { folder, library, queue, known, asset in
            let key = ObjectKey(root: known.name, path: "a.png")
            var item = Self.item(
                known, .original, key, content: 0xAB, size: asset.asset.size, modifiedAt: asset.asset.modifiedAt)
            item.blocked = .away
            _ = try await queue.add(item, origin: .arrival, now: Items.now)
            let there = Self.destination.name
            #expect(try await library.keep(blocked: [item], destination: there) == [item.id])
            if isBack {
                _ = try await queue.withdraw { _ in true }
                try await library.settle(blockedBut: [], destination: there)
                try await library.unblock(.away)
            }
            let freed = try await library.freed(1)
            try await queue.readmit(freed, now: Items.now)

            let enqueuer = Enqueuer(
                library: library, queue: queue, destination: Self.destination, keyPrefix: "", clock: { Items.now })
            #expect(try await enqueuer.enqueue(asset, in: Root(known: known), note: nil) == .queued)

            if isBack {
                #expect(freed.count == 1)
                #expect(try await library.forget(freed: freed).isEmpty, "none is to leave the queue")
            } else {
                #expect(try await library.blocked(key, destination: there)?.id == item.id)
            }
        }
    }

    /// Where a first write was lost, this one says so, too: the run may end before the next.
    @Test(arguments: [true, false], [true, false])
    func whatIsQueuedIsToHavePictures(_ areDue: Bool, isStored: Bool) async throws {
        try await Self.withOneFile { _, library, queue, known, asset in
            let stored = Self.item(
                known, .original, ObjectKey(root: known.name, path: "a.png"), content: 0xAB, size: asset.asset.size)
            if isStored { try await library.record([(Self.receipt(stored), stored)]) }
            try await library.setPictures(of: asset.asset.place, to: .unwanted)
            let enqueuer = Enqueuer(
                library: library, queue: queue, destination: Self.destination, keyPrefix: "", clock: { Items.now })
            let outcome = try await enqueuer.enqueue(
                asset, in: Root(known: known), note: nil, arePicturesDue: areDue)
            #expect(outcome == (isStored ? .alreadyStored : .queued))
            let record = try await library.fileRecord(root: known.name, path: "a.png")
            #expect(record?.pictures == (areDue ? .wanted : .unwanted))
        }
    }

    /// The file is read once more while its item waits, for another order or by a scan.
    @Test(arguments: [true, false])
    func whatIsStoredIsUnderWayWhereItsBytesAreAskedForAgain(isForced: Bool) async throws {
        try await Self.withOneFile { _, library, queue, known, asset in
            let key = ObjectKey(root: known.name, path: "a.png")
            let stored = Self.item(known, .original, key, content: 0xAB, size: asset.asset.size)
            try await library.record([(Self.receipt(stored), stored)])
            var item = Self.item(
                known, .original, key, content: 0xAB, size: asset.asset.size, modifiedAt: asset.asset.modifiedAt)
            item.forcedAt = isForced ? Items.now : nil
            _ = try await queue.add(item, origin: .named, now: Items.now)
            let enqueuer = Enqueuer(
                library: library, queue: queue, destination: Self.destination, keyPrefix: "", clock: { Items.now })
            let outcome = try await enqueuer.enqueue(asset, in: Root(known: known), note: nil)
            #expect(outcome == (isForced ? .queued : .alreadyStored))
            #expect(await queue.all().map(\.id) == [item.id])
        }
    }

    /// Pictures of what the file held in between may be stored, and those of its bytes now may be lost with the queue.
    @Test func aFileWithFormerBytesIsStoredAsOfNow() async throws {
        try await Self.withOneFile { _, library, queue, known, asset in
            let key = ObjectKey(root: known.name, path: "a.png")
            let stored = Self.item(known, .original, key, content: 0xAB, size: asset.asset.size)
            try await library.record([(Self.receipt(stored), stored)])
            try await library.settle(
                asset.asset,
                as: .identified(
                    sha256: String(repeating: "cd", count: 32), type: "image/png", next: .identifying, note: nil))
            let enqueuer = Enqueuer(
                library: library, queue: queue, destination: Self.destination, keyPrefix: "",
                clock: { Items.now + 60 })
            #expect(try await enqueuer.enqueue(asset, in: Root(known: known), note: nil) == .alreadyStored)
            let receipt = try await library.receipt(destination: Self.destination.name, key: key)
            #expect(receipt?.item == stored.id.redated(at: Items.now + 60))
        }
    }

    /// Offers the file, or a picture of it, as a stage before does.
    @discardableResult
    static func enqueue(
        _ asset: IdentifiedAsset, _ role: Item.Role, _ folder: FilePath, _ known: KnownRoot, _ library: Library,
        _ queue: UploadQueue
    ) async throws -> Bool {
        let enqueuer = Enqueuer(
            library: library, queue: queue, destination: destination, keyPrefix: "", clock: { Items.now })
        guard role != .original else {
            return try await enqueuer.enqueue(asset, in: Root(known: known), note: nil) != .overtaken
        }
        let facts = try FileFacts(of: folder.appending("a.png"))
        let picture = CachedThumbnail(size: 512, format: .jpeg, sha256: sha256, facts: facts)
        return try await enqueuer.enqueue([picture], of: asset, in: Root(known: known))
    }

    static func item(
        _ root: KnownRoot, _ role: Item.Role, _ key: ObjectKey, path: FilePath = "a.png", content: UInt8, size: Int64,
        modifiedAt: FileTime = FileTime(nanoseconds: 1)
    ) -> Item {
        Item(
            root: root.name, path: path, role: role, contentType: "image/png", size: size,
            sha256: String(repeating: String(format: "%02x", content), count: 32), modifiedAt: modifiedAt,
            bucket: destination.bucket, objectKey: key, now: Items.now)
    }

    private static func receipt(_ item: Item) -> Receipt {
        Receipt(
            destination: destination.name, key: item.objectKey, role: item.role, item: item.id, sha256: item.sha256,
            size: item.size, objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: Items.now)
    }

    /// Calls `body` with a folder of one picture, which the library knows and nothing has been made of.
    static func withOneFile(
        on disk: any Disk = RecordingDisk(),
        _ body: (FilePath, Library, UploadQueue, KnownRoot, IdentifiedAsset) async throws -> Void
    ) async throws {
        try await FileTree(["a.png": "picture"]).withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let queue = try UploadQueue(
                store: QueueStore(disk: disk, quarantine: RecordingDisk()), now: Items.now)
            let known = try await library.root(at: folder).root
            try await body(folder, library, queue, known, try await asset(folder, known, library))
        }
    }

    private static func asset(_ folder: FilePath, _ root: KnownRoot, _ library: Library) async throws -> IdentifiedAsset
    {
        let file = try OpenFile(reading: folder.appending("a.png"))
        let facts = try file.facts()
        let observation = Observation(name: Array("a.png".utf8), size: facts.size, modifiedAt: facts.modifiedAt)
        _ = try await library.merge(observation, at: "a.png", root: root.id, origin: .arrival, now: Items.now)
        let asset = try #require(try await library.asset(root: root.name, path: "a.png"))
        let header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let identity = try #require(MediaIdentity(header: header, fileExtension: Array("png".utf8)))
        return IdentifiedAsset(asset: asset, identity: identity, sha256: sha256, file: file)
    }
}
