import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Queue
import Records
import Reporting
import Serving
import StorageServer
import Supabase
import Synchronization
import TestSupport
import Testing
import Transfer

@Suite struct SyncTests {
    /// Gives a file other bytes before its first body leaves, or once it has arrived.
    private struct DeceivingLine: Transport {
        let server: any Transport
        var isAfterArrival = false
        let isDone = Shared(false)
        let change: @Sendable () throws -> Void

        func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
            if case .file = request.body,
                !isDone.change({ isDone in
                    defer { isDone = true }
                    return isDone
                })
            {
                let answer = isAfterArrival ? try await server.send(request) : nil
                do { try change() } catch { throw TransferError(.unsendable, "\(error)", mayHaveArrived: false) }
                if let answer { return answer }
            }
            return try await server.send(request)
        }
    }

    /// Gives a file other bytes before each body leaves.
    private struct RestlessLine: Transport {
        let server: any Transport
        let change: @Sendable () throws -> Void

        func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
            if case .file = request.body {
                do { try change() } catch { throw TransferError(.unsendable, "\(error)", mayHaveArrived: false) }
            }
            return try await server.send(request)
        }
    }

    @Test func aFileThatChangedWithoutATraceWhileItWasSentIsReadAndSentAgain() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            let path = fixture.gallery.appending("a.jpg")
            let line = DeceivingLine(server: fixture.client) {
                let file = try Directory(path.parent).open(writing: "a.jpg")
                let time = try file.facts().modifiedAt
                try file.write(Array("two".utf8), at: 0)
                try file.setModified(time)
            }
            fixture.equip = { $0.transport = line }
            try await fixture.pass()
            #expect(try await fixture.objects() == ["Pictures/a.jpg": Array("two".utf8)])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.assets == Report.Assets(stored: 1))
        }
    }

    @Test(arguments: [6 << 20, 1])
    func aFileThatIsAsStoredAgainWhileOtherBytesWereSentIsSentAgain(piecesAbove size: Int) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.upload.smallFileBytes = size
            try await fixture.pass()
            try fixture.write("two", to: "a.jpg")
            let line = DeceivingLine(server: fixture.client, isAfterArrival: true) { [fixture] in
                try fixture.write("one", to: "a.jpg")
            }
            fixture.equip = { $0.transport = line }
            try await fixture.pass()
            #expect(line.isDone.value)
            #expect(try await fixture.objects() == ["Pictures/a.jpg": Array("one".utf8)])
        }
    }

    @Test func aFileThatGivesOtherBytesAtEachReadIsReadAgainAndSentLater() async throws {
        try await AgentFixture.with(["a.jpg": "0"]) { fixture in
            var restless = fixture
            let path = fixture.gallery.appending("a.jpg")
            let bodies = Shared(0)
            let line = RestlessLine(server: fixture.client) {
                let number = bodies.change { count in
                    count += 1
                    return count
                }
                let file = try Directory(path.parent).open(writing: "a.jpg")
                let time = try file.facts().modifiedAt
                try file.write(Array("\(number % 10)".utf8), at: 0)
                try file.setModified(time)
            }
            restless.equip = { $0.transport = line }
            restless.settings.retry.base = .seconds(600)
            restless.settings.sync.patience = .seconds(5)
            let item = try await restless.run { agent in
                guard case .temporary = try await agent.sync([fixture.gallery]) else { return Item?.none }
                return await agent.queue.all().first
            }
            #expect(bodies.value == 1)
            #expect(item?.retryCount == 1)
            #expect(item?.lastError?.code == .unsteady)
            #expect(item?.sha256 == SHA256.hash("1".utf8).hexadecimal)
        }
    }

    @Test func aFolderIsStoredOnceAndASecondPassSendsNothing() async throws {
        let tree: FileTree = ["a.jpg": "one", "sub": ["写真 1.jpg": "two"], "notes.txt": "no media", ".hidden.jpg": "x"]
        try await AgentFixture.with(tree) { fixture in
            let first = try await fixture.run { agent in
                (try await agent.sync([fixture.gallery]), try await agent.report(.summary))
            }
            #expect(first.0 == .done)
            #expect(first.1.assets == Report.Assets(stored: 2))
            #expect(first.1.besides.ignored == 2)
            let objects = try await fixture.objects()
            #expect(objects["Pictures/a.jpg"] == Array("one".utf8))
            #expect(objects["Pictures/sub/!E5!86!99!E7!9C!9F 1.jpg"] == Array("two".utf8))
            #expect(objects.count == 2)

            let bodies = Shared(0)
            fixture.faults.change {
                $0 = { request in
                    if request.method == "POST", request.path.hasPrefix("/object/media/") { bodies.change { $0 += 1 } }
                    return nil
                }
            }
            let second = try await fixture.run { try await $0.sync([fixture.gallery]) }
            #expect(second == .done)
            #expect(bodies.value == 0)
        }
    }

    @Test func aChangedFileReplacesItsObject() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "same"]) { fixture in
            _ = try await fixture.run { try await $0.sync([fixture.gallery]) }
            try OpenFile(creating: fixture.gallery.appending("a.jpg")).append(Array("other".utf8))
            let ending = try await fixture.run { try await $0.sync([fixture.gallery]) }
            #expect(ending == .done)
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("other".utf8))
        }
    }

    @Test func aServerThatComesBackWithinThePatienceIsWaitedFor() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            try await fixture.pass()
            try fixture.write("two", to: "b.jpg")
            await fixture.server.stop()
            var patient = fixture
            patient.settings.sync.patience = .seconds(60)
            let ending = try await patient.run { agent in
                async let ending = agent.sync([fixture.gallery])
                // Waits until the agent reports that it cannot reach the destination.
                try await agent.knocksInVain()
                let server = try StorageServer(folder: fixture.folder.appending("storage"), listening: [])
                try server.start()
                let end = try await ending
                await server.stop()
                return end
            }
            #expect(ending == .done)
        }
    }

    /// By a clock that was set back, no time would have passed for years.
    @Test(arguments: [61.0, -100_000_000])
    func aSyncThatIsOfflineGivesUpOnceItsPatienceIsOver(after seconds: Double) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            await fixture.server.stop()
            let (later, ended) = (Shared(0.0), Shared(Ending?.none))
            var patient = fixture
            patient.settings.sync.patience = .seconds(60)
            patient.equip = { $0.clock = { Date() + later.value } }
            try await patient.run { agent in
                async let sync: Void = {
                    let ending = try await agent.sync([fixture.gallery])
                    ended.change { $0 = ending }
                }()
                try await agent.knocksInVain()
                later.change { $0 = seconds }
                try await eventually("the sync gives up") { ended.value != nil }
                try await sync
            }
            guard case .temporary? = ended.value else {
                Issue.record("\(String(describing: ended.value))")
                return
            }
        }
    }

    @Test func aFirstPassThatBeginsOfflineMakesItsBucketLater() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            await fixture.server.stop()
            var patient = fixture
            patient.settings.sync.patience = .seconds(60)
            let end = try await patient.run { agent in
                async let ending = agent.sync([fixture.gallery])
                // Waits until the agent reports that it cannot reach the destination.
                try await agent.knocksInVain()
                let server = try StorageServer(folder: fixture.folder.appending("storage"), listening: [])
                try server.start()
                let ended = (try await ending, try await agent.report(.summary), try await fixture.objects())
                await server.stop()
                return ended
            }
            #expect(end.0 == .done)
            #expect(end.1.assets == Report.Assets(stored: 2))
            #expect(end.2.count == 2)
        }
    }

    @Test(arguments: [1, 2, 4])
    func aServerThatIsBusyAtFirstGetsItsBucketLater(failures: Int) async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            let left = Shared(failures)
            let asked = try await fixture.requests(failing: { request in
                guard request.path.hasPrefix("/bucket") else { return nil }
                return left.change {
                    $0 -= 1; return $0 >= 0
                } ? .unavailable(retryAfter: 0) : nil
            }) { try await fixture.pass() }
            #expect(asked.uploads.count == 2, "no body is sent before its bucket is there")
            #expect(try await fixture.objects().count == 2)
        }
    }

    /// Otherwise each file would count as failed; once something is stored, only a gateway can be at fault.
    @Test func anAddressWithoutStorageEndsTheFirstPass() async throws {
        let body = Array(#"{"message":"no Route matched with those values"}"#.utf8)
        let lost = Fault.answer(Response(status: 404, body: .bytes(body)))
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let asked = try await fixture.requests(failing: { _ in lost }) {
                let ending = try await fixture.sync()
                #expect("\(ending)".hasPrefix("What answers is no Supabase Storage"))
            }
            #expect(asked.uploads.isEmpty)
            try await fixture.pass()
            try fixture.write("two", to: "b.jpg")
            _ = try await fixture.requests(failing: { $0.path.hasPrefix("/bucket") ? lost : nil }) {
                try await fixture.pass()
            }
            #expect(try await fixture.objects().count == 2)
        }
    }

    @Test func aBucketThatTurnsOutPublicLaterEndsThePass() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            try await fixture.storage.createBucket("media", BucketSettings(isPublic: true))
            let isFirst = Shared(true)
            let asked = try await fixture.requests(failing: { _ in
                isFirst.change({ exchange(&$0, with: false) }) ? .unavailable(retryAfter: 0) : nil
            }) {
                await #expect(throws: Refusal.self) { try await fixture.sync() }
            }
            #expect(asked.uploads.isEmpty)
        }
    }

    @Test(arguments: [
        "/bucket*", "/object/media/*", "/object/info/*", "/object/list-v2/*", "/upload/resumable*",
    ])
    func aCollisionWithoutACauseIsTriedAgain(path: String) async throws {
        let film = [UInt8](repeating: 1, count: 13_000_000)
        let tree: FileTree = ["a.jpg": "one", "b.jpg": "two", "c.jpg": "two", "film.mp4": .file(film)]
        try await AgentFixture.with(tree) { fixture in
            let plan = FaultPlan([
                FaultRule(.status(409), method: "POST", path: "/object/media/*", times: 1),
                FaultRule(.status(409), path: path, times: 2),
            ])
            _ = try await fixture.requests(failing: plan.fault) { try await fixture.pass() }
            #expect(plan.hits[1] > 0)
            #expect(try await fixture.storage.list(bucket: "media").objects.count == 4)
        }
    }

    @Test func aBusyServerIsAskedAgain() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two", "c.jpg": "three"]) { fixture in
            let failures = Shared(4)
            fixture.faults.change {
                $0 = { request in
                    guard request.method == "POST", request.path.hasPrefix("/object/media/") else { return nil }
                    return failures.change { left in
                        left -= 1
                        return left >= 0 ? .unavailable(retryAfter: 0) : nil
                    }
                }
            }
            let ending = try await fixture.run { try await $0.sync([fixture.gallery]) }
            #expect(ending == .done)
            #expect(try await fixture.objects().count == 3)
        }
    }

    @Test func whatMayHaveArrivedUnheardIsOursEvenWhenTheFileChangedBeforeTheNextTry() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let isFirst = Shared(true)
            // The answer to the first upload is lost; then the project is paused, so this pass cannot verify it.
            let paused = Fault.answer(Response(status: 540, body: .bytes([])))
            _ = try await fixture.requests(failing: { request in
                if request.path == "/bucket/media" || request.path == "/bucket" { return nil }
                return isFirst.change({ exchange(&$0, with: false) }) ? .cutAnswer(after: 0) : paused
            }) {
                guard case .needsHuman = try await fixture.sync() else { return #expect(Bool(false)) }
            }
            #expect(try await fixture.objects() == ["Pictures/a.jpg": Array("one".utf8)])
            try fixture.write("other", to: "a.jpg")
            try await fixture.pass()
            #expect(try await fixture.objects() == ["Pictures/a.jpg": Array("other".utf8)])
        }
    }

    @Test func aForeignObjectIsLeftAndTheFileGoesBesideIt() async throws {
        try await AgentFixture.with(["a.jpg": "mine"]) { fixture in
            _ = try await fixture.run { try await $0.sync([fixture.gallery]) }
            // Another profile without our receipts stores another file under the same name.
            var other = fixture
            other.settings.retry.base = .milliseconds(30)
            try OpenFile(creating: fixture.gallery.appending("a.jpg")).append(Array("theirs".utf8))
            TemporaryDirectory.remove(fixture.folder.appending("s"))
            let ending = try await other.run { try await $0.sync([fixture.gallery]) }
            #expect(ending == .done)
            let objects = try await fixture.objects()
            #expect(objects["Pictures/a.jpg"] == Array("mine".utf8))
            #expect(objects.values.contains(Array("theirs".utf8)))
            #expect(objects.count == 2)
        }
    }

    @Test func theSameFileWithoutOurStateIsAdoptedWithoutSendingItTwice() async throws {
        try await AgentFixture.with(["a.jpg": "mine"]) { fixture in
            _ = try await fixture.run { try await $0.sync([fixture.gallery]) }
            TemporaryDirectory.remove(fixture.folder.appending("s"))
            let (ending, report) = try await fixture.run {
                (try await $0.sync([fixture.gallery]), try await $0.report(.summary))
            }
            #expect(ending == .done)
            #expect(report.assets == Report.Assets(stored: 1))
            #expect(try await fixture.objects().count == 1)
        }
    }
}

extension SyncTests {
    @Test func aFileWithATimeInTheFutureIsStoredLikeAnyOther() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let file = try OpenFile(creating: fixture.gallery.appending("future.jpg"))
            try file.append(Array("two".utf8))
            try file.setModified(FileTime(nanoseconds: 4_000_000_000_000_000_001))
            let (ending, report) = try await fixture.run {
                (try await $0.sync([fixture.gallery]), try await $0.report(.summary))
            }
            #expect(ending == .done)
            #expect(report.assets == Report.Assets(stored: 2))
        }
    }

    @Test(arguments: [
        ("a.jpg", "is not a directory: name the one that it lies in"), ("nowhere", "There is no directory"),
    ])
    func whatCannotBeARootIsToldBeforeABucketIsMade(name: FilePath, words: String) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let asked = try await fixture.requests {
                let ending = try await fixture.run { try await $0.sync([fixture.gallery.appending(name)]) }
                #expect(ending.kind == .usage && ending.description.contains(words), "\(ending)")
            }
            #expect(asked.lines.isEmpty)
        }
    }
}
