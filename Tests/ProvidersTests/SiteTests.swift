import FoundationEssentials
import Providers
import TestSupport
import Testing
import Transfer

/// The providers that answer with one document: every sample of the contract, and its variants.
@Suite struct SiteTests {
    enum Site: String, Sendable {
        case gemini, openAI, runway, luma, replicate

        func provider(_ transport: any Transport) -> any Provider {
            switch self {
            case .gemini: PolledProvider(.gemini, key: "secret", transport: transport)
            case .openAI: PolledProvider(.openAI, key: "secret", base: "https://gw.example/v1/", transport: transport)
            case .runway: PolledProvider(.runway, key: "secret", transport: transport)
            case .luma: PolledProvider(.luma, key: "secret", transport: transport)
            case .replicate: PolledProvider(.replicate, key: "secret", transport: transport)
            }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let site: Site
        let body: String
        let state: JobState
        let files: [String]
        let error: String?

        var testDescription: String { "\(site.rawValue) \(state.word) \(body.prefix(60))" }

        init(_ site: Site, _ body: String, _ state: JobState, files: [String] = [], error: String? = nil) {
            (self.site, self.body, self.state, self.files, self.error) = (site, body, state, files, error)
        }
    }

    static let geminiLink = "https://generativelanguage.googleapis.com/v1/files/abc:download?alt=media"

