import FoundationEssentials
import ProviderServer
import Providers
import Supabase
import TestSupport
import Testing
import Transfer

/// The real clients while one call after the other goes wrong: nothing is charged twice, and no job ends by that.
@Suite struct FaultLoopTests {
    /// What goes wrong without the request's taking effect, and what does so after it did.
    private static let effects: [Trouble.Effect] = [
        .dropped, .lostAnswer, .redirect(to: "http://127.0.0.1:9/"),
        .instead(contentType: "text/html", "<html>Sign in</html>"), .instead(contentType: "application/json", "{}"),
        .instead(contentType: "application/json", "null"), .instead(contentType: "application/json", "[]"),
    ]
    /// Statuses that say nothing about a job that was paid for.
    private static let passing = [404, 408, 409, 410, 425, 429, 499, 500, 502, 503, 504].map {
        Trouble.Effect.status($0, body: #"{"detail":"later"}"#)
    }

    /// An order whose answer went wrong is not sent again by itself where it may have been charged.
    @Test(arguments: ProviderName.all)
    func whatWasChargedIsNeverTakenForNotSent(site: ProviderName) async throws {
        for effect in Self.effects + Self.passing {
            try await ProviderServer.running { server, client in
                server.set([Trouble(effect, method: "POST", times: 1)])
                let intent = SubmitIntent(
                    key: .fresh(), provider: site, model: "fal-ai/veo3.1", input: ["prompt": "a cat"], madeAt: Date())
                do throws(ProviderError) {
                    _ = try await server.provider(site, transport: client).submit(intent)
                    #expect(server.charges.count == 1, "\(effect)")
                } catch {
                    #expect(server.charges.isEmpty || error.mayHaveArrived, "\(effect): \(error)")
                    #expect(server.charges.count <= 1, "\(effect)")
                    guard error.kind != .unsupported else { return }
                    let stage = Submission(intent).calling.after(.failure(error)).stage
                    #expect(server.charges.isEmpty || stage == .called, "\(effect): \(stage)")
                }
            }
        }
    }

    /// The first or the second call of a question goes wrong; the next question finds the file.
    @Test(arguments: ProviderName.all, [0, 1])
    func aQuestionThatGoesWrongEndsNoJob(site: ProviderName, sparing: Int) async throws {
        let id = site == .gemini ? "models/veo/operations/g-1" : site == .storyToVideo ? "tasks/t-1" : "j-1"
        let job = JobReference(site, id, model: "fal-ai/veo3.1/fast")
        for effect in Self.effects + Self.passing {
            try await ProviderServer.running { server, client in
                server.add(MadeJob(site, id, model: "fal-ai/veo3.1/fast"))
                server.set([Trouble(effect, sparing: sparing, times: 1)])
                let provider = server.provider(site, transport: client)
                var seen = JobStatus(.running)
                for _ in 0..<3 where seen.state != .succeeded || seen.files.isEmpty {
                    do throws(ProviderError) {
                        seen = try await provider.status(of: job)
                        #expect(![.failed, .cancelled].contains(seen.state), "\(effect): \(seen)")
                    } catch {
                        #expect(error.bearing != .final, "\(effect): \(error)")
                    }
                }
                #expect(seen.state == .succeeded && !seen.files.isEmpty, "\(effect)")
            }
        }
    }

    /// Half a list would be taken for all there is, and what is behind it be looked for no more.
    @Test(arguments: [ProviderName.fal, .rendio, .openAI, .kling, .seedance], [0, 1, 2])
    func aPageThatGoesWrongIsNoEndOfAList(site: ProviderName, sparing: Int) async throws {
        let now = HistoryTests.now
        for effect in [Trouble.Effect.status(503), .status(404), .instead(contentType: "text/html", "<html>")] {
            try await ProviderServer.running(clock: { now }) { server, client in
                for number in 0..<250 {
                    var job = MadeJob(site, "j-\(number)", model: "fal-ai/veo3.1")
                    (job.createdAt, job.endedAt) = (now - Double(number), now - Double(number))
                    server.add(job)
                }
                let provider = server.provider(site, transport: client)
                server.set([Trouble(effect, sparing: sparing, times: 1)])
                await #expect(throws: ProviderError.self, "\(effect)") {
                    try await provider.finished(since: now - 1_000)
                }
                let jobs = try await provider.finished(since: now - 1_000)
                #expect(Set(jobs.map(\.id)).count == 250)
            }
        }
    }

    /// Pages that no client asks for are empty, or the first one.
    @Test(arguments: [
        ("page_num=0&page_size=2", 2), ("page_num=-1&page_size=2", 2), ("page_num=1&page_size=0", 0),
        ("page_num=2&page_size=2", 1), ("page_num=3&page_size=2", 0), ("page_num=9223372036854775807&page_size=30", 0),
        ("page_num=99999999999999999999&page_size=2", 2), ("page_num=a&page_size=b", 3), ("", 3),
    ])
    func anyPageMayBeAskedFor(query: String, count: Int) async throws {
        try await ProviderServer.running { server, client in
            for number in 0..<3 { server.add(MadeJob(.seedance, "j-\(number)")) }
            let answer = try await client.get(
                server.base(of: .seedance) + "/contents/generations/tasks?" + query,
                ["authorization": "Bearer \(server.key)"])
            let body = try JSONDecoder().decode(JSONValue.self, from: Data(answer.body))
            guard case .array(let items)? = body["items"] else {
                #expect(count == 0 && answer.status == 200)
                return
            }
            #expect(items.count == count)
        }
    }
}
