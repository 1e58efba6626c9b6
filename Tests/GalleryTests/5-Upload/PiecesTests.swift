import Configuration
import Fixtures
import Foundation
import Platform
import Records
import Roots
import Serving
import StorageServer
import Supabase
import Synchronization
import TestSupport
import Testing
import Transfer

@testable import Catalog
@testable import Queue
@testable import Uploading

extension Sending {
    fileprivate var isAccepted: Bool { if case .accepted = self { true } else { false } }
    fileprivate var evidence: Evidence? { if case .accepted(let accepted) = self { accepted.evidence } else { nil } }
}

/// Files above `upload.smallFileBytes`, against the embedded server.
@Suite struct PiecesTests {
    private static let content = Randomness.bytes(20_000_000)

    /// A sender for `fixture` and the progress that it recorded for its item.
    private struct Bench {
        let sender: Sender
        let item: Item
        let kept = Shared<[Item.Resume]>([])
        var fixture: AgentFixture

        init(_ fixture: AgentFixture) async throws {
            self.fixture = fixture
            let library = try Library(path: fixture.folder.appending("library.sqlite"))
            let known = try await library.root(at: fixture.gallery).root
            let facts = try FileFacts(of: fixture.gallery.appending("a.mp4"))
            let made = Item(
                root: known.name, path: "a.mp4", role: .original, contentType: "video/mp4", size: facts.size,
                sha256: SHA256.hash(PiecesTests.content).hexadecimal, modifiedAt: facts.modifiedAt, bucket: "media",
                objectKey: ObjectKey(root: known.name, path: "a.mp4"), now: Date())
            item = try #require(made.claimed(at: Date()))
            let queue = try UploadQueue(
                store: try QueueStore(state: fixture.folder.appending("queue-of-the-test")), now: Date())
            var sender = Sender(
                storage: fixture.storage, library: library, queue: queue, destination: fixture.destination,
                roots: RootRegistry([Root(known: known)]),
                cache: ThumbnailCache(folder: fixture.folder.appending("cache")),
                settings: fixture.settings.upload, clock: { Date() })
            // On a fast connection every piece is larger than the one before.
            let start = ContinuousClock.now
            sender.stopwatch = { start }
            self.sender = sender
            try await fixture.storage.createBucket("media", BucketSettings(isPublic: false))
        }

        func send(resuming resume: Item.Resume? = nil, _ sent: @escaping @Sendable (Int64) -> Void = { _ in })
            async throws -> Sending
        {
            var item = item
            item.resume = resume
            return try await sender.send(item, progress: { sent($0.sent) }) { resume, _ in
                kept.change { $0 += resume.map { [$0] } ?? [] }
            }
        }

        var stored: [UInt8] {
            get async throws {
                try await fixture.storage.download(
                    bucket: "media", key: item.objectKey.text, to: .memory(limit: 1 << 26)
                ).body
            }
        }
    }

    private static func with(
        faults: @escaping @Sendable (Request) -> Fault? = { _ in nil }, _ body: (Bench) async throws -> Void
    ) async throws {
        try await AgentFixture.with(["a.mp4": .file(content)]) { fixture in
            fixture.faults.change { $0 = faults }
            try await body(Bench(fixture))
        }
    }

    @Test func aLargeFileGoesInPiecesThatGrow() async throws {
        try await Self.with { bench in
            let sent = Shared<[Int64]>([])
            guard case .accepted = try await bench.send(resuming: nil, { bytes in sent.change { $0.append(bytes) } })
            else {
                Issue.record("not accepted")
                return
            }
            #expect(try await bench.stored == Self.content)
            let offsets = bench.kept.value.map(\.offset)
            #expect(offsets.first == 0 && offsets.last == 20_000_000 && offsets == offsets.sorted())
            #expect(offsets[1] == ResumableUpload.chunkSize)
            #expect(Set(bench.kept.value.map(\.uploadID)).count == 1)
            #expect(sent.value == sent.value.sorted() && sent.value.last == 20_000_000)
        }
    }

    @Test func aRestraintStopsItAtTheEndOfAPieceAndItGoesOnFromThere() async throws {
        try await Self.with { bench in
            let kept = bench.kept
            let sending = try await bench.sender.send(
                bench.item, keep: { resume, _ in kept.change { $0 += resume.map { [$0] } ?? [] } },
                restraint: { kept.value.last?.offset ?? 0 > 0 ? .metered : nil })
            #expect(sending == .ended(Restraint.metered.outcome))
            let resume = try #require(kept.value.last)
            #expect(resume.offset == ResumableUpload.chunkSize)
            #expect(try await bench.send(resuming: resume).isAccepted)
            #expect(try await bench.stored == Self.content)
            #expect(Set(bench.kept.value.map(\.uploadID)).count == 1)
        }
    }

