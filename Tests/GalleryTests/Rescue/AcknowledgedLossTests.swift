import Foundation
import Gallery
import ProviderServer
import Providers
import Records
import Reporting
import Supabase
import TestSupport
import Testing

@testable import Control
@testable import Generating
@testable import Rescue

/// Jobs that failed for good, and that the user strikes off.
@Suite struct AcknowledgedLossTests {
    /// How a job of that name came into the registry and failed; its identifier.
    struct Loss: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fail: @Sendable (Studio) async throws -> String

        init(_ words: String, _ fail: @escaping @Sendable (Studio) async throws -> String) {
            (testDescription, self.fail) = (words, fail)
        }
    }

    private static let losses = [
        Loss("its provider rejected it") { studio in
            let reference = Studio.reference(.fal, "a")
            studio.server.add(
                MadeJob(.fal, reference.id, model: "fal-ai/veo3.1", media: [], running: 0, end: .failed("NSFW")))
            return try await studio.fixture.run { agent in
                let job = try await agent.jobOrders.add(reference)
                _ = try await agent.rescue(RescueOrder(.jobs([job.id])))
                return job.id.rawValue
            }
        },
        Loss("its link is dead") { studio in
            let link = studio.server.add(Reels.media())
            studio.server.set([Trouble(.status(410), path: "/files/*")])
            let (listing, _) = try await studio.rescue(link)
            return try #require(listing.rows.first?.job)
        },
        Loss("its order was refused") { studio in
            studio.server.set([Trouble(.status(422), method: "POST")])
            let order = GenerateOrder(.fal, model: "m", input: ["prompt": "p"], isConfirmed: true)
            let reply = try await studio.fixture.run { try await $0.answer(order) }
            return try #require(reply.answer?.id.rawValue)
        },
    ]

    @Test(arguments: losses)
    func whatIsStruckOffCountsAsLostNoMore(_ loss: Loss) async throws {
        try await Studio.with { studio in
            let id = try await loss.fail(studio)
            let before = try await Self.report(studio)
            #expect(before.rescue?.failed == 1)
            let cancelled = try await studio.fixture.run(.steering) { try await $0.answer(CancelJobsOrder([id])) }
            #expect(cancelled.answer?.map(\.isCancelled) == [true])
            let after = try await Self.report(studio)
            #expect(after.rescue?.failed == 0 && after.rescue?.lost == 0 && after.rescue?.fileless == nil)
            #expect(after.rescue?.files.isEmpty == true)
            let asked = studio.server.log.count
            let (listing, ending) = try await studio.rescue(.known)
            #expect(listing.rows.isEmpty && ending == .done)
            #expect(studio.server.log.count == asked)
        }
    }

    private static func report(_ studio: Studio) async throws -> Report {
        try await studio.fixture.run(.steering) { try await $0.report(.summary) }
    }
}

/// What a report counts of a job that was given up when a part of it was stored.
@Suite struct PartlyStoredTests {
    @Test func whatIsStoredStaysCounted() {
        var job = Job(RescueLink("https://cdn.example/a.mp4"), addedAt: Date(timeIntervalSince1970: 0))
        job.files += Job(RescueLink("https://cdn.example/b.mp4"), addedAt: job.addedAt).files
        (job.files[0].stage, job.files[1].stage) = (.stored, .failed)
        let kept = RescueSummary([job], now: job.addedAt)
        job.isCancelled = true
        let cancelled = RescueSummary([job], now: job.addedAt)
        #expect(kept?.stored == 1 && kept?.lost == 1)
        #expect(cancelled?.stored == 1 && cancelled?.lost == 0)
    }
}
