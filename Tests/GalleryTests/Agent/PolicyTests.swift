import Foundation
import Platform
import Records
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Catalog
@testable import Configuration
@testable import Gallery
@testable import Queue
@testable import Reporting
@testable import Sync
@testable import Uploading

/// Each reason for which a destination refuses has its message and ending, and the queue waits.
@Suite struct PolicyTests {
    private static func answer(_ status: Int, _ body: String) -> Fault {
        let type = body.hasPrefix("<") ? "text/html" : "application/json"
        return .answer(Response(status: status, headers: ["content-type": type], body: .bytes(Array(body.utf8))))
    }

    private static func isUpload(_ request: Request) -> Bool {
        request.method == "POST" && request.path.hasPrefix("/object/media/")
    }

    private static let photos: FileTree = ["a.jpg": "one", "b.jpg": "two", "c.jpg": "three"]

    /// A pass whose uploads fail, then one that must succeed; the ending and report of the first.
    private func fail(
        _ fixture: AgentFixture, _ fault: @escaping @Sendable (Request) -> Fault?
    ) async throws -> (ending: Ending, report: Report, asked: Asked) {
        let result = Shared<(Ending, Report)?>(nil)
        let asked = try await fixture.requests(failing: fault) {
            let ended = try await fixture.run { agent in
                (try await agent.sync([fixture.gallery]), try await agent.report(.summary))
            }
            result.change { $0 = ended }
        }
        let (ending, report) = try #require(result.value)
        #expect(report.assets.failed == 0, "the queue waits")
        return (ending, report, asked)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let fault: @Sendable (Request) -> Fault?
        let kind: Ending.Kind
        /// In the sentence of its ending.
        let words: String
        /// Whether the report notes that sentence, since it concerns all files.
        var isNoted = true
        /// The most requests, and the most uploads, until the pass ends.
        var requests = Int.max
        var uploads = Int.max
        /// Why files wait, as the report says, and what to do.
        var blocked: String?
        var next = ""
    }

    private static let unpaid = "reading, sending and deleting are all refused"

