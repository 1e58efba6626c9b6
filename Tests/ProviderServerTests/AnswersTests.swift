import FoundationEssentials
import ProviderServer
import Providers
import Supabase
import TestSupport
import Testing
import Transfer

/// What the stand-in answers to calls that our own clients never make, or only where something is wrong.
@Suite struct AnswersTests {
    static let now = Date(timeIntervalSince1970: 1_795_199_805)

    struct Answer {
        let status: Int
        let headers: HTTPHeaders
        let json: JSONValue

        /// A member of the answer, such as `jobs.0.status`.
        subscript(path: String) -> JSONValue? {
            path.split(separator: ".").reduce(json) { value, name -> JSONValue? in
                switch value {
                case .object(let members): members[String(name)]
                case .array(let items): Int(name).flatMap { items.indices.contains($0) ? items[$0] : nil }
                default: nil
                }
            }
        }

        func count(_ path: String) -> Int? {
            guard case .array(let items) = self[path] else { return nil }
            return items.count
        }
    }

    /// Calls `site` with the right key.
    private static func call(
        _ server: ProviderServer, _ client: HTTPClient, _ method: HTTPMethod, _ site: ProviderName, _ path: String,
        _ more: [(String, String)] = []
    ) async throws(TransferError) -> Answer {
        var headers: HTTPHeaders = [
            "authorization": (site == .fal ? "Key " : site == .vidu ? "Token " : "Bearer ") + server.key,
            "apikey": server.key, "x-goog-api-key": server.key, "x-runway-version": "2024-11-06",
        ]
        if site == .kling, let key = SigningKey(server.key(of: .kling)) {
            headers["authorization"] = "Bearer " + key.token(at: Date())
        }
        for (name, value) in more { headers[name] = value }
        let body: HTTPBody = method == .post ? .bytes(Array("{}".utf8)) : .none
        let request = HTTPRequest(method, server.base(of: site) + path, headers: headers, body: body)
        let answer = try await client.send(request)
        let json = try? JSONDecoder().decode(JSONValue.self, from: Data(answer.body))
        return Answer(status: answer.status, headers: answer.headers, json: json ?? .null)
    }
}

// MARK: Lists

extension AnswersTests {
    struct Page: CustomTestStringConvertible, Sendable {
        let site: ProviderName
        let query: String
        let rows: Int
        var hasMore: Bool?

        var testDescription: String { "\(site.rawValue) \(query)" }

        init(_ site: ProviderName, _ query: String, _ rows: Int, more: Bool? = nil) {
            (self.site, self.query, self.rows, hasMore) = (site, query, rows, more)
        }
    }

    private static let lists: [ProviderName: (path: String, rows: String)] = [
        .fal: ("/v1/models/requests/by-endpoint?endpoint_id=fal-ai/veo3.1", "items"),
        .rendio: ("/functions/v1/get-video-jobs?user_id=u", "jobs"), .openAI: ("/videos?order=desc", "data"),
    ]

