import Configuration
import Fixtures
import Foundation
import Queue
import TestSupport
import Testing
import Uploading

@testable import Gallery

/// An item that meets silence while nothing is sent for another reason; found by the simulator (353492185049).
@Suite struct WaitingForSilenceTests {
    static let silence = Item.Failure(code: "network.unreachable", message: "no connection", retryable: true)

    @Test(arguments: [
        (
            "the key is refused",
            UploadOutcome.blocked(.signIn, Item.Failure(code: "auth.refused", message: "expired", retryable: true))
        ),
        (
            "the plan is used up",
            .blocked(.budget, Item.Failure(code: "http.402", message: "over its plan", retryable: true))
        ),
        ("the server answers nothing", .unreachable(silence)),
    ])
    func isDueOnceThatHasEnded(_ row: (why: String, outcome: UploadOutcome)) async throws {
        try await AgentFixture.with([:]) { fixture in
            try await fixture.run(.steering) { agent in
                try await agent.uploader.heard(row.outcome)
                #expect(agent.uploader.obstacle != nil, "\(row.why)")
                let item = Items.with {
                    ($0.blocked, $0.lastError) = (.offline, Self.silence)
                }
                _ = try await agent.queue.add(item, origin: .backlog, now: Items.now)
                try await agent.uploader.reopen()
                #expect(await agent.queue.item(item.id)?.blocked == nil, "\(row.why)")
            }
        }
    }
}
