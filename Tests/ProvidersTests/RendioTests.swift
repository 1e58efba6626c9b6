import FoundationEssentials
import Providers
import Supabase
import TestSupport
import Testing
import Transfer

@Suite struct RendioTests {
    static let done = """
        {"job_id":"7f0c","status":"completed","prompt":"a cat","model_name":"Veo 3.1","credits_used":4,
        "video_url":"https://ref.supabase.co/storage/v1/object/public/videos/u/2025-11/7f0c.mp4",
        "thumbnail_url":null,"error_message":null,"created_at":"2025-11-05T10:12:13.4+00:00"}
        """

    private func rendio(_ transport: ScriptedTransport) -> Rendio {
        Rendio(
            project: "https://ref.supabase.co/", credentials: StorageCredentials(bearer: "jwt", apiKey: "anon"),
            userID: "u 1", transport: transport)
    }

    private let intent = SubmitIntent(
        key: IdempotencyKey(rawValue: "key-1"), provider: .rendio, model: "veo", input: ["prompt": "a cat"],
        madeAt: .distantPast)

    @Test(arguments: [("true", true), ("false", false), (nil, false)] as [(String?, Bool)])
    func aSubmissionCarriesItsKey(replay: String?, isReplay: Bool) async throws {
        var headers: HTTPHeaders = [:]
        headers["X-Idempotent-Replay"] = replay
        let answer = #"{"job_id":"7f0c","status":"pending","credits_used":"4","credits_remaining":6}"#
        let transport = ScriptedTransport([.json(answer, headers: headers)])
        let receipt = try await rendio(transport).submit(intent)
        let request = try #require(transport.requests.first)
        #expect(
            receipt
                == SubmitReceipt(JobReference(.rendio, "7f0c", model: "veo"), credits: 4, isReplay: isReplay))
        #expect(request.url == "https://ref.supabase.co/functions/v1/generate-video")
        #expect(request.headers["Idempotency-Key"] == "key-1")
        #expect(request.headers["Authorization"] == "Bearer jwt")
        #expect(request.headers["apikey"] == "anon")
    }

    @Test func tooFewCreditsSaysHowMany() async throws {
        let body = #"{"error":"Insufficient credits","current_credits":2,"required_credits":4}"#
        let transport = ScriptedTransport([.json(body, status: 402)])
        let error = await #expect(throws: ProviderError.self) { try await rendio(transport).submit(intent) }
        #expect(error?.kind == .insufficientCredits)
        #expect(error?.credits == ProviderError.Credits(current: 2, required: 4))
        #expect(error?.isRetryable == false)
    }

    @Test func aFinishedJobHasItsVideo() async throws {
        let transport = ScriptedTransport([.json(Self.done)])
        let status = try await rendio(transport).status(of: JobReference(.rendio, "7f0c"))
        #expect(status.state == .succeeded)
        #expect(status.files.map(\.kind) == [.video])
        #expect(status.createdAt?.timeIntervalSince1970 == 1_762_337_533.4)
        #expect(transport.requests.map(\.url) == ["https://ref.supabase.co/functions/v1/get-video-status?job_id=7f0c"])
    }

    @Test(
        arguments: [
            (#"{"job_id":"1","status":"processing","video_url":""}"#, JobState.running, nil),
            (#"{"job_id":"1","status":"failed","error_message":"No."}"#, .failed, "No."),
            (#"{"job_id":"1","status":"failed","error_message":null}"#, .failed, "The provider gives no reason."),
            (#"{"job_id":"1","status":"paused","extra":[{}]}"#, .unknown("paused"), nil),
            (#"{"job_id":"1"}"#, .unknown(""), nil),
        ] as [(String, JobState, String?)])
    func otherStatesHaveNone(body: String, state: JobState, message: String?) async throws {
        let status = try await rendio(ScriptedTransport([.json(body)])).status(of: JobReference(.rendio, "1"))
        #expect(status.state == state)
        #expect(status.error?.message == message)
        #expect(status.files.isEmpty)
    }

    @Test(arguments: ["[]", "<html>", "", #"{"status":"completed"}"#])
    func anAnswerThatIsNoJobIsKept(body: String) async throws {
        let error = await #expect(throws: ProviderError.self) {
            try await rendio(ScriptedTransport([.json(body)])).status(of: JobReference(.rendio, "1"))
        }
        #expect(error?.kind == .invalidResponse)
        #expect(error?.body == body)
        #expect(error?.isRetryable == true)
    }

    @Test func finishedJobsAreListedSinceAMoment() async throws {
        let old = Self.done.replacing("7f0c", with: "old").replacing("2025-11-05", with: "2025-10-05")
        let open = #"{"job_id":"open","status":"processing"}"#
        let transport = ScriptedTransport([.json(#"{"jobs":[\#(Self.done),\#(old),\#(open),null,{}]}"#)])
        let jobs = try await rendio(transport).finished(since: try moment("2025-11-01T00:00:00Z"))
        #expect(jobs == [JobReference(.rendio, "7f0c", model: "Veo 3.1")])
        #expect(
            transport.requests.map(\.url) == [
                "https://ref.supabase.co/functions/v1/get-video-jobs?user_id=u%201&limit=100&offset=0"
            ])
    }

    @Test func aFullPageIsFollowedByAnother() async throws {
        let page = #"{"jobs":[\#(Array(repeating: "{}", count: 100).joined(separator: ","))]}"#
        let transport = ScriptedTransport([.json(page), .json(#"{"jobs":null}"#)])
        #expect(try await rendio(transport).finished(since: .distantPast).isEmpty)
        #expect(transport.requests.last?.url.hasSuffix("offset=100") == true)
    }
}
