import Fixtures
import Gallery
import Platform
import Records
import Reporting
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing

@testable import Catalog
@testable import Queue

/// A cause that was fixed is noticed by the next pass: one request while it lasts, then everything.
@Suite struct MendedTests {
    struct Cause: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The answer of the server while the cause lasts.
        let fault: @Sendable (Request) -> Fault?
        /// Whether a pass ends as expected while the cause lasts.
        let isEnding: @Sendable (Ending) -> Bool
        /// Whether `doctor` detects the cause.
        var doctorKnows = true
        /// Uploads of the first pass, at most.
        var first = count
    }

    private static let count = 100

    static func answer(_ status: Int, _ body: String) -> Fault {
        .answer(
            Response(
                status: status, headers: ["content-type": "application/json"], body: .bytes(Array(body.utf8))))
    }

    static func refusal(_ status: Int, _ code: String, _ message: String) -> Fault {
        answer(400, #"{"statusCode":"\#(status)","error":"\#(code)","message":"\#(message)","code":"\#(code)"}"#)
    }

    private static func isUpload(_ request: Request) -> Bool {
        request.method == "POST" && request.path.hasPrefix("/object/media/")
    }

    private static func isNotPermitted(_ ending: Ending) -> Bool {
        if case .notPermitted = ending { true } else { false }
    }

    private static func needsHuman(_ ending: Ending) -> Bool { if case .needsHuman = ending { true } else { false } }

    static let causes = [
        Cause(
            testDescription: "no policy for INSERT",
            fault: { isUpload($0) ? refusal(403, "AccessDenied", "new row violates row-level security policy") : nil },
            isEnding: isNotPermitted),
        Cause(
            testDescription: "no policy for SELECT",
            fault: { request in
                if request.path.hasPrefix("/object/list-v2") {
                    return answer(200, #"{"hasNext":false,"folders":[],"objects":[]}"#)
                }
                return request.path.hasPrefix("/object/info") ? refusal(404, "NoSuchKey", "Object not found") : nil
            }, isEnding: isNotPermitted, first: 2 * count),
        Cause(
            testDescription: "no bucket",
            fault: { isUpload($0) ? refusal(404, "NoSuchBucket", "Bucket not found") : nil }, isEnding: needsHuman,
            first: 4),
        Cause(
            testDescription: "a type the bucket does not take",
            fault: { isUpload($0) ? refusal(415, "InvalidMimeType", "mime type image/jpeg is not supported") : nil },
            isEnding: { $0 == .someFailed(count) }, doctorKnows: false),
        Cause(
            testDescription: "a size limit",
            fault: { request in
                let isLarge = isUpload(request) || request.path.hasPrefix("/upload/resumable")
                return isLarge ? refusal(413, "EntityTooLarge", "too large") : nil
            }, isEnding: { if case .someTooLarge(count, _) = $0 { true } else { false } }, doctorKnows: false),
        Cause(
            testDescription: "a quota", fault: { isUpload($0) ? answer(402, "{}") : nil },
            isEnding: { if case .full = $0 { true } else { false } }, doctorKnows: false, first: 4),
    ]

    @Test(arguments: causes, [UploadQueue.window, 10])
    func oneRequestWhileItLastsAndEverythingOnceItIsGone(cause: Cause, window: Int) async throws {
        let files = (0..<Self.count).map { (FilePath("\($0).jpg"), FileTree.Node.file(Array("picture \($0)".utf8))) }
        try await AgentFixture.with(FileTree(Dictionary(uniqueKeysWithValues: files))) { fixture in
            var fixture = fixture
            fixture.equip = { $0.queueWindow = window }
            let first = try await Self.pass(fixture, cause)
            #expect(first <= cause.first)
            for _ in 0..<2 { #expect(try await Self.pass(fixture, cause) == 1) }
            try await fixture.pass()
            #expect(try await fixture.storage.list(bucket: "media").objects.count == Self.count)
        }
    }

    /// Runs a pass while the cause lasts; returns how many bodies were sent.
    private static func pass(_ fixture: AgentFixture, _ cause: Cause) async throws -> Int {
        try await fixture.requests(failing: cause.fault) {
            let ending = try await fixture.sync()
            #expect(cause.isEnding(ending), "\(ending)")
            #expect("\(ending)".contains("gallery-sync doctor") == cause.doctorKnows, "\(ending)")
        }.uploads.count
    }

    /// A file that failed and is then met by something else is in one sum, not in two.
    @Test func aFailedFileThatWaitsCountsAsWaiting() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            for (cause, sums) in [("a type", [0, 1, 0]), ("no policy for INSERT", [1, 0, 1])] {
                let cause = try #require(Self.causes.first { $0.testDescription.hasPrefix(cause) })
                _ = try await fixture.requests(failing: cause.fault) { _ = try await fixture.sync() }
                let report = try await fixture.run(.steering) { try await $0.report(.summary) }
                let blocked = report.blocked.reduce(0) { $0 + $1.files }
                #expect([report.assets.waiting, report.assets.failed, blocked] == sums, "\(cause)")
            }
            try await fixture.pass()
        }
    }

    /// Failures in the library that the queue does not hold are retried, too.
    @Test func failuresBeyondTheQueueGoOnAsWell() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            let cause = try #require(Self.causes.first { $0.testDescription.hasPrefix("a type") })
            _ = try await fixture.requests(failing: cause.fault) { _ = try await fixture.sync() }
            let code: FailureCode = "storage.InvalidMimeType"
            let seen = try await fixture.run(.steering) { agent in
                try await agent.library.readAgain(failedFor: code)
                return try await agent.library.counts()[.seen]
            }
            #expect(seen == 2)
        }
    }

    /// Without its item nothing would try it again.
    @Test func whatADamagedQueueForgotIsTriedAgain() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            let cause = try #require(Self.causes.first { $0.testDescription.hasPrefix("a type") })
            _ = try await fixture.requests(failing: cause.fault) { _ = try await fixture.sync() }
            try fixture.damageQueue()
            try await fixture.pass()
            #expect(try await fixture.objects().count == 2)
        }
    }
}

