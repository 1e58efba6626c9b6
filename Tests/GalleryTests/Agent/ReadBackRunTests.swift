import Foundation
import Platform
import Queue
import Serving
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Catalog
@testable import Configuration
@testable import Gallery
@testable import Reporting

/// Reading back beside a watch: when the agent is idle, and within the rate limit.
@Suite struct ReadBackRunTests {
    /// A fixture with remote storage that returns no eTags, so that only sizes are proof.
    private static func with(
        _ tree: FileTree, line: @escaping @Sendable (HTTPClient) -> any Transport = { $0 },
        _ body: (AgentFixture) async throws -> Void
    ) async throws {
        try await AgentFixture.with(tree) { fixture in
            var fixture = fixture
            let (client, distant) = (fixture.client, fixture.distantDestination)
            fixture.equip = { setup in
                setup.transport = RetaggingLine(server: line(client)) { _ in nil }
                setup.destination = distant
            }
            try await body(fixture)
        }
    }

    /// Waits until `count` objects are proven by reading them back.
    private static func readBack(_ count: Int, by agent: Agent) async throws {
        try await eventually("\(count) objects are read back") {
            try await agent.report(.summary).proof == Report.Proof(readBack: count)
        }
    }

    @Test func whatIsStoredWhileWatchingIsReadBack() async throws {
        try await Self.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.verify.readBack = .always
            try await fixture.run(.watch) { [fixture] agent in
                _ = try await agent.sync([fixture.gallery])
                try await Self.readBack(1, by: agent)
                try fixture.write("two", to: "b.jpg")
                try await Self.readBack(2, by: agent)
            }
        }
    }

    @Test func aShareIsReadWhileWatchingOnly() async throws {
        try await Self.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.verify.readBack = .share(100)
            try await fixture.pass()
            // Before the watch, which may read back as soon as it begins.
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.proof == Report.Proof(size: 1))
            try await fixture.run(.watch) { [fixture] agent in
                _ = try await agent.sync([fixture.gallery])
                try await Self.readBack(1, by: agent)
            }
        }
    }

    @Test func whatComesBackWrongIsSentAgainWhileWatching() async throws {
        let large = Randomness.bytes(7_000_000)
        let left = Shared(1)
        try await Self.with(["a.mp4": .file(large)], line: { CorruptingLine(server: $0, left: left) }) { fixture in
            var fixture = fixture
            fixture.settings.verify.readBack = .always
            try await fixture.run(.watch) { [fixture] agent in
                _ = try await agent.sync([fixture.gallery])
                try await Self.readBack(1, by: agent)
            }
            #expect(left.value < 0, "nothing was spoilt")
            let stored = try await fixture.storage.download(
                bucket: "media", key: "Pictures/a.mp4", to: .memory(limit: 1 << 24))
            #expect(stored.body == large)
        }
    }

    /// The rate limit is very low for half of the day, by the agent's clock.
    @Test func itWaitsWithTheLineForAnHourThatHasNoLimit() async throws {
        var rates = RateTimetable(always: nil)
        rates.add(try #require(RateTimetable.Span("00:00-12:00")), 1)
        let start = Date()
        let hours = (0..<24).map { start + Double($0) * 3_600 }
        // Well before the end of that half, since the test takes time, too.
        let slow = try #require(hours.first { rates.rate(at: $0) != nil && rates.rate(at: $0 + 7_200) != nil })
        let (rate, ahead) = (Shared<Int?>(nil), Shared(slow.timeIntervalSince(start)))
        let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
        let line: @Sendable (HTTPClient) -> any Transport = { LimitedLine(server: $0, rate: rate, waiting: waiting) }
        try await Self.with(["a.jpg": "one"], line: line) { fixture in
            var fixture = fixture
            fixture.settings.verify.readBack = .never
            try await fixture.pass()
            fixture.settings.verify.readBack = .always
            fixture.settings.upload.limitRate = rates
            let before = fixture.equip
            fixture.equip = { setup in
                before(&setup)
                setup.clock = { Date() + ahead.value }
                setup.hooks.setRate = { new in rate.change { $0 = new } }
            }
            // The rate limit when the program starts.
            rate.change { $0 = 1 }
            try await fixture.run(.watch) { agent in
                agent.wake.notify()
                try await waits.first("it wants to read back")
                #expect(try await agent.report(.summary).proof == Report.Proof(size: 1))
                ahead.change { $0 += 12 * 3_600 }
                agent.upkeep.notify()
                try await Self.readBack(1, by: agent)
            }
            #expect(rate.value == nil)
        }
    }
}

/// A connection that delays downloads as long as there is a rate limit.
private struct LimitedLine: Transport {
    let server: any Transport
    let rate: Shared<Int?>
    /// Notified when a part of an object is requested.
    let waiting: AsyncStream<Void>.Continuation

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        if request.headers["range"] != nil, rate.value != nil {
            waiting.yield()
            do {
                try await eventually("the limit is lifted") { rate.value == nil }
            } catch {
                throw TransferError(.timedOut, "\(error)", mayHaveArrived: false)
            }
        }
        return try await server.send(request)
    }
}
