import FoundationEssentials
import ProviderServer
import Providers
import TestSupport
import Testing
import Transfer

/// A project from its creation to its video, over real sockets; time passes only where a test allows it.
@Suite struct StoryFollowerTests {
    static let story = StoryToVideo.Story(title: "A", text: "Es war…", style: "ink", shots: 3)

    /// The result of a run.
    struct Run {
        let status: JobStatus
        let courses: [StoryCourse]
        let log: [LoggedRequest]
        let charges: Int
        let pauses: [Duration]

        /// Requests about single tasks.
        var questions: Int { log.count { $0.path.hasPrefix("/storytovideo/v1/api/tasks/") } }
        var sockets: [Int] { log.filter { $0.path.hasSuffix("/wss") }.map(\.status) }
    }

    /// Whether sleeps end at once, or only by cancellation.
    enum Time { case flies, stands }

    private func follow(_ plan: ProviderPlan, _ time: Time) async throws -> Run {
        let (courses, pauses) = (Shared<[StoryCourse]>([]), Shared<[Duration]>([]))
        return try await ProviderServer.running(plan) { server, client in
            let site = StoryToVideo(base: server.base(of: .storyToVideo), transport: client)
            let pause: @Sendable (Duration) async throws -> Void = { wait in
                pauses.change { $0.append(wait) }
                try await Task.sleep(for: time == .flies ? .zero : .seconds(3_600))
            }
            let follower = StoryFollower(site, pause: pause)
            let course = try await site.create(Self.story)
            let status = try await follower.follow(course) { course in courses.change { $0.append(course) } }
            return Run(
                status: status, courses: courses.value, log: server.log, charges: server.charges.count,
                pauses: pauses.value)
        }
    }

    private func expectWhole(_ run: Run) {
        #expect(run.status.state == .succeeded)
        #expect(run.status.files.map(\.kind) == [.video, .image, .image, .image])
        #expect(run.status.files.allSatisfy { $0.deadline?.isAssumed == false })
        #expect(run.courses.last?.next == .done)
        #expect(run.charges == 2)
    }

    /// While time stands still no task is polled, so every state came over the socket.
    @Test(arguments: [SocketManner.usual, .twice, .goodbye, .pinging])
    func overTheSocketAlone(manner: SocketManner) async throws {
        var plan = ProviderPlan()
        plan.socket = manner
        plan.queued = 2
        plan.running = 3
        let run = try await follow(plan, .stands)
        expectWhole(run)
        #expect(run.questions == 0)
        #expect(run.sockets == [101, 101, 101, 101, 101])
        #expect(run.pauses.allSatisfy { $0 >= .seconds(15) && $0 <= .seconds(30) })
    }

    /// The server does not treat `success` as an end and leaves the socket open.
    @Test func aSocketThatStaysOpenAfterTheEndIsLeft() async throws {
        var plan = ProviderPlan()
        plan.saysSuccess = true
        expectWhole(try await follow(plan, .stands))
    }

    @Test(arguments: [
        Trouble.Effect.status(403), .status(404), .dropped, .redirect(to: "http://169.254.169.254/"),
        .instead(contentType: "text/html", "<html>"),
    ])
    func whereTheSocketIsBlockedPollingIsEnough(effect: Trouble.Effect) async throws {
        var plan = ProviderPlan()
        plan.troubles = [Trouble(effect, path: "/storytovideo/tasks/*/wss")]
        let run = try await follow(plan, .flies)
        expectWhole(run)
        #expect(run.questions >= 5)
        #expect(!run.sockets.contains(101))
    }

    @Test(arguments: [
        SocketManner.cut(afterFrames: 0), .cut(afterFrames: 1), .torn, .wrongAccept, .overlong, .garbage, .silent,
    ])
    func whereTheSocketBreaksPollingGoesOn(manner: SocketManner) async throws {
        var plan = ProviderPlan()
        plan.socket = manner
        let run = try await follow(plan, .flies)
        expectWhole(run)
        #expect(run.questions >= 5)
    }

