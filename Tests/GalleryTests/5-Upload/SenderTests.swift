import Configuration
import Database
import Fixtures
import Foundation
import MediaModel
import Platform
import Records
import Roots
import Serving
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Catalog
@testable import Queue
@testable import Sync
@testable import Uploading

@Suite struct SenderTests {
    /// A sender for `fixture`, and an item for `a.jpg` as the file is now.
    private func parts(
        _ fixture: AgentFixture, over line: (any Transport)? = nil,
        within budget: BudgetReservations = BudgetReservations(), clock: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> (Sender, Library, Item) {
        let library = try Library(path: fixture.folder.appending("library.sqlite"))
        let known = try await library.root(at: fixture.gallery).root
        let facts = try FileFacts(of: fixture.gallery.appending("a.jpg"))
        let content = try OpenFile(reading: fixture.gallery.appending("a.jpg")).readAll()
        let item = Item(
            root: known.name, path: "a.jpg", role: .original, contentType: "image/jpeg", size: facts.size,
            sha256: SHA256.hash(content).hexadecimal, modifiedAt: facts.modifiedAt, bucket: "media",
            objectKey: ObjectKey(root: known.name, path: "a.jpg"), now: Date())
        let queue = try UploadQueue(
            store: try QueueStore(state: fixture.folder.appending("queue-of-the-test")), now: Date())
        let sender = Sender(
            storage: fixture.storage(over: line ?? fixture.client), library: library, queue: queue,
            destination: fixture.destination, roots: RootRegistry([Root(known: known)]),
            cache: ThumbnailCache(folder: fixture.folder.appending("cache")),
            settings: fixture.settings.upload, budget: budget, clock: clock)
        try await fixture.storage.createBucket("media", BucketSettings(isPublic: false))
        return (sender, library, try #require(item.claimed(at: Date())))
    }

    /// Bytes of an item that was never tried are not ours: an object with them may be one that a lost library knew.
    @Test(arguments: [true, false], [nil, Item.Failure(code: .http(540), message: "paused", retryable: false)])
    func anItemWhoseFileChangedIsWithdrawnAndItsBytesCountAsOurs(
        wereSent: Bool, after failure: Item.Failure?
    ) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (sender, library, made) = try await parts(fixture)
            let item = Items.with(made) { ($0.sent, $0.lastError) = (wereSent, failure) }
            try OpenFile(creating: fixture.gallery.appending("a.jpg")).append(Array("other".utf8))
            #expect(try await sender.send(item) == .ended(.withdrawn))
            let isOurs = try await library.isOurs(
                destination: fixture.destination.name, key: item.objectKey, sha256: item.sha256)
            #expect(isOurs == (wereSent || failure != nil))
        }
    }