    /// The user cancels the file while a piece of it is sent.
    @Test func whatIsLeftOutMeanwhileStopsAtTheEndOfAPiece() async throws {
        try await Self.with { bench in
            let library = bench.sender.library
            try await library.see(bench.item, below: try await library.root(at: bench.fixture.gallery).root)
            let kept = bench.kept
            let sending = try await bench.sender.send(
                bench.item,
                keep: { resume, _ in
                    kept.change { $0 += resume.map { [$0] } ?? [] }
                    guard resume?.offset ?? 0 > 0 else { return }
                    let asset = try await library.asset(root: bench.item.root, path: bench.item.filePath)
                    try await library.exclude([try #require(asset)])
                })
            #expect(sending == .ended(.withdrawn))
            #expect(kept.value.last?.offset == ResumableUpload.chunkSize)
            await #expect(throws: StorageError.self) { try await bench.stored }
            #expect(try await !bench.send(resuming: kept.value.last).isAccepted)
        }
    }

    @Test func aPieceThatGrewTooLargeForAProxyIsSentInSmallOnes() async throws {
        let refused = Shared(0)
        let faults: @Sendable (Request) -> Fault? = { request in
            guard request.method == "PATCH", request.body.length ?? 0 > ResumableUpload.chunkSize else { return nil }
            refused.change { $0 += 1 }
            let page = Array("<html>413 Request Entity Too Large</html>".utf8)
            return .answer(Response(status: 413, headers: ["content-type": "text/html"], body: .bytes(page)))
        }
        try await Self.with(faults: faults) { bench throws in
            #expect(try await bench.send().isAccepted)
            #expect(refused.value == 1, "once is enough to learn from")
            #expect(Set(bench.kept.value.map(\.uploadID)).count == 1)
            #expect(try await bench.stored == Self.content)
        }
    }

    @Test func aBrokenUploadGoesOnWhereTheServerGotTo() async throws {
        let patches = Shared(0)
        let faults: @Sendable (Request) -> Fault? = { request in
            guard request.method == "PATCH" else { return nil }
            let count = patches.change { count in
                count += 1
                return count
            }
            // A request on a dead kept-alive connection is sent again on a new one.
            guard (2...3).contains(count) else { return nil }
            return .drop(afterReading: 1_000_000)
        }
        try await Self.with(faults: faults) { bench in
            let first = try await bench.send()
            guard case .ended(.retry(let failure, _)) = first else {
                Issue.record("not to be retried: \(first)")
                return
            }
            #expect(failure.retryable)
            let before = try #require(bench.kept.value.last)
            #expect(before.offset == ResumableUpload.chunkSize)
            let second = try await bench.send(resuming: before)
            #expect(second.isAccepted, "\(second)")
            // Bytes that were sent before the break are hashed, too.
            #expect(second.evidence?.md5 == MD5.hash(Self.content).hexadecimal)
            #expect(before.pieces?.lengths == [ResumableUpload.chunkSize])
            #expect(bench.kept.value.last?.pieces?.total == 20_000_000)
            #expect(bench.kept.value.last?.uploadID == before.uploadID)
            #expect(try await bench.stored == Self.content)
        }
    }

    @Test func anUploadTheServerForgotBeginsAnew() async throws {
        try await Self.with { bench in
            let target = ResumableTarget(bucket: "media", key: "k.mp4", length: 9, contentType: "video/mp4")
            let begun = try await bench.fixture.storage.createUpload(target, now: Date())
            try await bench.fixture.storage.terminate(begun, replacing: false)
            let lost = Item.Resume(uploadID: begun.uploadID, createdAt: Date(), offset: 7)
            let end = try await bench.send(resuming: lost)
            #expect(end.isAccepted, "\(end)")
            #expect(try await bench.stored == Self.content)
            #expect(bench.kept.value.allSatisfy { $0.uploadID != lost.uploadID })
        }
    }

    @Test func aFinishedUploadIsRecognisedAndNotSentAgain() async throws {
        let patches = Shared(0)
        let faults: @Sendable (Request) -> Fault? = { request in
            if request.method == "PATCH" { patches.change { $0 += 1 } }
            return nil
        }
        try await Self.with(faults: faults) { bench in
            _ = try await bench.send()
            let count = patches.value
            let second = try await bench.send(resuming: bench.kept.value.last)
            guard case .accepted(let accepted) = second else {
                Issue.record("not accepted: \(second)")
                return
            }
            #expect(accepted.objectID != nil)
            #expect(patches.value == count)
        }
    }

    @Test func aFileThatChangesUnderWayIsWithdrawnAndItsUploadEnded() async throws {
        let changes = Shared<(@Sendable () throws -> Void)?>(nil)
        let methods = Shared<[String]>([])
        let faults: @Sendable (Request) -> Fault? = { request in
            methods.change { $0.append(request.method) }
            if request.method == "PATCH" { try? changes.value?() }
            return nil
        }
        try await Self.with(faults: faults) { (bench) async throws in
            let path = bench.fixture.gallery.appending("a.mp4")
            changes.change { $0 = { try OpenFile(appending: path).append([1]) } }
            let end = try await bench.send()
            #expect(end == .ended(.withdrawn))
            #expect(methods.value.contains("DELETE"))
            let listed = try await bench.fixture.storage.list(bucket: "media").objects
            #expect(listed.isEmpty)
        }
    }

    /// The last piece arrives twice, and the file changes in between: the second one meets a finished upload.
    @Test func whatTheLastPieceStoredBeforeTheFileChangedCountsAsOurs() async throws {
        let change = Shared<(@Sendable () throws -> Void)?>(nil)
        let pieces = Shared(0)
        let faults: @Sendable (Request) -> Fault? = { request in
            let offset = Int64(request.headers["upload-offset"] ?? "") ?? 0
            guard request.method == "PATCH", offset + (request.body.length ?? 0) == Self.content.count else {
                return nil
            }
            pieces.change { $0 += 1 }
            guard pieces.value > 1 else { return .cutAnswer(after: 0) }
            try? change.value?()
            return nil
        }
        try await Self.with(faults: faults) { (bench) async throws in
            let path = bench.fixture.gallery.appending("a.mp4")
            change.change { $0 = { try OpenFile(appending: path).append([1]) } }
            #expect(try await bench.send() == .ended(.withdrawn))
            #expect(pieces.value == 2)
            #expect(try await bench.stored == Self.content)
            let (key, library) = (bench.item.objectKey, bench.sender.library)
            #expect(
                try await library.isOurs(
                    destination: bench.fixture.destination.name, key: key, sha256: bench.item.sha256))
        }
    }

    @Test func anUploadThatEndsBeforeItsLastPieceLeavesTheFormerObjectItsReceipt() async throws {
        let changes = Shared<(@Sendable () throws -> Void)?>(nil)
        let faults: @Sendable (Request) -> Fault? = { request in
            if request.method == "PATCH" { try? changes.value?() }
            return nil
        }
        try await Self.with(faults: faults) { (bench) async throws in
            let (former, item) = (Array("former".utf8), bench.item)
            let stored = Item(
                root: item.root, path: "a.mp4", role: .original, contentType: "video/mp4", size: 6,
                sha256: SHA256.hash(former).hexadecimal, modifiedAt: item.modifiedAt, bucket: "media",
                objectKey: item.objectKey, now: Date())
            _ = try await bench.fixture.storage.upload(
                .bytes(former), bucket: "media", key: item.objectKey.text, contentType: "video/mp4",
                metadata: ObjectMetadata(stored, facts: nil).values)
            let receipt = Receipt(
                destination: bench.fixture.destination.name, key: item.objectKey, role: .original, item: stored.id,
                sha256: stored.sha256, size: 6, objectID: nil, version: nil, eTag: nil, updatedAt: nil,
                verifiedAt: Date())
            try await bench.sender.library.record([(receipt, stored)])
            let path = bench.fixture.gallery.appending("a.mp4")
            changes.change { $0 = { try OpenFile(appending: path).append([1]) } }
            #expect(try await bench.send() == .ended(.withdrawn))
            let known = try await bench.sender.library.receipt(destination: receipt.destination, key: item.objectKey)
            #expect(known?.sha256 == stored.sha256)
            #expect(try await bench.stored == former)
        }
    }

    @Test func aForeignObjectIsNotReplacedByPieces() async throws {
        try await Self.with { bench in
            _ = try await bench.fixture.storage.upload(
                .bytes(Array("theirs".utf8)), bucket: "media", key: bench.item.objectKey.text, contentType: "video/mp4")
            #expect(try await bench.send() == .ended(.moved(bench.item.objectKey.beside(bench.item.sha256))))
            #expect(try await bench.stored == Array("theirs".utf8))
        }
    }
}
