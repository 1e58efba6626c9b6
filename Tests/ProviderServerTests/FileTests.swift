import FoundationEssentials
import ProviderServer
import Providers
import TestSupport
import Testing
import Transfer

@Suite struct FileTests {
    static let now = Date(timeIntervalSince1970: 1_795_199_805)
    static let media = MadeMedia("v.mp4", "video/mp4", Array("0123456789".utf8))

    @Test(arguments: [
        ("bytes=0-3", 206, "0123", "bytes 0-3/10"), ("bytes=4-", 206, "456789", "bytes 4-9/10"),
        ("bytes=-2", 206, "89", "bytes 8-9/10"), ("bytes=10-", 416, "", "bytes */10"),
    ])
    func aRangeIsServed(range: String, status: Int, text: String, shown: String) async throws {
        try await ProviderServer.running { server, client in
            let answer = try await client.get(server.add(Self.media), ["range": range])
            #expect(answer.status == status)
            #expect(String(decoding: answer.body, as: UTF8.self) == text)
            #expect(answer.headers["content-range"] == shown)
        }
    }

    @Test func aChangedFileIsSentWhole() async throws {
        try await ProviderServer.running { server, client in
            let link = server.add(Self.media)
            let tag = try #require(try await client.get(link).headers["etag"])
            #expect(try await client.get(link, ["range": "bytes=4-", "if-range": tag]).status == 206)
            server.replace("/files/v.mp4", by: Array("abcdefghij".utf8))
            let answer = try await client.get(link, ["range": "bytes=4-", "if-range": tag])
            #expect(answer.status == 200)
            #expect(answer.body == Array("abcdefghij".utf8))
            #expect(answer.headers["etag"] != tag)
        }
    }

    @Test func aPresignedLinkEnds() async throws {
        let clock = Shared(Self.now)
        try await ProviderServer.running(clock: { clock.value }) { server, client in
            let link = server.add(Self.media, signedAt: Self.now, lifetime: 60)
            #expect(try await client.get(link).status == 200)
            #expect(try await client.get(link + "&v=1").status == 403)
            #expect(try await client.send(HTTPRequest(.head, link)).status == 403)
            clock.change { $0 += 60 }
            let answer = try await client.get(link)
            #expect(answer.status == 403)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("Request has expired"))
        }
    }

    @Test(arguments: ProviderName.all.filter { $0 != .vertex })
    func everyFileEndsAtItsDeadline(site: ProviderName) async throws {
        let clock = Shared(Self.now)
        var plan = ProviderPlan()
        for name in ProviderName.all { plan.lifetimes[name] = .seconds(60) }
        try await ProviderServer.running(plan, clock: { clock.value }) { server, client in
            let reference = Self.reference(site)
            server.add(MadeJob(site, reference.id, model: "fal-ai/veo3.1"))
            let provider = server.provider(site, transport: client)
            let file = try #require(try await provider.files(of: reference).first)
            #expect(try await client.fetch(file, as: provider.account).status == 200)
            clock.change { $0 += 60 }
            let status = try await client.fetch(file, as: provider.account).status
            #expect([403, 404].contains(status))
            let fresh = try await provider.files(of: reference).first
            let isFresh = try await client.fetch(try #require(fresh), as: provider.account).status == 200
            #expect(isFresh == [.runway, .luma].contains(site))
        }
    }

    @Test(arguments: [ProviderName.gemini, .openAI])
    func keptFilesNeedTheKey(site: ProviderName) async throws {
        try await ProviderServer.running { server, client in
            server.add(MadeJob(site, Self.reference(site).id))
            let provider = server.provider(site, transport: client)
            let file = try #require(try await provider.files(of: Self.reference(site)).first)
            #expect(file.needsAccount)
            #expect([400, 401].contains(try await client.get(file.url).status))
            let inside = server.origin + "/files/\(site.rawValue)/j-1/video.mp4"
            #expect(try await client.get(inside).status == 404)
        }
    }

    @Test func theLogShowsWhatWasSentAlong() async throws {
        try await ProviderServer.running { server, client in
            server.add(MadeJob(.fal, "j-1", model: "fal-ai/veo3.1"))
            let fal = server.provider(.fal, transport: client)
            let file = try #require(try await fal.files(of: Self.reference(.fal)).first)
            _ = try await client.fetch(file, as: fal.account)
            #expect(server.log.map { $0.contains(server.key) } == [true, true, false])
            #expect(server.log.last?.path == "/files/fal/j-1/video.mp4")
            #expect(server.log.map(\.status) == [200, 200, 200])
        }
    }

    @Test func filesMayLieAtAnotherHost() async throws {
        var plan = ProviderPlan()
        plan.fileHost = "localhost"
        try await ProviderServer.running(plan) { server, client in
            server.add(MadeJob(.replicate, "j-1"))
            let provider = server.provider(.replicate, transport: client)
            let file = try #require(try await provider.files(of: Self.reference(.replicate)).first)
            #expect(!file.needsAccount)
            #expect(file.url.hasPrefix("http://localhost:"))
        }
    }

    private static func reference(_ site: ProviderName) -> JobReference {
        let id = site == .gemini ? "models/veo/operations/j-1" : site == .storyToVideo ? "tasks/j-1" : "j-1"
        return JobReference(site, id, model: "fal-ai/veo3.1")
    }
}
