import FoundationEssentials
import Providers
import Supabase
import TestSupport
import Testing
import Transfer

@Suite struct FalTests {
    static let base = "https://queue.fal.run/fal-ai/sora-2/requests/80e7"
    static let receipt = """
        {"status":"IN_QUEUE","request_id":"80e7","gateway_request_id":"80e7","queue_position":0,
        "response_url":"\(base)","status_url":"\(base)/status","cancel_url":"\(base)/cancel"}
        """
    static let job = JobReference(
        .fal, "80e7", model: "fal-ai/sora-2/image-to-video",
        calls: .init(status: base + "/status", result: base, cancel: base + "/cancel"))

    private func asked(
        _ script: [ScriptedTransport.Answer], about job: JobReference = job
    ) async throws -> (status: JobStatus, requests: [HTTPRequest]) {
        let transport = ScriptedTransport(script)
        let status = try await Fal(key: "k:secret", transport: transport).status(of: job)
        #expect(transport.unusedAnswers == 0)
        return (status, transport.requests)
    }

    @Test func aSubmissionSendsTheBareInputAndKeepsTheNamedCalls() async throws {
        let transport = ScriptedTransport([.json(Self.receipt)])
        let intent = SubmitIntent(
            key: .fresh(), provider: .fal, model: "fal-ai/sora-2/image-to-video", input: ["prompt": "a cat"],
            madeAt: .distantPast)
        let receipt = try await Fal(key: "k:secret", transport: transport).submit(intent)
        let request = try #require(transport.requests.first)
        #expect(receipt.job == Self.job)
        #expect(!receipt.isReplay)
        #expect(request.url == "https://queue.fal.run/fal-ai/sora-2/image-to-video")
        #expect(request.headers["authorization"] == "Key k:secret")
        #expect(request.body.text == #"{"prompt":"a cat"}"#)
        #expect(!request.followsRedirects)
    }

