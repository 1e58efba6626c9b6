import Configuration
import Fixtures
import Foundation
import Platform
import ProviderServer
import Providers
import TestSupport
import Testing

@testable import Gallery
@testable import Reporting
@testable import Rescue

/// Rescues by a watch, without a request by the user.
@Suite struct RescueWatchTests {
    @Test func aWatchFindsWhatProvidersFinishedAndStoresIt() async throws {
        try await Studio.with { studio in
            studio.add(.fal, "a", Reels.media(seed: 1))
            studio.add(.openAI, "b", Reels.media(seed: 2))
            let stored = try await studio.fixture.run(.watch) { agent in
                try await agent.checkDestination()
                // A sidecar waits until it was identified.
                return try await agent.report("2 are stored and none waits") {
                    $0.assets.stored == 2 && $0.assets.waiting == 0
                }.assets
            }
            #expect(stored == Report.Assets(stored: 2))
            #expect(try studio.jobs().allSatisfy { $0.origin == .provider })
        }
    }

    @Test func aPassFollowsOpenJobsAndLooksForNoOthers() async throws {
        try await Studio.with { studio in
            studio.add(.fal, "a", Reels.media())
            try studio.fixture.write("no movie", to: "a.jpg")
            _ = try await studio.fixture.sync()
            #expect(try studio.jobs().isEmpty && studio.server.log.isEmpty)
            #expect(try FileFacts.existing(studio.fixture.locations.state.appending("jobs.json")) == nil)
        }
    }

    @Test(
        arguments: [
            ("nothing known", [], -7 * 86_400), ("a job without times", [Jobs.generation()], -7 * 86_400),
            ("one that ended", [Jobs.with(Jobs.generation()) { $0.endedAt = Jobs.now - 60 }], -3_660),
            (
                "another provider's",
                [Jobs.with(Jobs.generation("r", at: .luma)) { $0.endedAt = Jobs.now }], -7 * 86_400
            ),
            (
                "an end of a clock that was wrong",
                [
                    Jobs.with(Jobs.generation()) { $0.endedAt = Jobs.now - 600 },
                    Jobs.with(Jobs.generation("2")) { $0.endedAt = Jobs.now + 31_536_000 },
                ], -4_200
            ),
            (
                "the newest of two",
                [
                    Jobs.with(Jobs.generation()) { $0.endedAt = Jobs.now - 600 },
                    Jobs.with(Jobs.generation("2")) { $0.createdAt = Jobs.now },
                ], -3_600
            ),
        ] as [(String, [Job], Double)])
    func sinceWhen(_ row: (words: String, jobs: [Job], seconds: Double)) {
        #expect(Agent.newest(of: .fal, in: row.jobs, now: Jobs.now) == Jobs.now + row.seconds, "\(row.words)")
    }
}
