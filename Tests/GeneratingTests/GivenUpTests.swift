import Foundation
import ProviderServer
import Providers
import Queue
import Supabase
import TestSupport
import Testing

@testable import Generating
@testable import Rescue

/// Orders that the user gives up while they are tried again.
@Suite struct GivenUpTests {
    /// The generator and the registry, which the pause between two calls reaches.
    private struct Life: Sendable {
        let registry: JobRegistry
        let isGivenUp = Shared(false)
        let pauses = Shared(0)

        init() throws {
            registry = try JobRegistry(store: JobStore(disk: RecordingDisk(), quarantine: RecordingDisk()))
        }

        /// - Parameter pause: Which of the pauses the user gives the order up in, from 1.
        func generate(at provider: any Provider, givingUpIn pause: Int?) async throws -> Job {
            let (registry, isGivenUp, pauses) = (registry, isGivenUp, pauses)
            let generator = Generator(
                registry: registry, providers: [provider.name: provider], clock: { Date() },
                pause: { _ in
                    let number = pauses.change {
                        $0 += 1
                        return $0
                    }
                    guard number == pause, let job = await registry.all().first else { return }
                    isGivenUp.change { $0 = true }
                    try await registry.update(job.id) { $0.isCancelled = true }
                })
            let order = GenerateOrder(.rendio, model: "m", input: ["prompt": "a cat"], cost: 1_000_000)
            return try await generator.generate(order, limit: nil)
        }
    }

    /// Each of `lost` calls fails before the order was taken; the next would buy it.
    @Test(arguments: [(1, 1), (2, 2)], [Trouble.Effect.status(503), .dropped])
    func whatIsGivenUpBetweenTwoCallsIsNotBought(_ row: (lost: Int, pause: Int), effect: Trouble.Effect) async throws {
        var plan = ProviderPlan()
        plan.troubles = [Trouble(effect, method: "POST", times: row.lost)]
        try await ProviderServer.running(plan) { server, client in
            let life = try Life()
            let job = try await life.generate(
                at: server.provider(.rendio, transport: client), givingUpIn: row.pause)
            #expect(life.isGivenUp.value && job.isCancelled && job.isSettled)
            #expect(server.charges.isEmpty, "it was bought after it was given up")
            #expect(life.pauses.value == row.pause)
        }
    }

    /// Three calls make two pauses; what was taken waits for nothing more.
    @Test(arguments: [(0, 0), (1, 1), (2, 2), (3, 2)])
    func onlyBetweenTwoCallsThereIsAPause(_ row: (lost: Int, pauses: Int)) async throws {
        var plan = ProviderPlan()
        plan.troubles = [Trouble(.status(503), method: "POST", times: row.lost)]
        try await ProviderServer.running(plan) { server, client in
            let life = try Life()
            let job = try await life.generate(at: server.provider(.rendio, transport: client), givingUpIn: nil)
            #expect(life.pauses.value == row.pauses)
            #expect(server.charges.count == (row.lost < 3 ? 1 : 0) && (job.reference != nil) == (row.lost < 3))
        }
    }
}