/// One bad answer among good ones counts as a gateway's error until a second request confirms it.
@Suite struct StrayAnswerTests {
    struct Slip: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let status: Int
        let body: String
        /// The requests that get the bad answer.
        let isMeant: @Sendable (Request) -> Bool
        /// Whether a pass ends as expected when the answer persists.
        let isEnding: @Sendable (Ending) -> Bool

        var answer: Fault { .answer(Response(status: status, body: .bytes(Array(body.utf8)))) }
    }

    private static func slips(_ place: String, _ isMeant: @escaping @Sendable (Request) -> Bool) -> [Slip] {
        [
            Slip(
                testDescription: "401 \(place)", status: 401, body: #"{"message":"no"}"#, isMeant: isMeant,
                isEnding: { if case .notPermitted = $0 { true } else { false } }),
            Slip(
                testDescription: "540 \(place)", status: 540, body: "<html>", isMeant: isMeant,
                isEnding: { if case .needsHuman = $0 { true } else { false } }),
        ]
    }

    static let slips =
        slips("to the look at the bucket") { $0.path.hasPrefix("/bucket") }
        + slips("to an upload") { $0.method == "POST" && $0.path.hasPrefix("/object/media/") }
        + slips("to the proof") { $0.path.hasPrefix("/object/list-v2") || $0.path.hasPrefix("/object/info") }

    private static let photos: FileTree = ["a.jpg": "one", "b.jpg": "two", "c.jpg": "three", "d.jpg": "four"]

    @Test(arguments: slips, [0, 1])
    func oneDoesNotEndThePass(slip: Slip, before: Int) async throws {
        try await AgentFixture.with(Self.photos) { fixture in
            let count = Shared(0)
            _ = try await fixture.requests(failing: { request in
                guard slip.isMeant(request) else { return nil }
                count.change { $0 += 1 }
                guard count.value == before + 1 else { return nil }
                return slip.answer
            }) {
                try await fixture.pass()
            }
            #expect(try await fixture.objects().count == 4)
        }
    }

    @Test(arguments: slips)
    func aLastingOneDoes(slip: Slip) async throws {
        try await AgentFixture.with(Self.photos) { fixture in
            let asked = try await fixture.requests(failing: { request in
                slip.isMeant(request) ? slip.answer : nil
            }) {
                let ending = try await fixture.sync()
                #expect(slip.isEnding(ending), "\(ending)")
            }
            #expect(asked.uploads.count <= 5, "four under way, and a second look")
            try await fixture.pass()
        }
    }
}