    @Test(arguments: [
        Row(
            testDescription: "a 402 stops all traffic",
            fault: { isUpload($0) ? answer(402, #"{"message":"exceed_egress_quota"}"#) : nil }, kind: .full,
            words: unpaid, uploads: 3, blocked: "budget", next: "plan"),
        Row(
            testDescription: "so does one that only the proof hears",
            fault: { request in
                let isProof = request.path.hasPrefix("/object/list-v2") || request.path.hasPrefix("/object/info")
                return isProof ? answer(402, "{}") : nil
            }, kind: .full, words: unpaid, blocked: "budget", next: "plan"),
        Row(
            testDescription: "one before anything is sent ends the pass at once", fault: { _ in answer(402, "{}") },
            kind: .full, words: unpaid, requests: 1, uploads: 0),
        Row(
            testDescription: "a paused project needs a human",
            fault: { isUpload($0) ? answer(540, "<html>paused</html>") : nil }, kind: .needsHuman,
            words: "The project is paused: wake it in the dashboard.", blocked: "offline", next: "Wake the project"),
        Row(
            testDescription: "a missing policy is no failure of the file", fault: { isUpload($0) ? .denied : nil },
            kind: .notPermitted, words: "a policy of the bucket is missing", isNoted: false, blocked: "signIn",
            next: "right to write"),
    ])
    func aRefusalConsumesNoAttemptAndAllGoesOnOnceItIsOver(_ row: Row) async throws {
        try await AgentFixture.with(Self.photos) { fixture in
            let (ending, report, asked) = try await fail(fixture, row.fault)
            #expect(ending.kind == row.kind && ending.description.contains(row.words), "\(ending)")
            #expect(!ending.description.contains("storageBudget"), "the budget is not to blame")
            #expect(report.notes.contains(ending.description) == row.isNoted)
            #expect(asked.lines.count <= row.requests && asked.uploads.count <= row.uploads)
            #expect(report.blocked.map(\.reason) == [row.blocked].compactMap(\.self))
            #expect(report.blocked.allSatisfy { $0.next.contains(row.next) })
            let items = try await fixture.run(.steering) { await $0.queue.all() }
            #expect(items.allSatisfy { $0.retryCount == 0 })
            try await fixture.pass()
        }
    }

    @Test(.enabled(if: StrangerServer.isPossible)) func aStrangersCertificateEndsThePassBeforeAnythingIsSent()
        async throws
    {
        try await AgentFixture.with(Self.photos) { fixture in
            try await StrangerServer.with { stranger in
                var misled = fixture
                misled.equip = { setup in
                    setup.destination = Destination(
                        endpoint: StorageEndpoint(base: stranger.url), bucket: "media", isLocal: false)
                }
                guard case .needsHuman(let sentence) = try await misled.sync() else { throw Unexpected(ending: .done) }
                #expect(sentence.hasPrefix("The certificate of \(stranger.url) is not trusted: "))
                #expect(sentence.hasSuffix("the server's certificate."))
            }
        }
    }

    @Test func aCertificateThatEndsInTheMiddleConsumesNoAttempt() async throws {
        try await AgentFixture.with(Self.photos) { fixture in
            var misled = fixture
            misled.equip = { $0.transport = StrangeBodies(real: fixture.client) }
            let (ending, report, items) = try await misled.run { agent in
                (
                    try await agent.sync([fixture.gallery]), try await agent.report(.summary),
                    await agent.queue.all()
                )
            }
            guard case .needsHuman(let sentence) = ending else { throw Unexpected(ending: ending) }
            #expect(sentence.hasPrefix("It is old. Nothing was sent there."))
            #expect(report.assets == Report.Assets(waiting: 3))
            let odd = "Named like JPEG, but its bytes are not: 3 files, such as Pictures/a.jpg"
            #expect(report.notes == [sentence, odd])
            #expect(report.blocked.first?.next.contains("certificate") == true)
            #expect(items.allSatisfy { $0.retryCount == 0 && $0.status == .pending })
            try await fixture.pass()
        }
    }

    @Test func aHostThatFailsAgainAndAgainIsLeftAlone() async throws {
        let tree = FileTree(
            Dictionary(uniqueKeysWithValues: (10..<50).map { (FilePath("\($0).jpg"), .file(Array("\($0)".utf8))) }))
        try await AgentFixture.with(tree) { fixture in
            var fixture = fixture
            fixture.settings.retry.base = .seconds(600)
            fixture.settings.retry.factor = 1
            let (ending, _, asked) = try await fail(fixture) {
                Self.isUpload($0) ? .unavailable(retryAfter: 3_600) : nil
            }
            guard case .temporary(let sentence) = ending else { throw Unexpected(ending: ending) }
            #expect(sentence.contains("40 of 40 files wait"))
            #expect(asked.uploads.count <= Circuit.threshold + fixture.settings.upload.maxConcurrency)
        }
    }
}

private struct Unexpected: Error, CustomStringConvertible {
    let ending: Ending
    var description: String { "\(Mirror(reflecting: ending).children.first?.label ?? "done"): \(ending)" }
}

/// Gets a wrong certificate whenever it sends an object.
private struct StrangeBodies: Transport {
    let real: HTTPClient

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        guard request.method == .post, request.url.contains("/object/media/") else {
            return try await real.send(request)
        }
        throw TransferError(.untrusted, "It is old", mayHaveArrived: false)
    }
}

// MARK: - Sizes

/// Limits that no server announces: learned once, reported, probed again on request.
@Suite struct SizePolicyTests {
    private static func file(_ count: Int) -> FileTree.Node { .file([UInt8](repeating: 7, count: count)) }

