import FoundationEssentials
import ProviderServer
import Providers
import Supabase
import TestSupport
import Testing
import Transfer

@Suite struct HistoryTests {
    static let now = Date(timeIntervalSince1970: 1_795_199_805)

    private static func made(_ site: ProviderName, _ count: Int) -> [MadeJob] {
        (0..<count).map { number in
            var job = MadeJob(site, "j-\(number)", model: "fal-ai/veo3.1")
            job.createdAt = now - Double(number)
            job.endedAt = now - Double(number)
            return job
        }
    }

    /// Kling's and Seedance's stand-ins give thirty rows where a hundred are asked for.
    @Test(arguments: [ProviderName.fal, .rendio, .openAI, .kling, .seedance], [0, 29, 30, 99, 100, 250])
    func everyPageIsRead(site: ProviderName, count: Int) async throws {
        try await ProviderServer.running(clock: { Self.now }) { server, client in
            for job in Self.made(site, count) { server.add(job) }
            let jobs = try await server.provider(site, transport: client).finished(since: Self.now - 1_000)
            #expect(jobs.count == count)
            #expect(Set(jobs.map(\.id)).count == count)
        }
    }

    @Test(arguments: [ProviderName.fal, .rendio, .openAI, .kling, .seedance])
    func whatEndedBeforeIsLeftOut(site: ProviderName) async throws {
        try await ProviderServer.running(clock: { Self.now }) { server, client in
            for job in Self.made(site, 10) { server.add(job) }
            let jobs = try await server.provider(site, transport: client).finished(since: Self.now - 3)
            #expect(Set(jobs.map(\.id)) == ["j-0", "j-1", "j-2", "j-3"])
        }
    }

    @Test func onlySuccessesOfTheNamedModelsAreListed() async throws {
        try await ProviderServer.running(clock: { Self.now }) { server, client in
            server.add(MadeJob(.fal, "mine", model: "fal-ai/veo3.1"))
            server.add(MadeJob(.fal, "failed", model: "fal-ai/veo3.1", end: .failed("r")))
            server.add(MadeJob(.fal, "running", model: "fal-ai/veo3.1", running: 5))
            server.add(MadeJob(.fal, "other", model: "fal-ai/other"))
            let jobs = try await server.provider(.fal, transport: client).finished(since: Self.now - 60)
            #expect(jobs == [JobReference(.fal, "mine", model: "fal-ai/veo3.1")])
        }
    }
}