    static let gemini = [
        Row(
            .gemini,
            """
            {"name":"n","done":true,"response":{"@type":"t","generateVideoResponse":{"generatedSamples":
            [{"video":{"uri":"\(geminiLink)"}}],"raiMediaFilteredCount":0,"raiMediaFilteredReasons":[]}}}
            """, .succeeded, files: ["video key \(geminiLink)"]),
        Row(.gemini, #"{"name":"n"}"#, .running),
        Row(.gemini, #"{"name":"n","done":false,"metadata":null}"#, .running),
        Row(
            .gemini, #"{"name":"n","done":true,"error":{"code":13,"message":"Broken","status":"INTERNAL"}}"#, .failed,
            error: "Broken"),
        Row(
            .gemini,
            #"{"done":true,"response":{"generateVideoResponse":{"raiMediaFilteredCount":1,"raiMediaFilteredReasons":["Too wild."]}}}"#,
            .failed, error: "Too wild."),
        Row(.gemini, #"{"done":"true","response":null}"#, .failed, error: "Gemini made no video and gives no reason."),
    ]

    static let openAI = [
        Row(
            .openAI,
            """
            {"id":"video_123","object":"video","model":"sora-2","status":"completed","progress":100,
            "created_at":1760000000,"completed_at":1760000100,"expires_at":1760086400,"prompt":"…","seconds":"8",
            "size":"1280x720","remixed_from_video_id":null,"error":null}
            """, .succeeded, files: ["video key https://gw.example/v1/videos/id%3A1/content"]),
        Row(.openAI, #"{"id":"v","status":"queued","progress":null}"#, .queued),
        Row(.openAI, #"{"id":"v","status":"in_progress","progress":"40"}"#, .running),
        Row(.openAI, #"{"id":"v","status":"processing"}"#, .running),
        Row(.openAI, #"{"status":"failed","error":{"code":"x","message":"No."}}"#, .failed, error: "No."),
        Row(
            .openAI, #"{"status":"completed","unsigned_urls":["https://cdn.example/v"],"size":7}"#, .succeeded,
            files: ["video https://cdn.example/v"]),
    ]

    static let runway = [
        Row(.runway, #"{"id":"1","status":"RUNNING","createdAt":"2026-11-20T10:00:00.1Z","progress":0.42}"#, .running),
        Row(.runway, #"{"id":"1","status":"THROTTLED"}"#, .queued),
        Row(
            .runway, #"{"id":"1","status":"SUCCEEDED","output":["https://d.cloudfront.net/x.mp4?_jwt=t"]}"#,
            .succeeded, files: ["video https://d.cloudfront.net/x.mp4?_jwt=t"]),
        Row(.runway, #"{"status":"FAILED","failure":"No.","failureCode":"SAFETY.INPUT"}"#, .failed, error: "No."),
        Row(.runway, #"{"status":"CANCELLED","output":null}"#, .cancelled),
    ]

    static let luma = [
        Row(.luma, #"{"id":"1","state":"dreaming","assets":null}"#, .running),
        Row(
            .luma,
            #"{"state":"completed","assets":{"video":"https://a.io/v.mp4","image":"https://a.io/i.jpg","progress_video":"https://a.io/p.mp4"}}"#,
            .succeeded, files: ["video https://a.io/v.mp4", "image https://a.io/i.jpg"]),
        Row(.luma, #"{"state":"failed","failure_reason":"No.","assets":{}}"#, .failed, error: "No."),
        Row(.luma, #"{"state":"pondering"}"#, .unknown("pondering")),
    ]

    static let replicate = [
        Row(.replicate, #"{"status":"starting","output":null}"#, .queued),
        Row(
            .replicate, #"{"status":"succeeded","output":"https://r.delivery/o"}"#, .succeeded,
            files: ["unknown https://r.delivery/o"]),
        Row(
            .replicate, #"{"status":"succeeded","output":["https://r.delivery/o.mp4"]}"#, .succeeded,
            files: ["video https://r.delivery/o.mp4"]),
        Row(
            .replicate,
            #"{"status":"succeeded","output":{"video":"https://r.delivery/o","n":1},"input":{"image_url":"https://a.io/i.png"}}"#,
            .succeeded, files: ["video https://r.delivery/o"]),
        Row(.replicate, #"{"status":"failed","error":"No."}"#, .failed, error: "No."),
        Row(.replicate, #"{"status":"aborted","error":null}"#, .failed, error: "The provider gives no reason."),
        Row(.replicate, #"{"status":"canceled"}"#, .cancelled),
        Row(.replicate, #"{}"#, .unknown("")),
    ]

    @Test(arguments: gemini + openAI + runway + luma + replicate)
    func everySampleIsRead(row: Row) async throws {
        let transport = ScriptedTransport([.json(row.body)])
        let status = try await row.site.provider(transport).status(of: JobReference(.luma, "id:1"))
        #expect(status.state == row.state)
        #expect(status.files.map { "\($0.kind.rawValue)\($0.needsAccount ? " key" : "") \($0.url)" } == row.files)
        #expect(status.error?.message == row.error)
    }

    @Test(arguments: [
        (Site.gemini, "https://generativelanguage.googleapis.com/v1/id%3A1", "x-goog-api-key", "secret"),
        (.openAI, "https://gw.example/v1/videos/id%3A1", "authorization", "Bearer secret"),
        (.runway, "https://api.dev.runwayml.com/v1/tasks/id%3A1", "authorization", "Bearer secret"),
        (.luma, "https://api.lumalabs.ai/dream-machine/v1/generations/id%3A1", "authorization", "Bearer secret"),
        (.replicate, "https://api.replicate.com/v1/predictions/id%3A1", "authorization", "Bearer secret"),
    ])
    func eachIsAskedItsOwnWay(site: Site, url: String, header: String, value: String) async throws {
        let transport = ScriptedTransport([.json("{}")])
        _ = try await site.provider(transport).status(of: JobReference(.luma, "id:1"))
        #expect(transport.requests.map(\.url) == [url])
        #expect(transport.requests.first?.headers[header] == value)
        let version = transport.requests.first?.headers["X-Runway-Version"]
        #expect(version == (site == .runway ? "2024-11-06" : nil))
    }

    @Test(arguments: [Site.gemini, .openAI, .runway, .luma, .replicate])
    func anErrorShowsNoKeyAndAFailedJobsFilesAreItsError(site: Site) async throws {
        let refused = ScriptedTransport([.json(#"{"error":"secret is wrong"}"#, status: 401)])
        let error = await #expect(throws: ProviderError.self) {
            try await site.provider(refused).status(of: JobReference(.luma, "1"))
        }
        #expect(error?.kind == .unauthorized)
        #expect(error?.message == "… is wrong")
        #expect(error?.body?.contains("secret") == false)
        #expect(!"\(site.provider(refused).account)".contains("secret"))
    }

    @Test func theFilesOfAFailedJobAreItsError() async throws {
        let transport = ScriptedTransport([.json(#"{"state":"failed","failure_reason":"No."}"#)])
        let error = await #expect(throws: ProviderError.self) {
            try await PolledProvider(.luma, key: "k", transport: transport).files(of: JobReference(.luma, "1"))
        }
        #expect(error?.message == "No.")
    }

    @Test func openAIsFiguresAreHints() async throws {
        let provider = PolledProvider(
            .openAI, key: "k", base: "https://gw.example/v1", transport: ScriptedTransport([.json(Self.openAI[0].body)])
        )
        let status = try await provider.status(of: JobReference(.openAI, "1"))
        let file = try #require(status.files.first)
        #expect(file.result(by: .openAI, createdAt: nil).resolution == "720p")
        #expect(file.duration == 8)
        #expect(file.deadline == Deadline(Date(timeIntervalSince1970: 1_760_086_400)))
        #expect(status.progress == 1)
    }

    /// A date that no calendar has ends the process where it is shown.
    @Test(arguments: [
        ("1760086400", 1_760_086_400.0), ("1760086400000", 1_760_086_400), ("99999999999000", 99_999_999_999),
        ("1e14", nil), ("1e300", nil), ("0", nil), ("-1760086400", nil),
    ])
    func theEndOfALinkIsReadInSecondsAndInMilliseconds(_ text: String, _ seconds: Double?) async throws {
        let body = Self.openAI[0].body.replacing("1760086400", with: text)
        let provider = PolledProvider(
            .openAI, key: "k", base: "https://gw.example/v1", transport: ScriptedTransport([.json(body)]))
        let file = try #require(try await provider.status(of: JobReference(.openAI, "1")).files.first)
        let named = file.deadline.flatMap { $0.isAssumed ? nil : $0.date }
        #expect(named == seconds.map { Date(timeIntervalSince1970: $0) })
    }

    @Test func withoutAnEndOfItsOwnTheUsualLifetimeCounts() async throws {
        let body = #"{"status":"succeeded","output":"https://r.io/o.mp4","completed_at":"2026-11-20T10:00:00Z"}"#
        let transport = ScriptedTransport([.json(body)])
        let status = try await PolledProvider(.replicate, key: "k", transport: transport).status(
            of: JobReference(.replicate, "1"))
        #expect(status.files.first?.deadline == Deadline(try moment("2026-11-20T11:00:00Z"), isAssumed: true))
    }

    @Test func openAIsFinishedVideosAreListed() async throws {
        let page = """
            {"data":[{"id":"new","status":"completed","created_at":1760000000,"model":"m"},
            {"id":"open","status":"queued","created_at":1760000000},{"id":"late","status":"completed","created_at":1}],
            "has_more":true}
            """
        let transport = ScriptedTransport([.json(page)])
        let provider = PolledProvider(.openAI, key: "k", base: "https://gw.example/v1", transport: transport)
        let jobs = try await provider.finished(since: Date(timeIntervalSince1970: 1_750_000_000))
        #expect(jobs == [JobReference(.openAI, "new", model: "m")])
        #expect(transport.requests.map(\.url) == ["https://gw.example/v1/videos?limit=100&order=desc"])
    }

    @Test(arguments: [("RUNNING", CancelOutcome.requested), ("SUCCEEDED", .tooLate)])
    func runwaysCancelNeverDeletesWhatIsDone(word: String, outcome: CancelOutcome) async throws {
        var script = [ScriptedTransport.Answer.json(#"{"status":"\#(word)"}"#)]
        if outcome == .requested { script.append(.json("", status: 204)) }
        let transport = ScriptedTransport(script)
        #expect(
            try await PolledProvider(.runway, key: "k", transport: transport).cancel(JobReference(.runway, "1"))
                == outcome)
        #expect(transport.requests.map(\.method).contains(.delete) == (outcome == .requested))
    }

    @Test func whatAProviderDoesNotOfferSaysSo() async {
        let provider = PolledProvider(.luma, key: "k", transport: ScriptedTransport([]))
        let error = await #expect(throws: ProviderError.self) { try await provider.cancel(JobReference(.luma, "1")) }
        #expect(error?.kind == .unsupported)
        #expect(error?.message == "luma has no way to cancel a job.")
    }

    @Test func theKeyGoesOnlyToTheProvidersOwnHost() {
        let account = PolledProvider(.gemini, key: "secret", transport: ScriptedTransport([])).account
        #expect(account.headers(for: Self.geminiLink)["x-goog-api-key"] == "secret")
        for link in [
            "https://storage.googleapis.com/x", "http://generativelanguage.googleapis.com/x",
            "https://generativelanguage.googleapis.com:444/x", "https://generativelanguage.googleapis.com.evil.io/x",
            "https://generativelanguage.googleapis.com@evil.io/x", "nonsense",
        ] {
            #expect(account.headers(for: link).fields.isEmpty)
        }
    }
}
