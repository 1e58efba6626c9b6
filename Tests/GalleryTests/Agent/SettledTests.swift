import Configuration
import Foundation
import Platform
import Queue
import Records
import TestSupport
import Testing
import Uploading

@testable import Catalog
@testable import Gallery

/// A pass ends by a consistent state, although it reads the queue and the library one after the other.
@Suite(.timeLimit(.minutes(5))) struct SettledTests {
    /// An agent without stages, whose one file does not fit into the budget and waits in the queue.
    private func withBlockedFile(_ body: @escaping @Sendable (Agent) async throws -> Void) async throws {
        try await AgentFixture.with(["a.jpg": "twenty bytes of text"]) { fixture in
            var fixture = fixture
            fixture.settings.destination.storageBudget = .bytes(10)
            guard case .full = try await fixture.sync() else { throw Refusal(.usage("it should not fit")) }
            fixture.equip = { $0.queueWindow = 1 }
            try await fixture.run(.steering, body)
        }
    }

    @Test func whatIsOnItsWayFromTheQueueToTheLibraryIsStillWhatAPassWaitsFor() async throws {
        try await withBlockedFile { agent in
            let items = await agent.queue.all().filter { $0.blocked != nil }
            #expect(items.count == 1)
            // The state during a move, while its removal from the queue is being synced.
            _ = try await agent.library.keep(blocked: items, destination: agent.setup.destination.name)
            _ = try await agent.queue.withdraw { $0.blocked != nil }
            guard case .full(let sentence) = try await agent.waitUntilSettled() else {
                Issue.record("the file that does not fit was overlooked")
                return
            }
            #expect(sentence.hasPrefix("20 B do not fit into the budget of 10 B"))
        }
    }

    @Test func aLookDuringWhichSomethingMovedIsTakenAgain() async throws {
        try await withBlockedFile { agent in
            let looks = Shared(0)
            let seen = try await agent.library.unwritten {
                let open = await agent.queue.count().open
                if looks.change({
                    $0 += 1; return $0
                }) == 1 {
                    try await agent.blocked.makeRoom()
                }
                return (queued: open, kept: try await agent.library.holdsBlocked())
            }
            #expect(seen == (queued: 0, kept: true), "never in both, and never in neither")
            #expect(looks.value == 2)
        }
    }
}