    /// A silent socket is no reason to ask more often than every 15 s.
    @Test func besideASilentSocketThereIsASafetyPoll() async throws {
        var plan = ProviderPlan()
        plan.socket = .silent
        let run = try await follow(plan, .flies)
        #expect(run.pauses.contains { $0 >= .seconds(15) })
        #expect(run.pauses.allSatisfy { $0 <= .seconds(30) })
    }

    @Test func lostQuestionsEndNothing() async throws {
        var plan = ProviderPlan()
        plan.socket = .cut(afterFrames: 0)
        plan.troubles = [
            Trouble(.status(503), path: "/storytovideo/v1/api/tasks/*", times: 3),
            Trouble(.dropped, path: "/storytovideo/v1/api/tasks/*", times: 3),
        ]
        expectWhole(try await follow(plan, .flies))
    }

    @Test func aLostAnswerMakesNoSecondVideo() async throws {
        var plan = ProviderPlan()
        plan.troubles = [Trouble(.lostAnswer, method: "POST", path: "/storytovideo/v1/api/projects/*/video", times: 1)]
        let run = try await follow(plan, .flies)
        expectWhole(run)
        #expect(run.log.count { $0.path.hasSuffix("/video") } == 1)
    }

    @Test func aVideoThatSurelyWasNotBegunIsBegunAgain() async throws {
        var plan = ProviderPlan()
        plan.troubles = [Trouble(.dropped, method: "POST", path: "/storytovideo/v1/api/projects/*/video", times: 2)]
        expectWhole(try await follow(plan, .flies))
    }

    @Test(arguments: [MadeJob.End.failed("no GPU"), .cancelled])
    func aWorkThatEndsWithoutAResultEndsTheProject(end: MadeJob.End) async throws {
        var plan = ProviderPlan()
        plan.end = end
        let error = await #expect(throws: ProviderError.self) { _ = try await follow(plan, .flies) }
        #expect(error?.kind == (end == .cancelled ? .cancelled : .refused))
        #expect(error?.message.contains("start the project again") == true)
    }

    @Test func anUnknownWorkIsMissing() async throws {
        try await ProviderServer.running { server, client in
            let site = StoryToVideo(base: server.base(of: .storyToVideo), transport: client)
            let follower = StoryFollower(site, pause: { _ in })
            let error = await #expect(throws: ProviderError.self) { _ = try await follower.end(of: "t-99") }
            #expect(error?.kind == .missing)
        }
    }

    @Test func aWorkWithoutAnEndIsGivenUpInTime() async throws {
        var plan = ProviderPlan()
        plan.end = .word("processing")
        plan.socket = .silent
        let clock = Shared(Date(timeIntervalSince1970: 0))
        try await ProviderServer.running(plan) { server, client in
            let site = StoryToVideo(base: server.base(of: .storyToVideo), transport: client)
            let pause: @Sendable (Duration) async throws -> Void = { wait in
                clock.change { $0 += Double(wait.components.seconds) + 1 }
            }
            let follower = StoryFollower(site, clock: { clock.value }, pause: pause)
            let course = try await site.create(Self.story)
            let error = await #expect(throws: ProviderError.self) { _ = try await follower.end(of: course.text) }
            #expect(error?.kind == .unavailable)
            #expect(clock.value.timeIntervalSince1970 < 7_200 + 120)
        }
    }

    /// What was recorded before a stop is enough to continue; nothing is begun twice.
    @Test(arguments: 0..<5)
    func aStoppedProjectGoesOnWhereItWas(steps: Int) async throws {
        try await ProviderServer.running { server, client in
            let site = StoryToVideo(base: server.base(of: .storyToVideo), transport: client)
            let noted = Shared(try await site.create(Self.story))
            let count = Shared(0)
            do {
                _ = try await StoryFollower(site).follow(noted.value) { course in
                    if count.change({
                        $0 += 1; return $0
                    }) > steps {
                        throw CancellationError()
                    }
                    noted.change { $0 = course }
                }
            } catch is CancellationError {}
            let status = try await StoryFollower(site).follow(noted.value)
            #expect(status.files.count == 4)
            #expect(server.charges.count == 2)
        }
    }
}
