import Fixtures
import FoundationEssentials
import Platform
import ProviderServer
import Providers
import Queue
import Records
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Catalog
@testable import Generating
@testable import Rescue

/// Orders at the simulated providers; a disk that fails from its n-th call on stands for a kill there.
@Suite struct GeneratorTests {
    static let cost: Int64 = 1_500_000
    static let order = GenerateOrder(.fal, model: "fal-ai/veo3.1", input: ["prompt": "a cat", "seed": 7], cost: cost)

    /// One run of the program: its registry and its generator.
    struct Life {
        let registry: JobRegistry
        let generator: Generator
        let lines: Shared<[Ledger.Line]>

        /// - Parameter lines: The audit log, which outlives the run.
        init(
            _ disk: any Disk, _ server: ProviderServer, _ client: HTTPClient,
            _ lines: Shared<[Ledger.Line]> = Shared([])
        ) throws {
            self.lines = lines
            registry = try JobRegistry(store: JobStore(disk: disk, quarantine: RecordingDisk()))
            let providers = [ProviderName.fal, .rendio].map { ($0, server.provider($0, transport: client)) }
            generator = Generator(
                registry: registry, providers: Dictionary(uniqueKeysWithValues: providers), clock: { Date() },
                pause: { _ in },
                note: { [lines] line, _ in lines.change { $0.append(line) } })
        }

        func ledger(_ site: ProviderName) async -> Ledger { .init(of: await registry.all(), at: site) }
    }

    private static func order(_ site: ProviderName) -> GenerateOrder {
        var order = order
        order.provider = site
        return order
    }

    private static let noTrouble = Trouble.Effect.slow(bytesPerSecond: 1_000_000_000)

