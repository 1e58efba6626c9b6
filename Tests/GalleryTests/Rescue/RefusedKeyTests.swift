import Catalog
import Foundation
import ProviderServer
import Providers
import Queue
import Records
import Rescue
import TestSupport
import Testing
import Transfer

@testable import Gallery

/// Jobs of a provider that refuses, from the order to the receipt.
@Suite struct RefusedKeyTests {
    /// A studio whose agents show a wrong key.
    static func wrong(_ site: ProviderName, _ studio: Studio) -> Studio {
        var other = studio
        other.equip { $0.rescue.providers[site] = studio.server.provider(site, key: "wrong", transport: $0.transport) }
        return other
    }

    static let keyed = ProviderName.all.filter { $0 != .storyToVideo }

    @Test(arguments: keyed)
    func aWrongKeyEndsNothingAndTheNextStartWithTheRightOneGoesOn(site: ProviderName) async throws {
        try await Studio.with { studio in
            let references = ["a", "b", "c"].map { studio.add(site, $0, Reels.media(seed: UInt64($0.utf8.first ?? 0))) }
            let (result, ending) = try await Self.wrong(site, studio).fixture.run { agent in
                _ = try await agent.jobOrders.add(references)
                return try await agent.rescue(RescueOrder(.known))
            }
            guard case .temporary(let words) = ending else { return #expect(Bool(false), "\(ending)") }
            #expect(words.contains("refuses the key"), "\(words)")
            #expect(result.rows.contains { $0.note?.contains("refuses the key") == true })
            let jobs = try studio.jobs()
            #expect(jobs.count == 3 && jobs.allSatisfy { $0.error == nil && !$0.isSettled })
            let summary = RescueSummary(jobs, now: Date())
            #expect(summary?.blocked?.count == 1 && summary?.failed == 0)
            #expect(summary?.blocked?.first?.contains("GALLERY_SYNC_\(site.rawValue.uppercased())_KEY") == true)
            #expect(try await studio.rescue(.known).ending == .done)
            #expect(try studio.jobs().allSatisfy { $0.isStored })
        }
    }

    /// The provider's own words name neither it nor what is to be done.
    @Test func aListThatIsRefusedNamesTheProviderAndItsKey() async throws {
        try await Studio.with { studio in
            let refusal = await #expect(throws: Refusal.self) {
                try await Self.wrong(.replicate, studio).fixture.run(.steering) { agent in
                    try await agent.rescuePlan(RescueOrder(.provider(.replicate, since: nil)))
                }
            }
            guard case .notPermitted(let words)? = refusal?.ending else {
                return #expect(Bool(false), "\(refusal as Any)")
            }
            #expect(words.hasPrefix("replicate refuses the key ("), "\(words)")
            #expect(words.contains(": renew it in GALLERY_SYNC_REPLICATE_KEY or in the file"), "\(words)")
        }
    }

    /// The key is looked at once a minute, and once the clock was set back.
    @Test(arguments: [61.0, -100_000_000]) func aKeyThatWasRenewedMeanwhileIsTried(after seconds: Double) async throws {
        try await Studio.with { studio in
            let reference = studio.add(.runway, "a", Reels.media())
            var wrong = Self.wrong(.runway, studio)
            // Both at once: a job that is under way keeps its dates.
            let now = Shared((isRenewed: false, later: 0.0))
            wrong.equip { setup in
                setup.rescue.reread = { [transport = setup.transport] name in
                    let key = now.value.isRenewed ? studio.server.key : "wrong"
                    return studio.server.provider(name, key: key, transport: transport)
                }
                setup.clock = { Date() + now.value.later }
            }
            try await wrong.fixture.run(.watch) { agent in
                try await agent.checkDestination()
                _ = try await agent.jobOrders.add(reference)
                try await eventually("the key is refused") { await agent.jobOrders.all().first?.refusedKey != nil }
                now.change { $0 = (true, seconds) }
                agent.rescuer.wake.notify()
                try await eventually("the job is stored") { await agent.jobOrders.all().first?.isStored == true }
            }
            #expect(try studio.jobs().first?.trouble == nil)
        }
    }

    /// Gives answers about one job only after it is opened.
    private final class Gate: Transport {
        let server: any Transport
        private let isOpen = Shared(false)
        private let opened = WakeEvent()

        init(_ server: any Transport) { self.server = server }

        func open() {
            isOpen.change { $0 = true }
            opened.notify()
        }

        func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
            let answer = try await server.send(request)
            while request.url.hasSuffix("/late"), !isOpen.value {
                let wakeups = opened.wakeups
                if isOpen.value { break }
                await opened.wait(after: wakeups)
                if Task.isCancelled { throw TransferError(.cancelled, "cancelled", mayHaveArrived: true) }
            }
            return answer
        }
    }

    /// One job is refused, and its key renewed, while the answer about another one, to the former key, is on its way.
    @Test func aRefusalThatComesAfterTheKeyWasRenewedHoldsNothingUp() async throws {
        try await Studio.with { studio in
            let references = ["a", "late"].map { studio.add(.runway, $0, Reels.media()) }
            var wrong = Self.wrong(.runway, studio)
            let gate = Gate(wrong.fixture.client)
            wrong.equip { setup in
                setup.rescue.providers[.runway] = studio.server.provider(.runway, key: "wrong", transport: gate)
                setup.rescue.reread = { [transport = setup.transport] name in
                    studio.server.provider(name, key: studio.server.key, transport: transport)
                }
            }
            try await wrong.fixture.run(.watch) { agent in
                try await agent.checkDestination()
                _ = try await agent.jobOrders.add(references)
                try await eventually("the first is stored with the new key") {
                    await agent.jobOrders.all().contains { $0.isStored }
                }
                gate.open()
                try await eventually("the other one, too") { await agent.jobOrders.all().allSatisfy { $0.isStored } }
            }
        }
    }

    /// One refusal that passes ends nothing, on the status and on the result.
    @Test(arguments: ProviderName.all, [404, 410, 500])
    func whatARefusalThatPassesEnds(site: ProviderName, status: Int) async throws {
        try await Studio.with { studio in
            studio.server.set([Trouble(.status(status), path: "/\(site.rawValue)/*", times: 2)])
            let job = try await RescueTroubleTests.follow(site, studio)
            #expect(job.isStored && job.refusals == nil, "\(job)")
        }
    }
}
