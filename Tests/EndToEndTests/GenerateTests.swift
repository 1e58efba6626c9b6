import Foundation
import Platform
import ProviderServer
import Providers
import Supabase
import TestSupport
import Testing

/// Orders through the program itself, which is killed at random moments.
@Suite struct GenerateTests {
    private static func with(
        _ site: ProviderName, _ plan: ProviderPlan = ProviderPlan(),
        _ body: (ProgramFixture, ProviderServer) async throws -> Void
    ) async throws {
        try await ProviderServer.running(plan) { server, _ in
            try await ProgramFixture.local { fixture in
                var fixture = fixture
                fixture.environment["GALLERY_SYNC_\(site.rawValue.uppercased())_KEY"] = server.key
                fixture.common += ["--set", "providers.\(site.rawValue).url=\(server.base(of: site))"]
                try await body(fixture, server)
            }
        }
    }

    private static func order(_ site: ProviderName, _ prompt: String) -> [String] {
        ["generate", site.rawValue, "fal-ai/veo3.1", "--prompt", prompt, "--cost", "1.5", "--yes"]
    }

    /// The prompts of the jobs that were paid for.
    private static func prompts(_ server: ProviderServer) -> [String] {
        server.charges.compactMap { charge in
            guard case .object(let input) = server.job(charge.job, at: charge.site)?.input else { return nil }
            return input["prompt"]?.string
        }
    }

    @Test func anOrderSaysWhatItCostsAndIsListed() async throws {
        try await Self.with(.fal) { fixture, server in
            let refused = try await fixture.run("generate", "fal", "fal-ai/veo3.1", "--prompt", "cat")
            #expect(refused.code == 2)
            #expect(refused.notes.contains("add --yes, or set providers.fal.maxSpend"))
            #expect(server.charges.isEmpty)
            let end = try await fixture.run(Self.order(.fal, "cat"))
            #expect(end.code == 0)
            #expect(end.notes.contains("up to 1.5 dollars"))
            #expect(end.results.contains("fal:fal-1 was taken"))
            #expect(try await fixture.run("jobs", "list").results.contains("queued"))
            #expect(Self.prompts(server) == ["cat"])
        }
    }

    @Test func killedDuringTheCallItIsNotMadeAgain() async throws {
        var plan = ProviderPlan()
        (plan.queued, plan.running) = (0, 0)
        plan.troubles = [Trouble(.stalled(after: 9, .seconds(60)), method: "POST", times: 1)]
        try await Self.with(.fal, plan) { fixture, server in
            let process = try fixture.start(Self.order(.fal, "cat"))
            try await eventually("the order arrives") { server.charges.count == 1 }
            process.signal(.kill)
            _ = try await process.end()
            let listed = try await fixture.run("jobs", "list").results
            #expect(listed.contains("unknown: fal may have taken this job"))
            #expect(try await fixture.run(Self.order(.fal, "dog")).code == 0)
            #expect(Self.prompts(server) == ["cat", "dog"])
            #expect(try await fixture.run("jobs", "list").results.contains("unknown") == false)
        }
    }

    @Test(arguments: [ProviderName.fal, .rendio])
    func noOrderIsPaidTwiceWhateverMomentTheProgramDies(site: ProviderName) async throws {
        var plan = ProviderPlan()
        plan.troubles = [
            Trouble(.lostAnswer, method: "POST", sparing: 1, times: 1),
            Trouble(.slow(bytesPerSecond: 400), method: "POST"),
        ]
        try await Self.with(site, plan) { fixture, server in
            var random = SeededGenerator(seed: 5)
            for number in 0..<(8 * Built.scale) {
                let process = try fixture.start(Self.order(site, "order-\(number)"))
                // Only the moment of the kill is random here.
                try await Task.sleep(for: .milliseconds(Int.random(in: 50...900, using: &random)))
                process.signal(.kill)
                _ = try await process.end()
            }
            let last = try await fixture.run(Self.order(site, "last"))
            let prompts = Self.prompts(server)
            #expect(Set(prompts).count == prompts.count)
            #expect(prompts.contains("last"), "ended with \(last.code): \(last.notes)")
        }
    }
}