    /// For every call of the disk, and every outcome of the call to the provider.
    @Test(
        arguments: [ProviderName.fal, .rendio],
        [noTrouble, .lostAnswer, .dropped, .status(503), .status(422, body: #"{"detail":"no"}"#)])
    func killedAnywhereNothingIsPaidTwice(site: ProviderName, effect: Trouble.Effect) async throws {
        for calls in 0..<60 {
            var plan = ProviderPlan()
            plan.troubles = [Trouble(effect, method: "POST", times: 1)]
            let isOver = try await ProviderServer.running(plan) { server, client in
                let disk = FailingDisk(callsBeforeFailure: calls)
                let lines = Shared<[Ledger.Line]>([])
                do {
                    let life = try Life(disk, server, client, lines)
                    _ = try await life.generator.generate(Self.order(site), limit: nil)
                    try await life.registry.close()
                } catch is SystemError {}
                for _ in 0..<2 {
                    let life = try Life(disk.contents, server, client, lines)
                    try await life.generator.resume()
                    try await Self.check(life, server, site)
                    try await life.registry.close()
                }
                return !disk.hasFailed
            }
            if isOver { return }
        }
        Issue.record("The disk was never left alone.")
    }

    /// At most one job was bought, and the ledger says so.
    private static func check(_ life: Life, _ server: ProviderServer, _ site: ProviderName) async throws {
        let jobs = await life.registry.all()
        let ledger = await life.ledger(site)
        #expect(server.charges.count <= 1)
        #expect(jobs.count <= 1)
        // The log has every amount: when it was reserved, and what became of it.
        let stages = life.lines.value.map(\.stage)
        let entry = jobs.first?.submission.flatMap { ledger[$0.intent.key] }
        #expect(Set(stages) == Set([.reserved, entry?.stage].compactMap(\.self)) || entry == nil)
        #expect(stages.last == entry?.stage || entry == nil)
        let price = site == .rendio ? 4_000_000 : cost
        switch jobs.first?.submission?.stage {
        case .taken(let reference):
            #expect(server.charges.map(\.job) == [reference.id])
            #expect(ledger.sum(of: .committed) == price)
            #expect(ledger.sum(of: .reserved) == 0)
        case .called:
            // Only where the outcome is unknown; the amount stays reserved.
            #expect(site == .fal)
            #expect(ledger.bound == cost)
            #expect(jobs.first?.state == .unknown("unknown"))
            #expect(jobs.first?.advice?.contains("jobs cancel") == true)
        case .refused:
            #expect(server.charges.isEmpty)
            #expect(ledger.bound == 0)
        case .intended:
            Issue.record("It was left unsent.")
        case nil:
            #expect(server.charges.isEmpty)
            #expect(ledger.bound == 0)
        }
    }

    @Test func aTakenOrderIsFollowed() async throws {
        try await ProviderServer.running { server, client in
            let life = try Life(RecordingDisk(), server, client)
            let job = try await life.generator.generate(Self.order, limit: Self.cost)
            #expect(job.reference?.id == server.charges.first?.job)
            #expect(job.reference?.calls?.status != nil)
            #expect(job.state == .queued)
            #expect(life.lines.value.map(\.stage) == [.reserved, .committed])
            #expect(life.lines.value.map(\.bound) == [Self.cost, Self.cost])
            #expect(server.log.last?.body == Array(#"{"prompt":"a cat","seed":7}"#.utf8))
        }
    }

    @Test func rendiosOwnPriceCounts() async throws {
        try await ProviderServer.running { server, client in
            let life = try Life(RecordingDisk(), server, client)
            _ = try await life.generator.generate(Self.order(.rendio), limit: nil)
            #expect(await life.ledger(.rendio).sum(of: .committed) == 4_000_000)
            #expect(await life.ledger(.fal).bound == 0)
        }
    }

    @Test func theLimitIsHeldAcrossOrders() async throws {
        try await ProviderServer.running { server, client in
            let life = try Life(RecordingDisk(), server, client)
            for _ in 0..<2 { _ = try await life.generator.generate(Self.order, limit: Self.cost * 2) }
            let refusal = await #expect(throws: Refusal.self) {
                _ = try await life.generator.generate(Self.order, limit: Self.cost * 3 - 1)
            }
            #expect(refusal?.description.contains("raise maxSpend") == true)
            #expect(server.charges.count == 2)
            #expect(await life.registry.all().count == 2)
        }
    }

    @Test func withoutCreditsNothingIsBound() async throws {
        var plan = ProviderPlan()
        plan.credits = 3
        try await ProviderServer.running(plan) { server, client in
            let life = try Life(RecordingDisk(), server, client)
            let job = try await life.generator.generate(Self.order(.rendio), limit: nil)
            #expect(job.error?.credits == .init(current: 3, required: 4))
            #expect(life.lines.value.map(\.stage) == [.reserved, .released])
        }
    }

    /// The second call comes to an order that is taken: another one of the same is a second video then.
    @Test func whatWasNotTakenIsTheSameOrderUntilItIs() async throws {
        var plan = ProviderPlan()
        plan.troubles = [Trouble(.status(429), method: "POST", times: 3)]
        try await ProviderServer.running(plan) { server, client in
            let life = try Life(RecordingDisk(), server, client)
            #expect(await life.generator.unanswered(like: Self.order) == nil)
            let job = try await life.generator.generate(Self.order, limit: nil)
            #expect(server.charges.isEmpty && job.unanswered?.contains("was not taken yet") == true)
            #expect(await life.generator.unanswered(like: Self.order)?.id == job.id)
            var others = [Self.order(.rendio), Self.order, Self.order]
            others[1].model = "fal-ai/other"
            others[2].input = ["prompt": "a dog", "seed": 7]
            for other in others { #expect(await life.generator.unanswered(like: other) == nil) }
            try await life.generator.resume()
            #expect(await life.generator.unanswered(like: Self.order) == nil)
            #expect(await life.registry.job(job.id)?.reference?.id == server.charges.first?.job)
        }
    }

    /// fal's history lists a job once it has ended.
    @Test func aLostAnswerIsFoundInTheHistory() async throws {
        var plan = ProviderPlan()
        plan.queued = 3
        plan.running = 0
        plan.troubles = [Trouble(.lostAnswer, method: "POST", times: 1)]
        try await ProviderServer.running(plan) { server, client in
            let life = try Life(RecordingDisk(), server, client)
            let job = try await life.generator.generate(Self.order, limit: nil)
            #expect(job.state == .unknown("unknown"))
            var stages: [Bool] = []
            for _ in 0..<4 {
                // Its news is for the loop that fetches, which has nothing else to wake it.
                #expect(try await life.generator.resume() == !stages.contains(true))
                stages.append(await life.registry.job(job.id)?.reference != nil)
            }
            #expect(stages.contains(false) && stages.last == true)
            #expect(server.charges.count == 1)
            #expect(life.lines.value.map(\.stage) == [.reserved, .committed])
        }
    }

    @Test func anotherOrdersJobIsNotClaimed() async throws {
        var plan = ProviderPlan()
        (plan.queued, plan.running) = (0, 0)
        plan.troubles = [Trouble(.dropped, method: "POST", sparing: 1, times: 1)]
        try await ProviderServer.running(plan) { server, client in
            let life = try Life(RecordingDisk(), server, client)
            let first = try await life.generator.generate(Self.order, limit: nil)
            let second = try await life.generator.generate(Self.order, limit: nil)
            try await life.generator.resume()
            #expect(first.reference != nil)
            #expect(await life.registry.job(second.id)?.state == .unknown("unknown"))
            #expect(await life.ledger(.fal).sum(of: .committed) == Self.cost)
            #expect(await life.ledger(.fal).sum(of: .reserved) == Self.cost)
        }
    }

    @Test func aJobFoundByBothWaysIsFollowedOnce() async throws {
        var plan = ProviderPlan()
        (plan.queued, plan.running) = (0, 0)
        plan.troubles = [
            Trouble(.lostAnswer, method: "POST", times: 1), Trouble(.status(503), path: "/fal/v1/*", times: 1),
        ]
        try await ProviderServer.running(plan) { server, client in
            let life = try Life(RecordingDisk(), server, client)
            let job = try await life.generator.generate(Self.order, limit: nil)
            let reference = JobReference(.fal, try #require(server.charges.first?.job), model: Self.order.model)
            #expect(try await life.registry.add([Job(reference, addedAt: Date())]) == [.new])
            try await life.generator.resume()
            #expect(await life.registry.job(job.id)?.isSettled == true)
            #expect(await life.registry.open().map(\.id) == [JobIdentifier(reference)])
            #expect(await life.ledger(.fal).sum(of: .committed) == Self.cost)
        }
    }

    @Test func theHistoryBringsNoSecondJobForATakenOrder() async throws {
        try await ProviderServer.running { server, client in
            let disk = RecordingDisk()
            var life = try Life(disk, server, client)
            let job = try await life.generator.generate(Self.order, limit: nil)
            let found = Job(try #require(job.reference), addedAt: Date())
            #expect(try await life.registry.add([found]) == [.known(job)])
            try await life.registry.close()
            life = try Life(disk, server, client)
            #expect(try await life.registry.add([found]).count == 1)
            #expect(await life.registry.all().count == 1)
        }
    }

    @Test(arguments: [(Trouble.Effect.dropped, Int64(1_500_000)), (.status(429), 0)])
    func givenUpWhatMayHaveArrivedCountsAsSpent(effect: Trouble.Effect, spent: Int64) async throws {
        var plan = ProviderPlan()
        plan.troubles = [Trouble(effect, method: "POST")]
        try await ProviderServer.running(plan) { server, client in
            let life = try Life(RecordingDisk(), server, client)
            let job = try await life.generator.generate(Self.order, limit: nil)
            let cancelled = try await life.generator.cancel(job)
            #expect(cancelled.isSettled)
            #expect(await life.ledger(.fal).bound == spent)
            try await life.generator.resume()
            #expect(server.charges.isEmpty)
        }
    }
}
