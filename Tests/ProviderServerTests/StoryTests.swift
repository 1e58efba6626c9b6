import FoundationEssentials
import ProviderServer
import Providers
import Supabase
import TestSupport
import Testing

/// A project from its order to its video, and what the socket of a work tells, against the stand-in over real sockets.
@Suite struct StoryTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let troubles: [Trouble]
        /// Requests for the video that arrive.
        let orders: Int

        init(_ description: String, _ troubles: [Trouble] = [], orders: Int = 1) {
            (testDescription, self.troubles, self.orders) = (description, troubles, orders)
        }
    }

    private static func intent(_ input: JSONValue) -> SubmitIntent {
        SubmitIntent(key: .fresh(), provider: .storyToVideo, model: "ink", input: input, madeAt: Date())
    }

    private static let video = "/storytovideo/v1/api/projects/*/video"

    /// A lost answer makes no second video; one that was not begun is begun again.
    @Test(arguments: [
        Row("nothing goes wrong"),
        Row("the answer is lost", [Trouble(.lostAnswer, method: "POST", path: video, times: 1)]),
        Row("the order is lost twice", [Trouble(.dropped, method: "POST", path: video, times: 2)], orders: 3),
        Row("a busy server", [Trouble(.status(503), method: "POST", path: video, times: 2)], orders: 3),
        Row("lost questions", [Trouble(.dropped, method: "GET", path: "/storytovideo/v1/api/projects/*", times: 3)]),
    ])
    func aProjectIsOrderedOnceAndItsVideoToo(row: Row) async throws {
        var plan = ProviderPlan()
        plan.troubles = row.troubles
        try await ProviderServer.running(plan) { server, client in
            let site = server.provider(.storyToVideo, transport: client)
            let input: JSONValue = ["prompt": "Es war…", "shots": .integer(3)]
            let job = try await site.submit(Self.intent(input)).job
            var status = JobStatus(.queued)
            for _ in 0..<60 where !status.state.isEnd {
                do throws(ProviderError) {
                    status = try await site.status(of: job)
                    try await site.proceed(with: job)
                } catch {
                    #expect(error.isRetryable)
                }
            }
            #expect(status.state == .succeeded)
            #expect(status.files.map(\.kind) == [.video, .image, .image, .image])
            #expect(status.files.allSatisfy { $0.deadline?.isAssumed == false })
            #expect(server.charges.count == 2)
            #expect(server.log.count { $0.path.hasSuffix("/video") } == row.orders)
        }
    }

    /// Whether the socket told of the end of a work, for as long as it was listened to.
    private func news(_ plan: ProviderPlan, of id: String = "tasks/t-1") async throws -> (told: Bool, sockets: [Int]) {
        try await ProviderServer.running(plan) { server, client in
            server.add(MadeJob(.storyToVideo, "tasks/t-1", queued: 2, running: 3))
            let site = server.provider(.storyToVideo, transport: client)
            let told = await site.news(of: JobReference(.storyToVideo, id))
            return (told, server.log.filter { $0.path.hasSuffix("/wss") }.map(\.status))
        }
    }

    @Test(arguments: [
        (SocketManner.usual, true), (.twice, true), (.goodbye, true), (.pinging, true), (.cut(afterFrames: 0), false),
        (.cut(afterFrames: 1), false), (.torn, false), (.wrongAccept, false), (.overlong, false), (.garbage, false),
    ])
    func aSocketTellsOfAnEndOrOfNothing(manner: SocketManner, tells: Bool) async throws {
        var plan = ProviderPlan()
        plan.socket = manner
        let news = try await news(plan)
        #expect(news.told == tells)
        #expect(news.sockets == [101])
    }

    /// The server does not treat `success` as an end and leaves the socket open.
    @Test func aSocketThatStaysOpenAfterTheEndIsLeft() async throws {
        var plan = ProviderPlan()
        plan.saysSuccess = true
        #expect(try await news(plan).told)
    }

    @Test(arguments: [
        Trouble.Effect.status(403), .status(404), .dropped, .redirect(to: "http://169.254.169.254/"),
        .instead(contentType: "text/html", "<html>"),
    ])
    func aSocketThatIsBlockedTellsNothing(effect: Trouble.Effect) async throws {
        var plan = ProviderPlan()
        plan.troubles = [Trouble(effect, path: "/storytovideo/tasks/*/wss")]
        let news = try await news(plan)
        #expect(!news.told)
        #expect(!news.sockets.contains(101))
    }

    @Test(arguments: ["tasks/t-99", "projects/p-99"])
    func ofAnUnknownJobNothingIsTold(id: String) async throws {
        #expect(try await !news(ProviderPlan(), of: id).told)
    }

    /// The rescuer stops listening when its next question is due.
    @Test func listeningToASilentSocketEndsWhenItIsCancelled() async throws {
        var plan = ProviderPlan()
        plan.socket = .silent
        try await ProviderServer.running(plan) { server, client in
            server.add(MadeJob(.storyToVideo, "tasks/t-1"))
            let site = server.provider(.storyToVideo, transport: client)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask { await site.news(of: JobReference(.storyToVideo, "tasks/t-1")) }
                try await eventually("the socket is open") { server.log.contains { $0.path.hasSuffix("/wss") } }
                group.cancelAll()
                #expect(try await group.next() == false)
            }
        }
    }
}
