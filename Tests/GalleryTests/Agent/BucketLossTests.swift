import Catalog
import Configuration
import Platform
import Queue
import Reporting
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing
import Text
import Transfer
import Uploading

@testable import Gallery

/// A bucket that another client deleted: its objects no longer count as stored.
@Suite struct BucketLossTests {
    private static let tree: FileTree = ["a.jpg": "a", "b.jpg": "b", "gone.jpg": "c"]

    /// All files are stored, one file is deleted, then the bucket.
    private static func withLoss(_ body: (AgentFixture) async throws -> Void) async throws {
        try await AgentFixture.with(tree) { fixture in
            try await fixture.pass()
            try Directory(fixture.gallery).remove(file: "gone.jpg")
            try await fixture.pass()
            try await fixture.storage.emptyBucket("media")
            try await eventually("the bucket is empty") { try await fixture.objects().isEmpty }
            try await fixture.storage.deleteBucket("media")
            try await body(fixture)
        }
    }

    private static func expectStoredAgain(_ fixture: AgentFixture) async throws {
        #expect(try await fixture.verifiedKeys() == ["Pictures/a.jpg", "Pictures/b.jpg"])
        let report = try await fixture.run(.steering) { try await $0.report(.summary) }
        #expect(report.assets == Report.Assets(stored: 2))
        #expect(report.besides.remoteOnly == 0)
    }

    @Test func whatIsHereIsStoredAgainAndTheLossIsSaid() async throws {
        try await Self.withLoss { fixture in
            let said = Shared<[String]>([])
            var fixture = fixture
            fixture.equip = { $0.log = Log(level: .warning) { line in said.change { $0.append(line.message) } } }
            try await fixture.pass()
            let sentence = "Bucket \"media\" was gone with 3 objects in it: what is still here is stored again"
            #expect(said.value == [sentence])
            try await Self.expectStoredAgain(fixture)
        }
    }

    /// The server creates the bucket, and the agent is killed before it gets the answer.
    @Test func aKillAfterTheBucketWasMadeLosesNothing() async throws {
        try await Self.withLoss { fixture in
            try await fixture.killedPass(at: "/bucket", by: "POST")
            try await fixture.pass()
            try await Self.expectStoredAgain(fixture)
        }
    }

    /// The agent checks the bucket when it starts, and before it sends the first file.
    @Test func aListingFromBeforeAnotherCheckForgetsNothing() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            try await fixture.storage.emptyBucket("media")
            try await eventually("the bucket is empty") { try await fixture.objects().isEmpty }
            let line = SteppedTransport(server: fixture.client)
            var stepped = fixture
            stepped.equip = { $0.transport = line }
            let count = try await stepped.run(.steering) { agent in
                try await agent.library.setFact("bucket.missing", to: "media")
                line.after.change {
                    $0 = { request in
                        guard request.url.contains("/object/list") else { return }
                        try await agent.library.setFact("bucket.missing", to: nil)
                    }
                }
                try await agent.checkDestination()
                return try await agent.library.receiptCount(destination: agent.setup.destination.name, prefix: "")
            }
            #expect(count == 3)
        }
    }

    /// While the answer to the request that made the bucket is on its way, another check settles the loss.
    @Test func anAnswerFromBeforeAnotherCheckForgetsNothing() async throws {
        try await Self.withLoss { fixture in
            let line = SteppedTransport(server: fixture.client)
            var stepped = fixture
            stepped.equip = { $0.transport = line }
            let count = try await stepped.run(.steering) { agent in
                defer { line.after.change { $0 = { _ in } } }
                line.after.change {
                    $0 = { request in
                        guard request.method == .post, request.url.hasSuffix("/bucket") else { return }
                        try await agent.library.setFact("bucket.missing", to: nil)
                    }
                }
                try await agent.checkDestination()
                return try await agent.library.receiptCount(destination: agent.setup.destination.name, prefix: "")
            }
            #expect(count == 3)
            // What that one missed is found by a comparison.
            _ = try await fixture.sync()
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "Pictures/b.jpg"])
        }
    }

    /// A person makes the bucket anew before this computer looks at it: the answer to an upload was all that told.
    @Test(arguments: [true, false])
    func aBucketThatOthersMakeAnewIsCompared(_ isEmptied: Bool) async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            try fixture.write("d", to: "new.jpg")
            _ = try await fixture.requests(failing: { request in
                let isUpload = request.method == "POST" && request.path.hasPrefix("/object/media/")
                return isUpload ? MendedTests.refusal(404, "NoSuchBucket", "Bucket not found") : nil
            }) { _ = try? await fixture.sync() }
            if isEmptied {
                try await fixture.storage.emptyBucket("media")
                try await eventually("the bucket is empty") { try await fixture.objects().isEmpty }
            }
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.count == (isEmptied ? 4 : 1))
            #expect(try await fixture.verifiedKeys() == Set(["a", "b", "gone", "new"].map { "Pictures/\($0).jpg" }))
        }
    }

    /// A bucket that is not there lists as empty.
    @Test func whileTheBucketIsMissingNothingIsCompared() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            let asked = try await fixture.requests {
                try await fixture.run(.steering) { agent in
                    let failure = Item.Failure(code: .storage(.noSuchBucket), message: "gone", retryable: false)
                    try await agent.uploader.heard(.blocked(.bucket, failure))
                    try await agent.tidy()
                }
            }
            #expect(asked.count("POST", "/object/list-v2/media") == 0)
            let again = try await fixture.requests { try await fixture.run(.steering) { try await $0.tidy() } }
            #expect(again.count("POST", "/object/list-v2/media") == 1)
        }
    }

    struct Slip: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// How a request for the bucket to be made is answered; `nil` by the server, which has it.
        var making: Fault?
        /// Whether nothing is answered any more once that was asked.
        var breaks = false
    }

    /// One answer says that the bucket is gone, which it is not.
    @Test(arguments: [
        Slip(testDescription: "a slip of the server, which then says that the bucket is there"),
        Slip(
            testDescription: "a page of the network answers, such as that to sign in at a hotel: nothing was made",
            making: .answer(Response(status: 200, body: .bytes(Array("<html>Welcome</html>".utf8))))),
        Slip(
            testDescription: "the connection breaks: whether the bucket was made is unknown",
            making: .drop(afterReading: 0), breaks: true),
    ])
    func aWrongAnswerForgetsNothing(_ row: Slip) async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            let isOver = Shared(false)
            let asked = try await fixture.requests(failing: { request in
                if row.breaks, isOver.value { return .drop(afterReading: 0) }
                switch (request.method, request.path) {
                case ("GET", "/bucket/media"):
                    return MendedTests.refusal(404, "NoSuchBucket", "Bucket not found")
                case ("POST", "/bucket"):
                    isOver.change { $0 = true }
                    return row.making
                default: return nil
                }
            }) { _ = try? await fixture.sync() }
            #expect(asked.count("POST", "/bucket") > 0)
            #expect(asked.uploads.isEmpty)
            let again = try await fixture.requests { try await fixture.pass() }
            #expect(again.uploads.isEmpty)
            #expect(!again.lines.contains { $0.path.hasPrefix("/object/info") }, "no receipt was forgotten")
        }
    }
}
