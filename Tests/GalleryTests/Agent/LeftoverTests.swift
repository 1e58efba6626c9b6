import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Reconciling
import Records
import Reporting
import Serving
import StorageServer
import Supabase
import Sync
import TestSupport
import Testing
import Transfer

/// Objects that we sent and that have no receipts.
@Suite struct LeftoverTests {
    private static let b = "/object/media/Pictures/b.jpg"

    /// `a.jpg` is stored; `b.jpg` was stored by the server, but the answer was lost, and the file is gone here.
    ///
    /// - Parameter readBack: With `.never` nothing proves what the object holds, and it stays a leftover.
    private func withLeftover(
        readBack: Settings.ReadBack = .never, _ body: (AgentFixture) async throws -> Void
    ) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.verify.readBack = readBack
            try await fixture.pass()
            try fixture.write("two", to: "b.jpg")
            try await fixture.killedPass(at: Self.b)
            try Directory(fixture.gallery).remove(file: "b.jpg")
            try await fixture.pass()
            #expect(try await fixture.objects().count == 2)
            try await body(fixture)
        }
    }

    @Test func theObjectOfADeletedFileGetsItsReceipt() async throws {
        try await withLeftover(readBack: .plainHTTP) { fixture in
            #expect(try await fixture.verifiedKeys() == ["Pictures/a.jpg", "Pictures/b.jpg"])
            let report = try await fixture.run { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 1)
            try await fixture.later.pass()
            #expect(try await fixture.attempts() == 0)
            let (listed, _) = try await fixture.run(.steering) { try await $0.prune(deleting: false) }
            #expect(listed.objects.map { "\($0.key) \($0.isLeftover)" } == ["Pictures/b.jpg false"])
        }
    }

    @Test func whatAnotherClientPutInItsPlaceGetsNoReceipt() async throws {
        try await withLeftover { fixture in
            var fixture = fixture
            fixture.settings.verify.readBack = .always
            try await fixture.put(Array("theirs".utf8), at: "Pictures/b.jpg", replacing: true)
            try await fixture.pass()
            let report = try await fixture.run { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 0)
            #expect(try await fixture.objects()["Pictures/b.jpg"] == Array("theirs".utf8))
        }
    }

    /// Of the file that is stored under its new name the object is gone, as after a move that came late.
    @Test func whatALeftoverShowsToBeLostIsStoredAgain() async throws {
        try await withLeftover { fixture in
            try fixture.write("two", to: "c.jpg")
            // The leftover stays, because the server refuses to delete it.
            _ = try await fixture.requests(failing: { $0.method == "DELETE" ? .drop(afterReading: 0) : nil }) {
                try await fixture.pass()
            }
            #expect(try await fixture.objects().count == 3)
            _ = try await fixture.storage.deleteAll(bucket: "media", keys: ["Pictures/c.jpg"])
            try await fixture.later.pass()
            #expect(try await fixture.objects()["Pictures/c.jpg"] == Array("two".utf8))
        }
    }

    /// New bytes of `b.jpg` were sent, nothing was written down, and the file has another name at the next start.
    private static func renameAfterAKill(_ fixture: AgentFixture) async throws {
        try fixture.write("two", to: "b.jpg")
        try await fixture.killedPass(at: Self.b)
        try Directory(fixture.gallery).rename("b.jpg", to: "c.jpg")
        try await fixture.pass()
        #expect(try await fixture.verifiedKeys() == ["Pictures/a.jpg", "Pictures/c.jpg"])
    }

    @Test func whatIsStoredUnderItsFilesNewNameGoesFromTheOldOne() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            try await fixture.pass()
            try await Self.renameAfterAKill(fixture)
            #expect(try fixture.audit().count { $0.contains("\"action\":\"pruned\"") } == 1)
        }
    }

    /// The object holds new bytes, its receipt describes the old ones, and the file has another name by now.
    @Test func newBytesUnderAnOldReceiptGoOnceTheyAreStoredWhereTheyBelong() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "former"]) { fixture in
            try await fixture.pass()
            try await Self.renameAfterAKill(fixture)
            #expect(try await fixture.objects()["Pictures/c.jpg"] == Array("two".utf8))
        }
    }

    /// Without a check the file would count as stored, since the receipt matches its bytes again.
    @Test func aFileThatIsItsFormerSelfAgainIsStoredAsSuch() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "former"]) { fixture in
            try await fixture.pass()
            try fixture.write("two", to: "b.jpg")
            try await fixture.killedPass(at: Self.b)
            #expect(try await fixture.objects()["Pictures/b.jpg"] == Array("two".utf8))
            try fixture.write("former", to: "b.jpg")
            try await fixture.pass()
            #expect(try await fixture.objects()["Pictures/b.jpg"] == Array("former".utf8))
            #expect(try await fixture.verifiedKeys() == ["Pictures/a.jpg", "Pictures/b.jpg"])
        }
    }

    /// Holds the first body that goes to `a.jpg`.
    private static func line(_ fixture: AgentFixture) -> LateLine {
        LateLine(fixture.client) {
            guard case .file = $0.body else { return false }
            return $0.url.hasSuffix("/object/media/Pictures/a.jpg")
        }
    }

    /// A request with "two" was given up, and "three" is stored by now.
    private func withLateBytes(_ body: (AgentFixture, LateLine) async throws -> Void) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            try await fixture.pass()
            try fixture.write("two", to: "a.jpg")
            var line = Self.line(fixture)
            line.meanwhile = { [fixture] in try fixture.write("three", to: "a.jpg") }
            try await fixture.over(line).pass()
            try await body(fixture, line)
        }
    }

    @Test func bytesThatArriveAfterThoseThatFollowedThemAreReplacedAgain() async throws {
        try await withLateBytes { fixture, line in
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("three".utf8))
            // Two attempts at the same bytes may have been given up.
            for _ in 0..<2 {
                try await line.arrive()
                #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("two".utf8))
                try await fixture.pass()
                #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("three".utf8))
            }
        }
    }

    /// A server may take bytes that arrive late, and not keep them.
    @Test func whatALateRequestHasTakenAwayIsStoredAgain() async throws {
        try await withLateBytes { fixture, _ in
            try await fixture.storage.delete(bucket: "media", key: "Pictures/a.jpg")
            try await fixture.pass()
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("three".utf8))
        }
    }

    /// The retry of the request that was given up has succeeded, and newer bytes have followed.
    @Test(arguments: [
        ("nothing waits", Ending.done), ("a file waits", .someTooLarge(1, "larger than the bucket takes, 1 kB")),
    ])
    func bytesThatArriveAfterTheirRetryAreReplacedAgain(_ other: String, ending: Ending) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            try await fixture.storage.createBucket("media", BucketSettings(isPublic: false, fileSizeLimit: 1_000))
            if ending != .done { try fixture.write(String(repeating: "x", count: 2_000), to: "large.jpg") }
            #expect(try await fixture.sync() == ending)
            try fixture.write("two", to: "a.jpg")
            let line = Self.line(fixture)
            #expect(try await fixture.over(line).sync() == ending)
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("two".utf8))
            try fixture.write("three", to: "a.jpg")
            #expect(try await fixture.sync() == ending)
            try await line.arrive()
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("two".utf8))
            #expect(try await fixture.sync() == ending)
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("three".utf8))
        }
    }

    @Test func itIsFoundListedAndDeleted() async throws {
        try await withLeftover { fixture in
            let (found, ending) = try await fixture.verify()
            #expect(found.findings.map { "\($0.problem.rawValue) \($0.key)" } == ["leftover Pictures/b.jpg"])
            #expect(ending == .done)
            let (listed, _) = try await fixture.run(.steering) { try await $0.prune(deleting: false) }
            #expect(listed.objects.map(\.path) == ["Pictures/b.jpg"])
            #expect(listed.objects.first?.isLeftover == true && listed.bytes == 3)
            let (deleted, _) = try await fixture.run(.steering) { try await $0.prune(deleting: true) }
            #expect(deleted.objects.count == 1)
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg"])
            // The request that left it may still arrive.
            #expect(try await fixture.attempts() == 1)
            try await fixture.later.pass()
            #expect(try await fixture.attempts() == 0)
        }
    }

    @Test func whatAnotherClientPutInItsPlaceStays() async throws {
        try await withLeftover { fixture in
            try await fixture.put(Array("theirs".utf8), at: "Pictures/b.jpg", replacing: true)
            let (result, _) = try await fixture.run(.steering) { try await $0.prune(deleting: true) }
            #expect(result.objects.isEmpty)
            #expect(try await fixture.objects()["Pictures/b.jpg"] == Array("theirs".utf8))
        }
    }

    /// A restore would write the old content under the name, and the new one beside it.
    @Test func aNewFileOfItsNameTakesItsPlace() async throws {
        try await withLeftover { fixture in
            try fixture.write("another", to: "b.jpg")
            try await fixture.pass()
            let objects = try await fixture.objects()
            #expect(Set(objects.keys) == ["Pictures/a.jpg", "Pictures/b.jpg"])
            #expect(objects["Pictures/b.jpg"] == Array("another".utf8))
            try await fixture.later.pass()
            #expect(try await fixture.attempts() == 0)
        }
    }

    @Test func itsBytesCountInTheBudget() async throws {
        try await withLeftover { fixture in
            var fixture = fixture
            fixture.settings.destination.storageBudget = .bytes(8)
            try fixture.write("four", to: "c.jpg")
            guard case .full = try await fixture.later.sync() else { return #expect(Bool(false), "not full") }
            _ = try await fixture.run(.steering) { try await $0.prune(deleting: true) }
            try await fixture.pass()
        }
    }

    /// One of two files fits; the first one that is sent is stored, and its answer is lost.
    @Test func bytesThatMayBeStoredCountInTheBudget() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            var fixture = fixture
            fixture.settings.destination.storageBudget = .bytes(5)
            fixture.settings.retry.base = .seconds(600)
            (fixture.settings.sync.patience, fixture.settings.scan.settle) = (.zero, .zero)
            let isOver = Shared(false)
            let asked = try await fixture.requests(failing: {
                guard $0.path.hasPrefix("/object/media/"), !isOver.value else { return nil }
                isOver.change { isOver in isOver = true }
                return .cutAnswer(after: 12)
            }) { _ = try await fixture.sync() }
            #expect(isOver.value)
            #expect(asked.uploads.count == 1)
            #expect(try await fixture.objects().count == 1)
        }
    }

    /// A gateway's error says nothing of the request before, which had no answer, or of which the server says too little.
    @Test(arguments: [Fault.cutAnswer(after: 12), .misreportSize(by: 1)])
    func bytesThatMayBeStoredCountInTheBudgetAfterAnErrorToo(_ first: Fault) async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            var fixture = fixture
            fixture.settings.destination.storageBudget = .bytes(5)
            fixture.settings.scan.settle = .zero
            let (sent, isDoubted) = (Shared(0), Shared(false))
            let asked = try await fixture.requests(failing: { request in
                if case .misreportSize = first, request.path.hasPrefix("/object/info/"), !isDoubted.value {
                    isDoubted.change { $0 = true }
                    return first
                }
                guard request.path.hasPrefix("/object/media/") else { return nil }
                sent.change { $0 += 1 }
                if sent.value == 1, case .cutAnswer = first { return first }
                let badGateway = Response(status: 502, body: .bytes(Array("Bad Gateway".utf8)))
                return sent.value == 2 ? .answer(badGateway) : nil
            }) { _ = try await fixture.sync() }
            #expect(asked.uploads.count > 2 && Set(asked.uploads).count == 1)
            #expect(try await fixture.objects().count == 1)
        }
    }

    @Test func whatIsNotThereIsForgottenOnceNothingCanBringIt() async throws {
        try await withLeftover { fixture in
            try await fixture.storage.delete(bucket: "media", key: "Pictures/b.jpg")
            try await fixture.pass()
            #expect(try await fixture.attempts() == 1)
            try await fixture.later.pass()
            #expect(try await fixture.attempts() == 0)
        }
    }

    /// A move may have brought it after the page of the listing that would show it.
    @Test func whatIsThereThoughNotListedIsNotForgotten() async throws {
        try await withLeftover { fixture in
            let page = Response(
                status: 200, headers: ["content-type": "application/json"],
                body: .bytes(Array(#"{"hasNext":false,"objects":[]}"#.utf8)))
            for isThere in [true, false] {
                if !isThere { try await fixture.storage.delete(bucket: "media", key: "Pictures/b.jpg") }
                let asked = try await fixture.requests(failing: {
                    $0.path.hasPrefix("/object/list-v2") ? .answer(page) : nil
                }) { _ = try await fixture.later.verify() }
                #expect(asked.count("POST", "/object/list-v2/media") > 0)
                #expect(try await fixture.attempts() == (isThere ? 1 : 0))
            }
        }
    }

    @Test(
        arguments: [
            (["a", "b"], ["c", "d"], nil), (["a", "b"], ["a", "b"], "circles"), (["b"], ["a"], "circles"),
            (["a"], [], "circles"),
        ] as [([String], [String], String?)])
    func aListingHasToLeadOn(_ first: [String], _ second: [String], _ refusal: String?) throws {
        var progress = ListingProgress()
        #expect(try progress.next(after: page(first, "1")) == "1")
        do {
            #expect(try progress.next(after: page(second, "2")) == "2")
            #expect(refusal == nil)
        } catch {
            #expect(refusal.map("\(error)".contains) == true)
        }
    }

    @Test func aCursorThatComesAgainEndsAListing() throws {
        var progress = ListingProgress()
        _ = try progress.next(after: page(["a"], "1"))
        _ = try progress.next(after: page(["b"], "2"))
        #expect(throws: StorageError.self) { try progress.next(after: page(["c"], "1")) }
        #expect(try progress.next(after: page(["d"], nil)) == nil)
    }

    private func page(_ keys: [String], _ cursor: String?) throws -> ObjectPage {
        let objects = keys.map { "{\"name\":\"\($0)\"}" }.joined(separator: ",")
        let next = cursor.map { "\"hasNext\":true,\"nextCursor\":\"\($0)\"" } ?? "\"hasNext\":false"
        return try JSONDecoder().decode(ObjectPage.self, from: Data("{\(next),\"objects\":[\(objects)]}".utf8))
    }
}

extension AgentFixture {
    /// The same fixture an hour later.
    var later: AgentFixture {
        var later = self
        let before = equip
        later.equip = { setup in
            before(&setup)
            setup.clock = { Date() + 3_600 }
        }
        return later
    }
}
