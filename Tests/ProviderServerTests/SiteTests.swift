import FoundationEssentials
import ProviderServer
import Providers
import TestSupport
import Testing
import Transfer

/// The real clients against the stand-in server, which follows the contract.
@Suite struct SiteTests {
    static let sites = ProviderName.all.filter { $0 != .storyToVideo }

    private static func reference(_ site: ProviderName) -> JobReference {
        let id = site == .gemini ? "models/veo/operations/g-1" : site == .storyToVideo ? "tasks/t-1" : "j-1"
        return JobReference(site, id, model: "fal-ai/veo3.1/fast")
    }

    private func job(
        _ site: ProviderName, queued: Int = 0, running: Int = 0, end: MadeJob.End = .succeeded
    ) -> MadeJob {
        MadeJob(
            site, Self.reference(site).id, model: "fal-ai/veo3.1/fast", queued: queued, running: running, end: end)
    }

    @Test(arguments: ProviderName.all)
    func aJobRunsToItsFiles(site: ProviderName) async throws {
        try await ProviderServer.running { server, client in
            server.add(job(site, queued: 1, running: 1))
            let provider = server.provider(site, transport: client)
            let first = try await provider.status(of: Self.reference(site)).state
            #expect(first == ([.gemini, .xAI, .together, .vertex].contains(site) ? .running : .queued))
            #expect(try await provider.status(of: Self.reference(site)).state == .running)
            let status = try await provider.status(of: Self.reference(site))
            #expect(status.state == .succeeded)
            let file = try #require(status.files.first)
            #expect(file.kind == (site == .vertex ? .unknown : .video))
            let bytes = try await server.bytes(of: file, Self.reference(site), at: provider, with: client)
            #expect(bytes == MadeMedia.video.bytes)
            #expect(server.charges.isEmpty)
        }
    }

    @Test(arguments: ProviderName.all)
    func aJobThatFailsSaysWhy(site: ProviderName) async throws {
        try await ProviderServer.running { server, client in
            server.add(job(site, end: .failed("The runner caught fire")))
            let status = try await server.provider(site, transport: client).status(of: Self.reference(site))
            #expect(status.state == .failed)
            #expect(status.error?.message == "The runner caught fire")
        }
    }

    @Test(arguments: ProviderName.all.filter { $0 != .gemini && $0 != .vertex })
    func anUnknownWordIsNoEnd(site: ProviderName) async throws {
        try await ProviderServer.running { server, client in
            server.add(job(site, end: .word("napping")))
            for _ in 0..<3 {
                let status = try await server.provider(site, transport: client).status(of: Self.reference(site))
                #expect(status.state == .unknown("napping"))
            }
        }
    }

    @Test(arguments: ProviderName.all)
    func anUnknownJobIsMissing(site: ProviderName) async throws {
        try await ProviderServer.running { server, client in
            let error = await #expect(throws: ProviderError.self) {
                _ = try await server.provider(site, transport: client).status(of: Self.reference(site))
            }
            #expect(error?.kind == .missing)
        }
    }

    @Test(arguments: sites)
    func withoutTheRightKeyNothingIsTold(site: ProviderName) async throws {
        try await ProviderServer.running { server, client in
            server.add(job(site))
            let stranger = server.provider(site, key: "another", transport: client)
            let error = await #expect(throws: ProviderError.self) {
                _ = try await stranger.status(of: Self.reference(site))
            }
            #expect(error?.kind == .unauthorized)
            #expect(server.job("j-1", at: site)?.endedAt == nil)
        }
    }

    @Test(arguments: sites)
    func eachJobTakenOnIsCharged(site: ProviderName) async throws {
        try await ProviderServer.running { server, client in
            let answer = try await server.submitElsewhere(site, with: client)
            let charge = try #require(server.charges.first)
            #expect(server.charges.count == 1)
            #expect(answer.contains(charge.job))
            #expect(charge.key == (site == .rendio ? "k-1" : nil))
            let provider = server.provider(site, transport: client)
            let job = JobReference(site, charge.job, model: charge.model)
            _ = try await provider.status(of: job)
            _ = try await provider.status(of: job)
            #expect(try await provider.status(of: job).state == .succeeded)
        }
    }

    @Test func runwayWantsItsVersion() async throws {
        try await ProviderServer.running { server, client in
            let answer = try await client.get(
                server.base(of: .runway) + "/v1/tasks/j-1", ["authorization": "Bearer \(server.key)"])
            #expect(answer.status == 400)
        }
    }

    @Test(arguments: [ProviderName.fal, .runway])
    func aCancelledJobEndsSo(site: ProviderName) async throws {
        try await ProviderServer.running { server, client in
            server.add(job(site, queued: 9))
            let provider = server.provider(site, transport: client)
            let first = try await provider.cancel(Self.reference(site))
            let state = try await provider.status(of: Self.reference(site)).state
            let second = try await provider.cancel(Self.reference(site))
            #expect(first == .requested)
            #expect(state == .cancelled)
            #expect(second == .tooLate)
        }
    }
}