    @Test func aBucketsLimitIsLearnedAndLargerFilesWaitUntried() async throws {
        let tree: FileTree = ["small.jpg": "s"]
        try await AgentFixture.with(tree) { fixture in
            try await fixture.storage.createBucket("media", BucketSettings(isPublic: false, fileSizeLimit: 1_000))
            try FileTree(["b.jpg": Self.file(2_000), "c.jpg": Self.file(3_000)]).write(to: fixture.gallery)
            let (ending, report) = try await fixture.run { agent in
                (try await agent.sync([fixture.gallery]), try await agent.report(.summary))
            }
            #expect(ending == .someTooLarge(2, "larger than the bucket takes, 1 kB"))
            #expect(report.assets == Report.Assets(stored: 1, waiting: 2))
            #expect(report.blocked.map(\.reason) == ["tooLarge"])
            #expect(report.blocked.first?.count == 2)
            #expect(report.blocked.first?.next.contains("bucket or project") == true)

            try FileTree(["d.jpg": Self.file(4_000)]).write(to: fixture.gallery)
            let asked = try await fixture.requests {
                let ending = try await fixture.sync()
                #expect(ending == .someTooLarge(3, "larger than the bucket takes, 1 kB"))
            }
            #expect(asked.uploads == ["/object/media/Pictures/b.jpg"], "the smallest, to see whether it is still so")
            #expect(asked.lines.count { $0.path.hasPrefix("/upload/resumable") } == 1, "and whether it is in pieces")

            try await fixture.storage.updateBucket("media", BucketSettings(fileSizeLimit: 1_000_000))
            var selection = Selection()
            selection.which = .all
            let chosen = selection
            let again = try await fixture.run { try await $0.reupload(chosen) }
            #expect(again.ending == .done)
            #expect(try await fixture.objects().count == 4)
        }
    }

    @Test func aProxysLimitIsNamedAsSuch() async throws {
        try await AgentFixture.with(["small.jpg": "s", "large.jpg": Self.file(2_000)]) { fixture in
            let page = Response(
                status: 413, headers: ["content-type": "text/html"],
                body: .bytes(Array("<html><h1>413 Request Entity Too Large</h1></html>".utf8)))
            let result = Shared<(Ending, Report)?>(nil)
            _ = try await fixture.requests(failing: { request in
                (request.body.length ?? 0) > 1_000 ? .answer(page) : nil
            }) {
                let ended = try await fixture.run { agent in
                    (try await agent.sync([fixture.gallery]), try await agent.report(.summary))
                }
                result.change { $0 = ended }
            }
            let (ending, report) = try #require(result.value)
            #expect(ending == .someTooLarge(1, "a proxy before the storage lets no uploads of 2 kB and more pass"))
            #expect(report.blocked.map(\.reason) == ["tooLarge"])
            #expect(report.blocked.first?.next.contains("proxy before the storage") == true)
        }
    }

    /// New files that are too large cause no further request, however many there are.
    @Test func besideTheProbeOfALimitNothingTooLargeIsTried() async throws {
        try await AgentFixture.with(["0.jpg": Self.file(2_000)]) { fixture in
            try await fixture.storage.createBucket("media", BucketSettings(isPublic: false, fileSizeLimit: 1_000))
            _ = try await fixture.sync()
            let new = (1...50).map { (FilePath("\($0).jpg"), Self.file(2_000 + $0)) }
            try FileTree(Dictionary(uniqueKeysWithValues: new)).write(to: fixture.gallery)
            let asked = try await fixture.requests {
                guard case .someTooLarge(51, _) = try await fixture.sync() else { throw Unexpected(ending: .done) }
            }
            #expect(asked.uploads.count == 1)
            #expect(asked.lines.count { $0.path.hasPrefix("/upload/resumable") } == 1)
        }
    }

    /// A watch whose destination is closed, and what it does after `seconds`.
    private func watchThrough(
        _ seconds: Double, _ fault: @escaping @Sendable (Request) -> Fault?, until: @escaping @Sendable (Report) -> Bool
    ) async throws -> (uploads: Int, stored: Int) {
        let later = Shared(0.0)
        let counts = Shared((uploads: 0, stored: 0))
        try await AgentFixture.with(["small.jpg": "s", "a.jpg": Self.file(2_000)]) { fixture in
            var fixture = fixture
            fixture.equip = { $0.clock = { Date() + later.value } }
            let asked = try await fixture.requests(failing: { later.value > 0 ? nil : fault($0) }) {
                let gallery = fixture.gallery
                let stored = try await fixture.run(.watch) { agent in
                    _ = try await agent.sync([gallery])
                    _ = try await agent.report("the destination is closed", when: until)
                    later.change { $0 = seconds }
                    agent.wake.notify()
                    agent.upkeep.notify()
                    return try await agent.report("both are stored") { $0.assets.stored == 2 }.assets.stored
                }
                counts.change { $0.stored = stored }
            }
            counts.change { $0.uploads = asked.uploads.count }
        }
        return counts.value
    }

