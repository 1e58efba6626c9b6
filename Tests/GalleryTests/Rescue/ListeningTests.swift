import Configuration
import Foundation
import Gallery
import Platform
import ProviderServer
import Providers
import Records
import TestSupport
import Testing

@testable import Catalog
@testable import Rescue

/// What a socket saves: the next poll is an hour away here, so only events can end a rescue.
@Suite struct ListeningTests {
    private func rescued(_ manner: SocketManner, patience: Duration) async throws -> (Ending, [LoggedRequest]) {
        var plan = ProviderPlan()
        plan.socket = manner
        let found = Shared<(Ending, [LoggedRequest])?>(nil)
        try await Studio.with(plan) { studio in
            var studio = studio
            studio.fixture.settings.sync.patience = patience
            studio.equip { setup in
                setup.rescue.polling.first = .seconds(3_000)
                setup.rescue.polling.longest = .seconds(3_000)
            }
            let reference = Studio.reference(.storyToVideo, "t-1")
            var job = MadeJob(.storyToVideo, reference.id, media: [Reels.media()], queued: 2, running: 2)
            job.createdAt = Date()
            studio.server.add(job)
            let ending = try await studio.fixture.run { agent in
                _ = try await agent.jobOrders.add(reference)
                return try await agent.rescue(RescueOrder(.known)).ending
            }
            let log = studio.server.log
            found.change { $0 = (ending, log) }
        }
        return try #require(found.value)
    }

    @Test(arguments: [SocketManner.usual, .twice, .pinging])
    func theSocketTellsOfTheEnd(manner: SocketManner) async throws {
        let (ending, log) = try await rescued(manner, patience: .seconds(7_200))
        #expect(ending == .done)
        // Without events it would take five requests.
        #expect(log.count { $0.path.hasPrefix("/storytovideo/v1/") } < 5)
    }

    /// Adding the job and the rescue ask once each; the socket delays neither.
    @Test(arguments: [SocketManner.garbage, .wrongAccept, .silent])
    func aBrokenSocketOnlyLeavesTheQuestions(manner: SocketManner) async throws {
        let (ending, log) = try await rescued(manner, patience: .seconds(1))
        #expect(ending == .temporary(ending.description))
        #expect(log.count { $0.path.hasPrefix("/storytovideo/v1/") } <= 2)
    }
}