    @Test(arguments: [
        (#"{"status":"IN_QUEUE","request_id":"80e7","queue_position":3}"#, JobState.queued),
        (#"{"status":"IN_PROGRESS","logs":[{"message":"m","level":"INFO"}]}"#, .running),
        (#"{"status":"IN_PROGRESS","logs":null,"queue_position":"3"}"#, .running),
        (#"{"status":"HIBERNATING"}"#, .unknown("HIBERNATING")),
        (#"{"status":null}"#, .unknown("")), (#"{}"#, .unknown("")), (#"{"status":7}"#, .unknown("7")),
    ])
    func whatIsNoEndIsAskedAgain(body: String, state: JobState) async throws {
        let (status, requests) = try await asked([.json(body, status: 202)])
        #expect(status == JobStatus(state))
        #expect(requests.map(\.url) == [Self.base + "/status"])
    }

    @Test func aCompletedJobBringsItsFiles() async throws {
        let done = #"{"status":"COMPLETED","logs":null,"metrics":{"inference_time":41.7},"error":null}"#
        let (status, requests) = try await asked([.json(done), .json(FalBodies.sora)])
        #expect(status.state == .succeeded)
        #expect(status.files.map(\.kind) == [.video])
        #expect(status.files.first?.result(by: .fal, createdAt: nil).resolution == "720p")
        #expect(status.files.first?.deadline == nil)
        #expect(requests.map(\.url) == [Self.base + "/status", Self.base])
    }

    @Test func completedWithAnErrorIsFailed() async throws {
        let body = """
            {"status":"COMPLETED","logs":[],"metrics":{},"error":"Runner disconnected","error_type":"runner_disconnected"}
            """
        let logs = """
            {"logs":[{"message":"step 7","level":"INFO"},{"message":"out of memory (k:secret)"},{"level":"INFO"}]}
            """
        let (status, requests) = try await asked([.json(body), .json(logs)])
        #expect(requests.map(\.url) == [Self.base + "/status", Self.base + "/status?logs=1"])
        #expect(status.error?.body?.hasPrefix("step 7\nout of memory") == true)
        #expect(status.error?.body?.contains("k:secret") == false)
        #expect(status.state == .failed)
        #expect(status.error?.message == "Runner disconnected")
        #expect(status.error?.code == "runner_disconnected")
        #expect(status.error?.kind == .unavailable)
    }

    @Test func aResultThatIsAnErrorIsFailed() async throws {
        let refusal = #"{"detail":[{"loc":["body"],"msg":"No.","type":"content_policy_violation"}]}"#
        let (status, _) = try await asked([
            .json(#"{"status":"COMPLETED"}"#), .json(refusal, status: 422), .json(#"{"logs":null}"#),
        ])
        #expect(status.state == .failed)
        #expect(status.error?.kind == .contentFiltered)
        #expect(status.error?.body == refusal)
    }

    @Test func aBusyGatewayBeforeTheResultEndsNothing() async throws {
        let error = await #expect(throws: ProviderError.self) {
            try await asked([.json(#"{"status":"COMPLETED"}"#), .json("busy", status: 503)])
        }
        #expect(error?.isRetryable == true)
        let typed = #"{"detail":"late","error_type":"startup_timeout"}"#
        let (status, _) = try await asked([
            .json(#"{"status":"COMPLETED"}"#), .json(typed, status: 504), .json("busy", status: 503),
        ])
        #expect(status.state == .failed)
    }

    @Test(arguments: [401, 403, 404, 410, 500])
    func anAnswerAboutTheCallDoesNotEndTheJob(status: Int) async throws {
        let error = await #expect(throws: ProviderError.self) {
            try await asked([.json(#"{"status":"COMPLETED"}"#), .json(#"{"detail":"No"}"#, status: status)])
        }
        #expect(error?.status == status && error?.bearing != .final)
    }

    @Test(arguments: [
        ("fal-ai/veo3.1", "fal-ai/veo3.1"), ("fal-ai/sora-2/image-to-video", "fal-ai/sora-2"),
        ("fal-ai/veo3.1/fast/image-to-video", "fal-ai/veo3.1"), ("workflows/owner/app/step", "workflows/owner/app"),
        ("comfy/owner/app", "comfy/owner/app"), ("one", "one"),
    ])
    func requestsLiveBelowTheApp(model: String, app: String) {
        #expect(Fal.app(of: model) == app)
    }

    @Test func anIdAndAModelAreEnoughToAsk() async throws {
        let job = JobReference(.fal, "80e7", model: "fal-ai/sora-2/image-to-video")
        let (_, requests) = try await asked([.json(#"{"status":"COMPLETED"}"#), .json(FalBodies.veo)], about: job)
        #expect(requests.map(\.url) == [Self.base + "/status", Self.base])
        await #expect(throws: ProviderError.self) { try await asked([], about: JobReference(.fal, "80e7")) }
    }

    @Test func theKeyIsNotSentWhereAnAnswerPoints() async throws {
        var job = Self.job
        job.calls?.status = "https://evil.example/status"
        let error = await #expect(throws: ProviderError.self) { try await asked([], about: job) }
        #expect(error?.kind == .refused)
    }

    @Test(arguments: [
        (202, "CANCELLATION_REQUESTED", CancelOutcome.requested), (400, "ALREADY_COMPLETED", .tooLate),
    ])
    func aCancelIsAWish(status: Int, word: String, outcome: CancelOutcome) async throws {
        let transport = ScriptedTransport([.json(#"{"status":"\#(word)"}"#, status: status)])
        #expect(try await Fal(key: "k", transport: transport).cancel(Self.job) == outcome)
        #expect(transport.requests.first?.method == .put)
        #expect(transport.requests.first?.url == Self.base + "/cancel")
    }

    @Test func cancellingAnUnknownJobIsAnError() async throws {
        let transport = ScriptedTransport([.json(#"{"status":"NOT_FOUND"}"#, status: 404)])
        let error = await #expect(throws: ProviderError.self) {
            try await Fal(key: "k", transport: transport).cancel(Self.job)
        }
        #expect(error?.kind == .missing)
    }

    @Test func jobsMadeElsewhereAreFoundPageByPage() async throws {
        let first = """
            {"items":[{"request_id":"1","endpoint_id":"fal-ai/veo3.1","status_code":200,"duration":41.2},
            {"request_id":"2","endpoint_id":"fal-ai/veo3.1","status_code":422},7,{"request_id":null}],
            "next_cursor":"a b","has_more":true}
            """
        let transport = ScriptedTransport([
            .json(first), .json(#"{"items":[{"request_id":"3"}],"next_cursor":null,"has_more":false}"#),
        ])
        let fal = Fal(key: "k", models: ["fal-ai/veo3.1", "fal-ai/sora-2"], transport: transport)
        let jobs = try await fal.finished(since: try moment("2026-11-20T10:00:00Z"))
        #expect(jobs.map(\.id) == ["1", "3"])
        #expect(jobs.first?.model == "fal-ai/veo3.1")
        let base = "https://api.fal.ai/v1/models/requests/by-endpoint?endpoint_id=fal-ai/veo3.1,fal-ai/sora-2"
        let query = "&status=success&start=2026-11-20T10%3A00%3A00Z&limit=100"
        #expect(transport.requests.map(\.url) == [base + query, base + query + "&cursor=a%20b"])
        #expect(transport.requests.allSatisfy { $0.headers["authorization"] == "Key k" })
    }

    private static let unreachable = ScriptedTransport.Answer.failure(
        TransferError(.unreachable, "no address", mayHaveArrived: false))

    @Test func whereTheQueueCannotBeReachedItsSecondAddressIsAsked() async throws {
        let transport = ScriptedTransport([Self.unreachable, .json(#"{"status":"IN_QUEUE"}"#)])
        let status = try await Fal(key: "k", transport: transport).status(of: JobReference(.fal, "1", model: "a/b"))
        #expect(status.state == .queued)
        #expect(
            transport.requests.map(\.url) == [
                "https://queue.fal.run/a/b/requests/1/status", "https://queue.falrun.com/a/b/requests/1/status",
            ])
        #expect(transport.requests.allSatisfy { $0.headers["authorization"] == "Key k" })
    }

    @Test func anAddressOfTheUsersOwnHasNoSecond() async throws {
        let transport = ScriptedTransport([Self.unreachable])
        let fal = Fal(key: "k", base: "https://fal.example", transport: transport)
        await #expect(throws: ProviderError.self) { try await fal.status(of: JobReference(.fal, "1", model: "a/b")) }
    }

    @Test func aLinkToTheSecondAddressIsFollowedWithTheKey() async throws {
        let transport = ScriptedTransport([Self.unreachable, .json(#"{"status":"IN_QUEUE"}"#)])
        let calls = JobReference.Calls(status: "https://queue.falrun.com/x/status")
        _ = try await Fal(key: "k", transport: transport).status(of: JobReference(.fal, "1", calls: calls))
        #expect(transport.requests.last?.url == "https://queue.fal.run/x/status")
    }

    @Test func nullForAListIsAnEmptyOne() async throws {
        let transport = ScriptedTransport([.json(#"{"items":null,"next_cursor":null,"has_more":null}"#)])
        let fal = Fal(key: "k", models: ["fal-ai/veo3.1"], transport: transport)
        #expect(try await fal.finished(since: .distantPast).isEmpty)
    }
}