    /// Numbers that make no sense are as if they were not there; the server goes on.
    @Test(arguments: [
        Page(.fal, "", 30, more: false), Page(.fal, "&limit=0", 0, more: true), Page(.fal, "&limit=29", 29, more: true),
        Page(.fal, "&limit=30", 30, more: false), Page(.fal, "&limit=31", 30, more: false),
        Page(.fal, "&limit=-1", 30, more: false), Page(.fal, "&cursor=-1", 30, more: false),
        Page(.fal, "&cursor=29", 1, more: false), Page(.fal, "&cursor=30", 0, more: false),
        Page(.fal, "&cursor=9223372036854775807", 0, more: false),
        Page(.fal, "&cursor=9223372036854775808", 30, more: false), Page(.fal, "&cursor=x&limit=y", 30, more: false),
        Page(.rendio, "", 20), Page(.rendio, "&limit=0", 0), Page(.rendio, "&limit=-5", 20),
        Page(.rendio, "&limit=100", 30), Page(.rendio, "&limit=9223372036854775807", 30),
        Page(.rendio, "&offset=-1", 20), Page(.rendio, "&offset=29", 1), Page(.rendio, "&offset=30", 0),
        Page(.rendio, "&offset=9223372036854775807", 0),
        Page(.openAI, "", 20, more: true), Page(.openAI, "&limit=30", 30, more: false),
        Page(.openAI, "&limit=29", 29, more: true), Page(.openAI, "&limit=-1", 20, more: true),
        Page(.openAI, "&after=j-28", 1, more: false), Page(.openAI, "&after=j-29", 0, more: false),
        Page(.openAI, "&after=nobody", 0, more: false),
    ])
    func aPageHasItsRows(page: Page) async throws {
        try await ProviderServer.running(clock: { Self.now }) { server, client in
            // The newest is listed first.
            for number in (0..<30).reversed() {
                var job = MadeJob(page.site, "j-\(number)", model: "fal-ai/veo3.1")
                job.endedAt = Self.now
                server.add(job)
            }
            let list = try #require(Self.lists[page.site])
            let answer = try await Self.call(server, client, .get, page.site, list.path + page.query)
            #expect(answer.status == 200)
            #expect(answer.count(list.rows) == page.rows)
            if let hasMore = page.hasMore { #expect(answer["has_more"] == .bool(hasMore)) }
            let isLast = answer["next_cursor"] == .null
            if page.site == .fal { #expect(isLast == (page.hasMore == false)) }
        }
    }

    @Test(arguments: [
        (ProviderName.fal, "/v1/models/requests/by-endpoint", 422), (.rendio, "/functions/v1/get-video-jobs", 400),
        (.rendio, "/functions/v1/get-video-status", 400),
    ])
    func aListWantsToKnowOfWhat(site: ProviderName, path: String, status: Int) async throws {
        try await ProviderServer.running { server, client in
            let answer = try await Self.call(server, client, .get, site, path)
            #expect(answer.status == status)
        }
    }

    /// Fifty models at most, and of each the jobs that ended since the given moment, that moment included.
    @Test(arguments: [
        ("&start=2026-11-20T12:23:25Z", 1), ("&start=2026-11-20T12:23:26Z", 0), ("&start=yesterday", 1), ("", 1),
    ])
    func falsHistoryBeginsWhereItIsAskedTo(query: String, rows: Int) async throws {
        try await ProviderServer.running(clock: { Self.now }) { server, client in
            var job = MadeJob(.fal, "j-1", model: "fal-ai/veo3.1")
            job.endedAt = try Date.ISO8601FormatStyle().parse("2026-11-20T12:23:25Z")
            server.add(job)
            let list = try #require(Self.lists[.fal])
            let answer = try await Self.call(server, client, .get, .fal, list.path + query)
            #expect(answer.count("items") == rows)
        }
    }

    @Test(arguments: [(50, 200), (51, 422)])
    func falsHistoryHasAtMostFiftyModels(count: Int, status: Int) async throws {
        try await ProviderServer.running { server, client in
            let names = (1...count).map { "fal-ai/m\($0)" }.joined(separator: ",")
            let path = "/v1/models/requests/by-endpoint?endpoint_id=" + names
            let answer = try await Self.call(server, client, .get, .fal, path)
            #expect(answer.status == status)
        }
    }
}

// MARK: Calls that change something

extension AnswersTests {
    static let order = "/functions/v1/generate-video"

    @Test func anOrderThatIsRepeatedIsAnsweredAsBeforeAndNotChargedAgain() async throws {
        try await ProviderServer.running { server, client in
            var ids: [JSONValue?] = []
            for key in ["a", "a", "b", "a"] {
                let answer = try await Self.call(server, client, .post, .rendio, Self.order, [("idempotency-key", key)])
                let isReplay = answer.headers["x-idempotent-replay"] == "true"
                #expect(isReplay == (ids.count == 1 || ids.count == 3))
                ids.append(answer["job_id"])
            }
            #expect(ids[0] == ids[1] && ids[0] == ids[3] && ids[0] != ids[2])
            #expect(server.charges.map(\.key) == ["a", "b"])
        }
    }

    @Test(arguments: [[], [("idempotency-key", "")]])
    func anOrderWithoutAKeyIsRefused(headers: [(String, String)]) async throws {
        try await ProviderServer.running { server, client in
            let answer = try await Self.call(server, client, .post, .rendio, Self.order, headers)
            #expect(answer.status == 400)
            #expect(server.charges.isEmpty)
        }
    }

    /// Four credits a job: the last of them buys one, what is left over buys none, and no answer is kept of a refusal.
    @Test(arguments: [(0, 0), (3, 0), (4, 1), (7, 1), (8, 2)])
    func anOrderIsTakenForCreditsOnly(credits: Int, orders: Int) async throws {
        var plan = ProviderPlan()
        plan.credits = credits
        try await ProviderServer.running(plan) { server, client in
            for number in 0..<3 {
                let key = [("idempotency-key", "k-\(number)")]
                let answer = try await Self.call(server, client, .post, .rendio, Self.order, key)
                #expect(answer.status == (number < orders ? 200 : 402))
                let left = number < orders ? "credits_remaining" : "current_credits"
                #expect(answer[left] == .integer(Int64(credits - 4 * min(number + 1, orders))))
            }
            #expect(server.charges.count == orders)
        }
    }

    struct Ending: CustomTestStringConvertible, Sendable {
        let site: ProviderName
        let method: HTTPMethod
        let path: String
        /// The statuses for a job that waits, one that has ended, and one that is unknown.
        let statuses: [Int]
        /// Whether an ended job is forgotten.
        var forgets = false

        var testDescription: String { "\(site.rawValue) \(method.rawValue)" }
    }

    @Test(arguments: [
        Ending(site: .fal, method: .put, path: "/fal-ai/veo3.1/requests/ID/cancel", statuses: [202, 400, 404]),
        Ending(site: .runway, method: .delete, path: "/v1/tasks/ID", statuses: [204, 204, 404], forgets: true),
        Ending(
            site: .seedance, method: .delete, path: "/contents/generations/tasks/ID", statuses: [200, 200, 404],
            forgets: true),
        Ending(site: .wan, method: .post, path: "/tasks/ID/cancel", statuses: [200, 400, 400]),
        Ending(site: .replicate, method: .post, path: "/predictions/ID/cancel", statuses: [200, 200, 404]),
    ])
    func aJobIsCancelledWhileItWaits(ending: Ending) async throws {
        try await ProviderServer.running { server, client in
            server.add(MadeJob(ending.site, "waits", model: "fal-ai/veo3.1", queued: 9))
            var done = MadeJob(ending.site, "done", model: "fal-ai/veo3.1")
            done.endedAt = Self.now
            server.add(done)
            let site = server.provider(ending.site, transport: client)
            let reference = JobReference(ending.site, "done", model: "fal-ai/veo3.1")
            let first = try await site.status(of: reference)
            #expect(first.state == .succeeded)
            for (id, status) in zip(["waits", "done", "nobody"], ending.statuses) {
                let path = ending.path.replacing("ID", with: id)
                let answer = try await Self.call(server, client, ending.method, ending.site, path)
                #expect(answer.status == status)
            }
            let waits = JobReference(ending.site, "waits", model: "fal-ai/veo3.1")
            let last = try await site.status(of: waits)
            #expect(last.state == .cancelled)
            #expect((server.job("done", at: ending.site) == nil) == ending.forgets)
            #expect(server.charges.isEmpty)
        }
    }

    /// A deleted video is gone with its content; a poster is another variant of the same job.
    @Test func openAIsVideoIsThereUntilItIsDeleted() async throws {
        try await ProviderServer.running { server, client in
            server.add(MadeJob(.openAI, "v-1", media: [.video, .picture], running: 1))
            let path = "/videos/v-1"
            let early = try await Self.call(server, client, .get, .openAI, path + "/content")
            #expect(early.status == 404)
            for status in ["in_progress", "completed"] {
                let answer = try await Self.call(server, client, .get, .openAI, path)
                #expect(answer["status"] == .string(status))
            }
            let types = ["", "?variant=video", "?variant=thumbnail"].map { path + "/content" + $0 }
            for (link, type) in zip(types, ["video/mp4", "video/mp4", "image/png"]) {
                let answer = try await Self.call(server, client, .get, .openAI, link)
                #expect(answer.status == 200)
                #expect(answer.headers["content-type"] == type)
            }
            let gone = try await Self.call(server, client, .delete, .openAI, path)
            #expect(gone["deleted"] == .bool(true))
            for link in types + [path] {
                let answer = try await Self.call(server, client, .get, .openAI, link)
                #expect(answer.status == 404)
            }
            let again = try await Self.call(server, client, .delete, .openAI, path)
            #expect(again.status == 404)
        }
    }
}

// MARK: Calls that do not exist

extension AnswersTests {
    /// MiniMax and Vertex have one form of answer for everything; all others say 404 or 405.
    @Test(arguments: ProviderName.all)
    func aCallThatDoesNotExistIsSaidTo(site: ProviderName) async throws {
        try await ProviderServer.running { server, client in
            for path in ["/", "/nothing", "/%00", "/a/b/c/d/e", "/%2e%2e/files/x", "//"] {
                let answer = try await Self.call(server, client, .get, site, path)
                #expect([404, 405].contains(answer.status), "\(path)")
            }
            #expect(server.charges.isEmpty)
        }
    }

    @Test(arguments: ["/", "/files", "/files/", "/files/../fal", "/nobody/videos", "/fal", "/openai2/videos"])
    func outsideOfTheProvidersThereIsNothing(path: String) async throws {
        try await ProviderServer.running { server, client in
            let answer = try await client.get(server.origin + path)
            #expect(answer.status == 404)
        }
    }
}