    @Test(.timeLimit(.minutes(5))) func anHourAfterAPauseOneProbeIsSentAndAllGoesOn() async throws {
        let counts = try await watchThrough(3_601) { request in
            request.path.hasPrefix("/object/media/")
                ? .answer(Response(status: 540, body: .bytes(Array("<html>".utf8)))) : nil
        } until: {
            $0.assets.waiting == 2 && $0.queue.uploading == 0
        }
        #expect(counts.stored == 2)
        #expect(counts.uploads <= 5, "two were refused at most, and a second look; two were stored")
    }

    @Test(.timeLimit(.minutes(5))) func aDayAfterARefusalForSizeTheSmallestIsTriedAgain() async throws {
        let counts = try await watchThrough(86_401) { request in
            guard request.body.length ?? 0 > 1_000 || request.path.hasPrefix("/upload/resumable") else { return nil }
            return .answer(Response(status: 413, body: .bytes(Array("Maximum size exceeded".utf8))))
        } until: {
            $0.blocked.map(\.reason) == ["tooLarge"] && $0.assets.stored == 1
        }
        #expect(counts.stored == 2)
    }

    @Test func whatDoesNotFitTheBudgetWaitsAndWhatFitsGoesOn() async throws {
        let tree: FileTree = ["a.jpg": Self.file(600), "b.jpg": Self.file(500), "c.jpg": Self.file(390)]
        try await AgentFixture.with(tree) { fixture in
            var fixture = fixture
            fixture.settings.destination.storageBudget = .bytes(1_000)
            let ending = try await fixture.sync()
            guard case .full(let sentence) = ending else { throw Unexpected(ending: ending) }
            #expect(sentence.contains("budget of 1 kB") && sentence.contains("destination.storageBudget"))
            let stored = try await fixture.objects().values.map(\.count).reduce(0, +)
            #expect(stored <= 1_000 && stored >= 600)
            guard case .full = try await fixture.sync() else { throw Unexpected(ending: ending) }
            #expect(try await fixture.objects().values.map(\.count).reduce(0, +) == stored)
            fixture.settings.destination.storageBudget = .bytes(1_490)
            #expect(try await fixture.sync() == .done)
        }
    }

    @Test(arguments: [UploadQueue.window, 1])
    func whatReplacesAnObjectGoesOnOnceTheDifferenceFits(window: Int) async throws {
        try await AgentFixture.with(["a.jpg": Self.file(900)]) { fixture in
            var fixture = fixture
            fixture.equip = { $0.queueWindow = window }
            fixture.settings.destination.storageBudget = .bytes(910)
            try await fixture.pass()
            try fixture.write(String(repeating: "8", count: 950), to: "a.jpg")
            let ending = try await fixture.sync()
            guard case .full(let sentence) = ending else { throw Unexpected(ending: ending) }
            #expect(sentence.hasPrefix("50 B do not fit into the budget of 910 B, of which 10 B are free."))
            fixture.settings.destination.storageBudget = .bytes(950)
            try await fixture.pass()
            #expect(try await fixture.objects().values.map(\.count) == [950])
        }
    }

    @Test(arguments: [UploadQueue.window, 1])
    func whatWaitsForRoomIsToldByTheBudgetAndTheFilesOfNow(window: Int) async throws {
        try await AgentFixture.with(["a.jpg": Self.file(550)]) { fixture in
            var fixture = fixture
            fixture.equip = { $0.queueWindow = window }
            fixture.settings.destination.storageBudget = .bytes(600)
            try await fixture.pass()
            for (name, count) in [("b.jpg", 300), ("c.jpg", 200)] {
                try fixture.write(String(repeating: "8", count: count), to: FilePath(name))
            }
            guard case .full = try await fixture.sync() else { return }
            try Directory(fixture.gallery).remove(file: "c.jpg")
            fixture.settings.destination.storageBudget = .bytes(700)
            let ending = try await fixture.sync()
            guard case .full = ending else { throw Unexpected(ending: ending) }
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            let blocked = try #require(report.blocked.first)
            #expect(blocked.files == 1 && blocked.path == "Pictures/b.jpg")
            #expect(blocked.message == "300 B do not fit into the budget of 700 B, of which 150 B are free")
        }
    }