    @Test func anItemWhoseFileIsGoneIsWithdrawn() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            let (sender, _, item) = try await parts(fixture)
            try Directory(fixture.gallery).remove(file: "a.jpg")
            #expect(try await sender.send(item) == .ended(.withdrawn))
        }
    }

    /// The item of a picture of `original`, which the cache holds.
    private func picture(
        of original: Item, _ fixture: AgentFixture, format: ThumbnailFormat = .jpeg
    ) throws -> Item {
        let cache = ThumbnailCache(folder: fixture.folder.appending("cache"))
        let path = cache.path(of: original.sha256, size: 512, format: format)
        try Directory.create(at: path.parent)
        try OpenFile(creating: path).append(Array("picture".utf8))
        let facts = try FileFacts(of: path)
        let item = Item(
            root: original.root, path: "a.jpg", role: .thumbnail(512), contentType: format.type.rawValue,
            size: facts.size, sha256: SHA256.hash("picture".utf8).hexadecimal, modifiedAt: facts.modifiedAt,
            bucket: "media", objectKey: ObjectKey(thumbnail: 512, of: original.objectKey, format: format), now: Date())
        return try #require(item.claimed(at: Date()))
    }

    /// The cache still holds the picture.
    @Test(arguments: [true, false], ThumbnailFormat.stored)
    func aPictureIsSentWhileItsFileIsThere(_ isGone: Bool, _ format: ThumbnailFormat) async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            let (sender, library, original) = try await parts(fixture)
            _ = try await store(original, as: "a.jpg", fixture, library)
            let item = try picture(of: original, fixture, format: format)
            if isGone { try Directory(fixture.gallery).remove(file: "a.jpg") }
            #expect((try await sender.send(item) == .ended(.withdrawn)) == isGone)
        }
    }

    /// One that the server has taken is proven all the same, and not sent again if it was lost.
    @Test(arguments: [[256], [512]], [(false, false), (false, true), (true, false), (true, true)])
    func aPictureOfASizeThatIsNotAskedForIsNotSent(
        _ sizes: [Int], _ state: (wasSent: Bool, isThere: Bool)
    ) async throws {
        let (wasSent, isThere) = state
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (usual, library, original) = try await parts(fixture)
            var changed = usual
            changed.pictures = sizes.map { .thumbnail($0) }
            _ = try await store(original, as: "a.jpg", fixture, library)
            let item = Items.with(try picture(of: original, fixture)) { $0.sent = wasSent }
            if isThere { _ = try await usual.send(item) }
            let asked = try await fixture.requests { [changed] in
                let isWithdrawn = try await changed.send(item) == .ended(.withdrawn)
                #expect(isWithdrawn == !(sizes == [512] || wasSent && isThere))
            }
            #expect(asked.uploads.isEmpty || sizes == [512])
        }
    }

    @Test func aSecondSendOfTheSameBytesIsAcceptedWithoutANewObject() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (sender, _, item) = try await parts(fixture)
            guard case .accepted(let first) = try await sender.send(item),
                case .accepted(let second) = try await sender.send(item)
            else {
                Issue.record("not accepted")
                return
            }
            #expect(first.objectID == second.objectID)
            #expect(first.isUploaded && !second.isUploaded)
            #expect(first.evidence.md5 == MD5.hash("one".utf8).hexadecimal)
            #expect(second.evidence == first.evidence)
        }
    }

    /// Stores the content of `item` under another name, with a receipt that is older than the item.
    private func store(
        _ item: Item, as name: FilePath, modifiedAt: FileTime? = nil, _ fixture: AgentFixture, _ library: Library
    ) async throws -> Item {
        let former = Self.item(item, named: name, modifiedAt: modifiedAt)
        try await upload(former, try OpenFile(reading: fixture.gallery.appending(item.filePath)).readAll(), fixture)
        let root = try #require(try await library.roots().first)
        try await library.see(former, below: root)
        try await record(former, at: Date() - 60, fixture, library)
        return former
    }

    /// Puts `content` under the key of `item`.
    private func upload(_ item: Item, _ content: [UInt8], _ fixture: AgentFixture) async throws {
        _ = try await fixture.storage.upload(
            .bytes(content), bucket: item.bucket, key: item.objectKey.text, contentType: item.contentType,
            metadata: ObjectMetadata(item, facts: nil).values, replacing: true)
    }

    /// Writes the receipt of what lies under the key of `item`.
    private func record(_ item: Item, at date: Date, _ fixture: AgentFixture, _ library: Library) async throws {
        let held = HeldObject(try await fixture.storage.info(bucket: item.bucket, key: item.objectKey.text))
        let receipt = Receipt(
            destination: fixture.destination.name, key: item.objectKey, role: item.role, item: item.id,
            sha256: item.sha256, size: item.size, objectID: held.id, version: held.version, eTag: held.eTag,
            updatedAt: held.updatedAt, verifiedAt: date, proof: .md5)
        try await library.record([(receipt, item)])
    }

    /// Notes that the object of `item` is about to be moved to the key of `target`, as before a request that is given up.
    private func expectMove(
        of item: Item, to target: Item, _ fixture: AgentFixture, _ library: Library
    ) async throws {
        try await library.noteMove(
            of: target, from: item.objectKey, destination: fixture.destination.name, at: Date())
    }

    /// Moves the object of `item` to the key of `target`, as a request that arrives late does.
    private func move(_ item: Item, to target: Item, _ fixture: AgentFixture) async throws {
        try await fixture.storage.move(bucket: item.bucket, from: item.objectKey.text, to: target.objectKey.text)
    }

    private static func item(
        _ item: Item, named name: FilePath, modifiedAt: FileTime? = nil, content: String? = nil
    ) -> Item {
        Item(
            root: item.root, path: name, role: item.role, contentType: item.contentType,
            size: content.map { Int64($0.utf8.count) } ?? item.size,
            sha256: content.map { SHA256.hash($0.utf8).hexadecimal } ?? item.sha256,
            modifiedAt: modifiedAt ?? item.modifiedAt, bucket: item.bucket,
            objectKey: ObjectKey(root: item.root, path: name), now: Date() - 60)
    }

    /// The file was renamed from `b.jpg` to `c.jpg`, and to `a.jpg` before the first move was confirmed.
    @Test(arguments: [true, false])
    func anObjectThatMayHaveBeenMovedIsFoundAndMovesOn(_ wasMoved: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            let former = try await store(item, as: "b.jpg", fixture, library)
            let next = Self.item(item, named: "c.jpg")
            try await expectMove(of: former, to: next, fixture, library)
            if wasMoved {
                try await move(former, to: next, fixture)
            }
            guard case .accepted(let accepted) = try await sender.send(item) else {
                Issue.record("not accepted")
                return
            }
            #expect(!accepted.isUploaded)
            #expect(accepted.movedFrom?.key == (wasMoved ? next : former).objectKey)
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg"])
        }
    }

    /// The file was renamed from `b.jpg` to `a.jpg`; another file has its former name now.
    @Test func aMoveThatTookPlaceUnheardTakesItsReceiptAlong() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "one"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            let former = try await store(item, as: "b.jpg", fixture, library)
            try await expectMove(of: former, to: item, fixture, library)
            try await move(former, to: item, fixture)
            #expect(try await sender.send(item) == .ended(.verified))
            let keys = [former.objectKey, item.objectKey]
            let receipts = try await library.receipts(destination: fixture.destination.name, keys: keys)
            #expect(receipts.map(\.key) == [item.objectKey])
        }
    }

    /// The other object was of an equal file with another modification time, as its metadata shows.
    @Test func ofTwoObjectsWithoutFilesTheOneThatWasOfTheFileMoves() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            _ = try await store(item, as: "b.jpg", modifiedAt: FileTime(nanoseconds: 1), fixture, library)
            _ = try await store(item, as: "c.jpg", fixture, library)
            guard case .accepted(let accepted) = try await sender.send(item) else {
                Issue.record("not accepted")
                return
            }
            #expect(accepted.movedFrom?.key.text == "Pictures/c.jpg")
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "Pictures/b.jpg"])
            #expect(
                try await library.outdatedObjects(isOriginal: true, destination: fixture.destination.name).isEmpty)
        }
    }

    /// The other object is copied, or moved where its file is gone; an order to send the bytes may doubt it.
    @Test(arguments: [true, false], [true, false])
    func bytesThatAreAskedForAgainAreSentAlthoughAnObjectHoldsThem(isForced: Bool, isGone: Bool) async throws {
        let files: FileTree = isGone ? ["a.jpg": "one"] : ["a.jpg": "one", "b.jpg": "one"]
        try await AgentFixture.with(files) { fixture in
            let (sender, library, item) = try await parts(fixture)
            _ = try await store(item, as: "b.jpg", fixture, library)
            let sending = try await sender.send(Items.with(item) { $0.forcedAt = isForced ? item.createdAt : nil })
            guard case .accepted(let accepted) = sending else {
                Issue.record("not accepted: \(sending)")
                return
            }
            #expect(accepted.isUploaded == isForced)
            #expect((accepted.movedFrom != nil) == (isGone && !isForced))
        }
    }

    /// Another item with the same bytes is moving the object: this one waits for that to end.
    @Test func anObjectThatIsMovedElsewhereMeanwhileIsWaitedFor() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            _ = try await store(item, as: "b.jpg", fixture, library)
            try await fixture.storage.delete(bucket: item.bucket, key: "Pictures/b.jpg")
            let path = fixture.folder.appending("library.sqlite").display
            let asked = try await fixture.requests(failing: { request in
                guard request.path.hasSuffix("/Pictures/b.jpg") else { return nil }
                do {
                    try Connection(path: path).execute(
                        """
                        INSERT OR IGNORE INTO moves (destination, source, key, sha256, role, noted)
                        SELECT destination, key, 'Pictures/c.jpg', sha256, role, 0 FROM receipts
                        """)
                } catch { Issue.record(error) }
                return nil
            }) {
                let sending = try await sender.send(item)
                #expect(sending == .ended(.interrupted))
            }
            #expect(asked.uploads.isEmpty)
        }
    }

    /// What shows that the bytes which a move took along are ours.
    enum Mark: CaseIterable {
        /// The item that puts them under the former key.
        case item
        /// An attempt under the former key that had no answer.
        case attempt
        /// The receipt of the former key, which was written meanwhile.
        case receipt
        case none
    }

    /// `b.jpg` was renamed to `a.jpg` and another file took its name, whose bytes came under its key just before the move.
    @Test(arguments: Mark.allCases)
    func bytesOfOursThatAMoveTookAlongAreReplaced(_ mark: Mark) async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "other"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            let former = try await store(item, as: "b.jpg", fixture, library)
            try await expectMove(of: former, to: item, fixture, library)
            let next = Self.item(item, named: "b.jpg", content: "other")
            try await upload(next, Array("other".utf8), fixture)
            switch mark {
            case .item:
                _ = try await sender.queue.add(next, origin: .arrival, now: Date())
                _ = try await sender.queue.claim(now: Date())
            case .attempt: try await library.remember(next, destination: fixture.destination.name)
            case .receipt: try await record(next, at: Date(), fixture, library)
            case .none: break
            }
            try await move(former, to: item, fixture)
            let sending = try await sender.send(item)
            guard mark != .none else {
                #expect(sending == .ended(.moved(item.objectKey.beside(item.sha256))))
                return
            }
            guard case .accepted(let accepted) = sending else {
                Issue.record("not accepted: \(sending)")
                return
            }
            #expect(accepted.isUploaded)
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("one".utf8))
        }
    }

    /// The move was refused because of an object that has a receipt; the same bytes were to be stored under the former key.
    @Test(arguments: [true, false])
    func whatLiesUnderTheNewKeyWasNotBroughtByTheMove(hasReceipt: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "other"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            let former = try await store(item, as: "b.jpg", fixture, library)
            let there = Self.item(item, named: "a.jpg", content: "other")
            let attempt = Self.item(item, named: "b.jpg", content: "other")
            try await upload(there, Array("other".utf8), fixture)
            if hasReceipt { try await record(there, at: Date() - 60, fixture, library) }
            try await library.remember(attempt, destination: fixture.destination.name)
            try await expectMove(of: former, to: item, fixture, library)
            try await sender.settleAttempts { _ in false }
            let left = try await library.attempts(at: there.objectKey, destination: fixture.destination.name)
            #expect(left.contains { $0.sha256 == there.sha256 } == !hasReceipt)
        }
    }

    /// A damaged queue brings the item of a receipt back, after other bytes of the file were sent over its object.
    @Test(arguments: [true, false])
    func aReceiptCompletesItsItemUnlessOtherBytesCameLater(wereSent: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            try await upload(item, Array("one".utf8), fixture)
            try await record(item, at: Date() - 60, fixture, library)
            if wereSent {
                let other = Items.with(Self.item(item, named: "a.jpg", content: "other")) { $0.lastAttemptAt = Date() }
                try await library.noteReplacement(by: other, destination: fixture.destination.name)
                try await upload(other, Array("other".utf8), fixture)
            }
            let sending = try await sender.send(item)
            if case .accepted(let accepted) = sending { #expect(accepted.isUploaded) }
            #expect((sending == .ended(.verified)) == !wereSent)
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("one".utf8))
        }
    }

    /// The item was made because the object was in doubt, which was settled before its attempt, or for an order.
    @Test(arguments: [true, false])
    func anObjectThatWasSeenWhereItsReceiptSaysIsSentAgainOnlyIfAskedFor(isForced: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            let former = try await store(item, as: "a.jpg", fixture, library)
            let next = Self.item(item, named: "c.jpg")
            try await expectMove(of: former, to: next, fixture, library)
            try await sender.settleAttempts { _ in false }
            let sending = try await sender.send(Items.with(item) { $0.forcedAt = isForced ? item.createdAt : nil })
            if case .accepted(let accepted) = sending { #expect(accepted.isUploaded) }
            #expect((sending == .ended(.verified)) == !isForced)
        }
    }

    /// A file is renamed below the root, and its object follows before a look has missed it under its former name.
    @Test(arguments: [true, false])
    func aRenamedFileLeavesNothingUnderItsFormerName(isBack: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "one"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            let former = try await store(item, as: "b.jpg", fixture, library)
            try await expectMove(of: former, to: item, fixture, library)
            try await move(former, to: item, fixture)
            if !isBack { try Directory(fixture.gallery).remove(file: "b.jpg") }
            try await sender.settleAttempts { _ in false }
            let state = try await library.asset(root: item.root, path: "b.jpg")?.state
            #expect(state == (isBack ? .seen : nil))
        }
    }

    /// The move has taken place, and then an upload that was given up arrives under the former key.
    @Test(arguments: ["one", "other"])
    func whatArrivesUnderTheFormerKeyAfterAMoveIsNotTheObjectThatMoved(_ content: String) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            let former = try await store(item, as: "b.jpg", fixture, library)
            try await expectMove(of: former, to: item, fixture, library)
            try await move(former, to: item, fixture)
            try await upload(Self.item(item, named: "b.jpg", content: content), Array(content.utf8), fixture)
            try await sender.settleAttempts { _ in false }
            let isMoved = content == "other"
            for (key, isHeld) in [(former.objectKey, !isMoved), (item.objectKey, isMoved)] {
                let receipt = try await library.receipt(destination: fixture.destination.name, key: key)
                #expect((receipt?.sha256 == item.sha256) == isHeld)
            }
        }
    }

    /// When a move arrives: after other bytes of the file were stored under its former key.
    enum Coming: CaseIterable {
        case never, beforeAQuestion, afterAQuestion
        /// The question before has found neither object.
        case afterALoss
    }

    /// A move takes along what lies under its former key when it arrives, however often it was asked about before.
    @Test(arguments: Coming.allCases)
    func whatALateMoveTookAlongIsNotThereAnyMore(_ coming: Coming) async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "other"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            let former = try await store(item, as: "b.jpg", fixture, library)
            try await expectMove(of: former, to: item, fixture, library)
            if coming == .afterALoss {
                try await fixture.storage.delete(bucket: item.bucket, key: former.objectKey.text)
                for _ in 0..<2 { try await sender.settleAttempts { _ in false } }
                #expect(
                    try await library.receipt(destination: fixture.destination.name, key: former.objectKey) == nil)
            }
            let next = Self.item(item, named: "b.jpg", content: "other")
            try await upload(next, Array("other".utf8), fixture)
            try await record(next, at: Date(), fixture, library)
            if coming == .afterAQuestion { for _ in 0..<2 { try await sender.settleAttempts { _ in false } } }
            if coming != .never {
                try await move(former, to: item, fixture)
            }
            try await sender.settleAttempts { _ in false }
            let kept = try await library.receipt(destination: fixture.destination.name, key: next.objectKey)
            #expect((kept == nil) == (coming != .never))
            // What it has brought is ours.
            let sha256 = next.sha256
            let isOurs = try await library.isOurs(
                destination: fixture.destination.name, key: item.objectKey, sha256: sha256)
            #expect(isOurs == (coming != .never))
        }
    }

    /// What a late move took along tells who stored it, after the first bytes are back under the former key.
    @Test(arguments: [("own", true), ("another", false), (nil, false)] as [(String?, Bool)])
    func whatALateMoveTookAlongIsOfThisComputerIfItSaysSo(_ computer: String?, isOurs: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            let former = try await store(item, as: "b.jpg", fixture, library)
            try await expectMove(of: former, to: item, fixture, library)
            try await sender.settleAttempts { _ in false }
            let next = Self.item(item, named: "b.jpg", content: "other")
            let named = computer == "own" ? library.identity : computer
            _ = try await fixture.storage.upload(
                .bytes(Array("other".utf8)), bucket: next.bucket, key: next.objectKey.text,
                contentType: next.contentType, metadata: ObjectMetadata(next, facts: nil, computer: named).values,
                replacing: true)
            try await move(former, to: item, fixture)
            try await upload(former, Array("one".utf8), fixture)
            try await record(former, at: Date(), fixture, library)
            try await sender.settleAttempts { _ in false }
            let left = try await library.attempts(at: item.objectKey, destination: fixture.destination.name)
            #expect(left.map(\.sha256) == (isOurs ? [next.sha256] : []))
        }
    }

    /// The move arrives after it was asked about, and after other bytes of the file were stored under its former key.
    @Test func whatALateMoveTookAlongIsReplacedByTheItem() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "other"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            let former = try await store(item, as: "b.jpg", fixture, library)
            try await expectMove(of: former, to: item, fixture, library)
            try await sender.settleAttempts { _ in false }
            let next = Self.item(item, named: "b.jpg", content: "other")
            try await upload(next, Array("other".utf8), fixture)
            try await record(next, at: Date(), fixture, library)
            try await move(former, to: item, fixture)
            guard case .accepted(let accepted) = try await sender.send(item) else {
                Issue.record("the item is not accepted")
                return
            }
            #expect(accepted.isUploaded && accepted.item.objectKey == item.objectKey)
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("one".utf8))
            #expect(try await library.receipt(destination: fixture.destination.name, key: next.objectKey) == nil)
        }
    }

    /// A move that has come to nothing is forgotten once it can no longer arrive.
    @Test(arguments: [true, false])
    func aMoveIsExpectedForItsTime(isLost: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let ahead = Shared(0.0)
            let (sender, library, item) = try await parts(fixture) { Date() + ahead.value }
            let former = try await store(item, as: "b.jpg", fixture, library)
            try await expectMove(of: former, to: item, fixture, library)
            if isLost { try await fixture.storage.delete(bucket: item.bucket, key: former.objectKey.text) }
            for (seconds, isExpected) in [(0, true), (Attempt.echo - 60, true), (Attempt.echo + 1, false)] {
                ahead.change { $0 = seconds }
                try await sender.settleAttempts { _ in false }
                let moves = try await library.expectedMoves(destination: fixture.destination.name)
                #expect(moves.map(\.isSettled) == (isExpected ? [true] : []))
            }
            #expect(try await library.attempts(at: item.objectKey, destination: fixture.destination.name).isEmpty)
        }
    }

    /// The move was asked for twice: the first request was given up, and arrives once the file has its former name back.
    @Test(arguments: [true, false])
    func theOtherRequestOfAMoveThatWasSeenIsExpected(isAnswered: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let ahead = Shared(0.0)
            let (sender, library, item) = try await parts(fixture) { Date() + ahead.value }
            let former = try await store(item, as: "b.jpg", fixture, library)
            let name = fixture.destination.name
            try await expectMove(of: former, to: item, fixture, library)
            if isAnswered {
                try await sender.settleAttempts { _ in false }
                try await follow(item, sender, fixture, library)
            } else {
                try await move(former, to: item, fixture)
                try await sender.settleAttempts { _ in false }
            }
            let moves = try await library.expectedMoves(from: former.objectKey, destination: name)
            #expect(moves.map(\.key) == [item.objectKey])
            try Directory(fixture.gallery).rename("a.jpg", to: "b.jpg")
            let back = Self.item(item, named: "b.jpg")
            try await library.see(back, below: try #require(try await library.roots().first))
            try await follow(back, sender, fixture, library)
            try await move(former, to: item, fixture)
            try await sender.settleAttempts { _ in false }
            let receipts = try await library.receipts(destination: name, after: "", count: 10)
            #expect(receipts.map(\.key) == [item.objectKey])
            #expect(try await library.asset(root: item.root, path: "b.jpg")?.state == .seen, "it is to be sent again")
            ahead.change { $0 = Attempt.echo + 1 }
            try await sender.settleAttempts { _ in false }
            #expect(try await library.expectedMoves(destination: name).isEmpty)
        }
    }

    /// Sends `item`, for which the object under its former name moves, and records that.
    private func follow(_ item: Item, _ sender: Sender, _ fixture: AgentFixture, _ library: Library) async throws {
        let item = try #require(item.status == .uploading ? item : item.claimed(at: Date()))
        guard case .accepted(let accepted) = try await sender.send(item), accepted.movedFrom != nil else {
            Issue.record("no object was moved")
            return
        }
        let recorder = Recorder(
            storage: fixture.storage, library: library, queue: sender.queue, destination: fixture.destination,
            clock: { Date() })
        #expect(try await recorder.record([accepted]).moved.count == 1)
    }

    /// The answer to an upload was lost; then another file with the same bytes is renamed to that name.
    @Test(arguments: [-5.0, -Attempt.echo - 5])
    func anObjectIsMovedToWhereItsBytesMayStillArrive(_ tried: Double) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            let former = try await store(item, as: "b.jpg", fixture, library)
            let given = Items.with(item) { $0.lastAttemptAt = Date() + tried }
            try await library.remember(given, destination: fixture.destination.name)
            #expect(try await sender.mayBeMoved(item))
            try await follow(item, sender, fixture, library)
            #expect(try await sender.info(former.objectKey) == nil)
            // What arrives after all is ours.
            let left = try await library.attempts(at: item.objectKey, destination: fixture.destination.name)
            #expect(left.map(\.sha256) == (tried == -5 ? [item.sha256] : []))
        }
    }

    /// The object of `b.jpg` was to be moved, and may yet be, once what was moved there meanwhile has gone on.
    @Test func anObjectIsMovedToWhereAnotherMayStillArrive() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "one"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            let name = fixture.destination.name
            let former = try await store(item, as: "b.jpg", fixture, library)
            _ = try await store(item, as: "c.jpg", fixture, library)
            try await expectMove(of: former, to: item, fixture, library)
            try await sender.settleAttempts { _ in false }
            try await follow(item, sender, fixture, library)
            let moves = try await library.expectedMoves(destination: name)
            #expect(moves.map(\.source) == [former.objectKey])
            try Directory(fixture.gallery).rename("a.jpg", to: "d.jpg")
            let next = Self.item(item, named: "d.jpg")
            try await library.see(next, below: try #require(try await library.roots().first))
            try await follow(next, sender, fixture, library)
            try await move(former, to: item, fixture)
            try await sender.settleAttempts { _ in false }
            let receipts = try await library.receipts(destination: name, after: "", count: 10)
            #expect(receipts.map(\.key) == [item.objectKey, next.objectKey])
        }
    }

    /// Otherwise a full budget would let it be tried again and again.
    @Test(arguments: [nil, -5.0, -Attempt.echo - 5])
    func aPictureThatMayBeMovedTakesNoRoom(_ tried: Double?) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (sender, library, original) = try await parts(fixture)
            _ = try await store(original, as: "b.jpg", fixture, library)
            func picture(_ name: String) -> Item {
                Item(
                    root: original.root, path: FilePath(name), role: .thumbnail(512), contentType: "image/jpeg",
                    size: original.size, sha256: original.sha256, modifiedAt: original.modifiedAt,
                    bucket: original.bucket, objectKey: ObjectKey(text: ".thumbnails/512/\(name)"), now: Date() - 60)
            }
            let (item, former) = (picture("a.jpg"), picture("b.jpg"))
            try await upload(former, Array("one".utf8), fixture)
            try await record(former, at: Date() - 60, fixture, library)
            if let tried {
                let given = Items.with(item) { $0.lastAttemptAt = Date() + tried }
                try await library.remember(given, destination: fixture.destination.name)
            }
            #expect(try await sender.mayBeMoved(item))
        }
    }

    /// A request that was given up before the clock was set back is expected for as long as any other.
    @Test func whatTheClockIsAheadOfIsExpectedForItsTime() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let ahead = Shared(0.0)
            let (sender, library, item) = try await parts(fixture) { Date() + ahead.value }
            let tried = Items.with(item) { $0.lastAttemptAt = Date() + 3_600 }
            try await library.remember(tried, destination: fixture.destination.name)
            for (seconds, isExpected) in [(0, true), (Attempt.echo - 60, true), (Attempt.echo + 1, false)] {
                ahead.change { $0 = seconds }
                try await sender.settleAttempts { _ in false }
                let left = try await library.attempts(at: item.objectKey, destination: fixture.destination.name)
                #expect(!left.isEmpty == isExpected, "after \(seconds) s")
            }
        }
    }

    /// `b.jpg` was renamed to `a.jpg`, over what that held before: of a request that arrives twice, the second is refused.
    @Test(arguments: [1, 2])
    func aMoveThatArrivesTwiceLeavesNoReceiptUnderTheFormerKey(_ doubled: Int) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let line = SteppedTransport(server: fixture.client)
            let (sender, library, item) = try await parts(fixture, over: line)
            let former = try await store(item, as: "b.jpg", fixture, library)
            if doubled == 2 {
                let older = Self.item(item, named: "a.jpg", content: "older")
                try await upload(older, Array("older".utf8), fixture)
                try await record(older, at: Date() - 60, fixture, library)
            }
            let moves = Shared(0)
            line.before.change {
                $0 = { request in
                    guard request.url.contains("/object/move") else { return }
                    moves.change { $0 += 1 }
                    guard moves.value == doubled else { return }
                    try await move(former, to: item, fixture)
                }
            }
            guard case .accepted(let accepted) = try await sender.send(item) else {
                Issue.record("the item is not accepted")
                return
            }
            #expect(accepted.movedFrom?.key == former.objectKey)
            #expect(moves.value == doubled)
        }
    }

    /// Of a copy that arrives twice, the second is refused because of the first, and then the network is gone.
    @Test func aCopyThatArrivesTwiceIsOurs() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "one"]) { fixture in
            let line = SteppedTransport(server: fixture.client)
            let (sender, library, item) = try await parts(fixture, over: line)
            _ = try await store(item, as: "b.jpg", fixture, library)
            let isGone = Shared(false)
            line.before.change {
                $0 = { request in
                    if isGone.value { throw TransferError(.unreachable, "no network", mayHaveArrived: false) }
                    if request.url.hasSuffix("/object/copy") { _ = try await fixture.client.send(request) }
                }
            }
            line.after.change {
                $0 = { request in if request.url.hasSuffix("/object/copy") { isGone.change { $0 = true } } }
            }
            guard case .ended = try await sender.send(item) else {
                Issue.record("the item is accepted")
                return
            }
            #expect(isGone.value)
            #expect(try await fixture.storage.infoIfPresent(bucket: "media", key: item.objectKey.text) != nil)
            let isOurs = try await library.isOurs(
                destination: fixture.destination.name, key: item.objectKey, sha256: item.sha256)
            #expect(isOurs)
        }
    }

    /// Another request moves the object after it was asked for under its former key, and before under its new one.
    @Test func aMoveBetweenTwoAnswersLeavesNoReceiptUnderTheFormerKey() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let line = SteppedTransport(server: fixture.client)
            let (sender, library, item) = try await parts(fixture, over: line)
            let former = try await store(item, as: "b.jpg", fixture, library)
            try await expectMove(of: former, to: item, fixture, library)
            line.after.change {
                $0 = { request in
                    guard request.url.hasSuffix("/info/authenticated/media/Pictures/b.jpg") else { return }
                    line.after.change { $0 = { _ in } }
                    try await move(former, to: item, fixture)
                }
            }
            try await sender.settleAttempts { _ in false }
            let receipts = try await library.receipts(destination: fixture.destination.name, after: "", count: 10)
            #expect(receipts.map(\.key) == [item.objectKey])
        }
    }

    /// The bytes are under both keys; what lies under the former one has another size than its metadata lets expect.
    @Test(arguments: ["one", "longer"])
    func anObjectUnderTheFormerKeyKeepsItsReceipt(_ content: String) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            let former = try await store(item, as: "b.jpg", fixture, library)
            try await expectMove(of: former, to: item, fixture, library)
            try await upload(item, Array("one".utf8), fixture)
            try await upload(former, Array(content.utf8), fixture)
            try await sender.settleAttempts { _ in false }
            let name = fixture.destination.name
            let receipts = try await library.receipts(destination: name, after: "", count: 10)
            #expect(receipts.map(\.key) == [former.objectKey])
            let left = try await library.attempts(at: item.objectKey, destination: name)
            #expect(left.map(\.sha256) == [item.sha256])
        }
    }

    /// A server states another size than its bytes have: what a move brought takes at least the room of those.
    @Test(arguments: [("o", Int64(3)), ("longer", 6)])
    func whatAMoveBroughtTakesTheRoomOfItsBytes(_ content: String, _ size: Int64) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            let former = try await store(item, as: "b.jpg", fixture, library)
            try await expectMove(of: former, to: item, fixture, library)
            try await move(former, to: item, fixture)
            try await upload(item, Array(content.utf8), fixture)
            try await sender.settleAttempts { _ in false }
            let left = try await library.attempts(at: item.objectKey, destination: fixture.destination.name)
            #expect(left.map(\.size) == [size])
        }
    }

    /// What an item was to replace is found to have been moved: the same bytes may be there twice then.
    @Test(arguments: [(5, false), (6, true)] as [(Int64, Bool)])
    func anItemNeedsRoomOfItsOwnOnceWhatItReplacesIsNotThere(_ limit: Int64, fits: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let budget = BudgetReservations(StorageBudget(limit: limit))
            let (sender, library, item) = try await parts(fixture, within: budget)
            let former = try await store(item, as: "a.jpg", fixture, library)
            let target = Self.item(item, named: "b.jpg")
            try await expectMove(of: former, to: target, fixture, library)
            try await move(former, to: target, fixture)
            try await upload(target, Array("o".utf8), fixture)
            try await budget.count(in: library, at: fixture.destination.name)
            #expect(budget.reserve(item, replacing: 3) == nil)
            #expect(budget.room == limit - 3)
            switch try await sender.send(item) {
            case .accepted: #expect(fits)
            case .ended(.blocked(let reason, _)): #expect(!fits && reason == .budget)
            case .ended(let outcome): Issue.record("\(outcome)")
            }
            #expect(budget.room == (fits ? 0 : 2))
            #expect((try await sender.info(item.objectKey) != nil) == fits)
        }
    }

    /// The server says that it has replaced an object, and holds the former one, or none.
    @Test(arguments: [true, false])
    func whatAVanishedObjectWasToReplaceKeepsItsReceiptOnlyWhereItIsStillThere(isThere: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (sender, library, item) = try await parts(fixture)
            let former = try await store(item, as: "a.jpg", fixture, library)
            if !isThere { try await fixture.storage.delete(bucket: "media", key: former.objectKey.text) }
            let changed = Self.item(item, named: "a.jpg", content: "other")
            let recorder = Recorder(
                storage: fixture.storage, library: library, queue: sender.queue, destination: fixture.destination,
                clock: { Date() })
            let result = try await recorder.record([Accepted(item: changed, objectID: nil, evidence: Evidence())])
            #expect(result.stored.isEmpty && result.notStored.count == 1)
            let receipt = try await library.receipt(
                destination: fixture.destination.name, key: former.objectKey)
            #expect((receipt != nil) == isThere)
        }
    }

    @Test func aForeignObjectMovesTheItemBesideIt() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let (sender, _, item) = try await parts(fixture)
            _ = try await fixture.storage.upload(
                .bytes(Array("theirs".utf8)), bucket: "media", key: item.objectKey.text, contentType: "image/jpeg")
            #expect(try await sender.send(item) == .ended(.moved(item.objectKey.beside(item.sha256))))
        }
    }
}