    /// Its object is moved, and takes the room that it has.
    @Test func aRenamedFileNeedsNone() async throws {
        try await AgentFixture.with(["a.jpg": Self.file(900), "b.jpg": Self.file(10)]) { fixture in
            var fixture = fixture
            fixture.settings.destination.storageBudget = .bytes(1_000)
            try await fixture.pass()
            try Directory(fixture.gallery).rename("a.jpg", to: "c.jpg")
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.changes == ["/object/move"])
            try fixture.write(String(repeating: "8", count: 91), to: "d.jpg")
            let ending = try await fixture.sync()
            guard case .full = ending else { throw Unexpected(ending: ending) }
        }
    }

    /// It was touched after it was stored, so that its object is copied with the time that it has now.
    @Test func aRenamedFileWhoseObjectIsCopiedNeedsRoom() async throws {
        try await AgentFixture.with(["b.jpg": Self.file(10)]) { fixture in
            var fixture = fixture
            fixture.settings.destination.storageBudget = .bytes(1_000)
            for _ in 0..<2 {
                try fixture.write(String(repeating: "8", count: 900), to: "a.jpg")
                try await fixture.pass()
            }
            try Directory(fixture.gallery).rename("a.jpg", to: "c.jpg")
            let ending = try await fixture.sync()
            guard case .full = ending else { throw Unexpected(ending: ending) }
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "Pictures/b.jpg"])
        }
    }

    /// A policy forbids moves, or what the server says of the object is not what its receipt says, at least for now.
    @Test(arguments: [false, true])
    func aRenamedFileWhoseObjectIsNotMovedNeedsRoom(isForbidden: Bool) async throws {
        try await AgentFixture.with(["a.jpg": Self.file(900), "b.jpg": Self.file(10)]) { fixture in
            var fixture = fixture
            fixture.settings.destination.storageBudget = .bytes(1_000)
            try await fixture.pass()
            try Directory(fixture.gallery).rename("a.jpg", to: "c.jpg")
            let looks = Shared(0)
            let other = Response(
                status: 200, headers: ["content-type": "application/json"],
                body: .bytes(Array(#"{"id":"1","name":"Pictures/a.jpg","bucket_id":"media","size":8}"#.utf8)))
            var ending = Ending.done
            let asked = try await fixture.requests(failing: { request in
                if isForbidden { return request.path == "/object/move" ? .denied : nil }
                guard request.path.hasSuffix("/Pictures/a.jpg") else { return nil }
                looks.change { $0 += 1 }
                return looks.value == 2 ? .answer(other) : nil
            }) {
                ending = try await fixture.sync()
            }
            #expect(asked.uploads.isEmpty && asked.count("POST", "/object/copy") == 0)
            if isForbidden { guard case .full = ending else { throw Unexpected(ending: ending) } }
            let name = isForbidden ? "a.jpg" : "c.jpg"
            #expect(Set(try await fixture.objects().keys) == ["Pictures/b.jpg", "Pictures/\(name)"])
        }
    }

    @Test func replacingCountsTheDifference() async throws {
        try await AgentFixture.with(["a.jpg": Self.file(900)]) { fixture in
            var fixture = fixture
            fixture.settings.destination.storageBudget = .bytes(1_000)
            try await fixture.pass()
            try fixture.write(String(repeating: "8", count: 1_000), to: "a.jpg")
            try await fixture.pass()
            try FileTree(["b.jpg": Self.file(1)]).write(to: fixture.gallery)
            let ending = try await fixture.sync()
            guard case .full = ending else { throw Unexpected(ending: ending) }
        }
    }
}
