import FoundationEssentials
import Providers
import Supabase
import TestSupport
import Testing
import Transfer

/// The same questions to every provider whose API is a table, answered in its own words.
@Suite struct EveryProviderTests {
    /// One provider's answers about a job.
    struct Site: Sendable, CustomTestStringConvertible {
        let api: JobAPI
        /// The job's id, of the form that the provider has.
        var id = "1"
        var queued: String?
        let running: String
        /// Done, with one file.
        let done: String
        /// Done, without any file.
        let empty: String
        let failed: String
        var cancelled: String?
        /// What is answered after `done`, where the file is named by an id.
        var further: String?
        /// Whether a job without a file counts as failed.
        var isFiltered = false
        /// Whether each word of a state is known before it is one.
        var wording: String?

        var testDescription: String { api.name.rawValue }

        func status(_ bodies: String...) async throws(ProviderError) -> JobStatus {
            try await ask(ScriptedTransport(bodies.map { .json($0) }))
        }

        func ask(_ transport: ScriptedTransport) async throws(ProviderError) -> JobStatus {
            let provider = PolledProvider(api, key: "k-secret", base: "https://api.example", transport: transport)
            return try await provider.status(of: JobReference(api.name, id))
        }
    }

    static let link = "https://cdn.example/v.mp4"

    static let sites = [
        Site(
            api: .gemini, id: "models/veo/operations/1", running: #"{"name":"n"}"#,
            done:
                #"{"done":true,"response":{"generateVideoResponse":{"generatedSamples":[{"video":{"uri":"\#(link)"}}]}}}"#,
            empty: #"{"done":true,"response":{}}"#, failed: #"{"done":true,"error":{"code":3,"message":"No."}}"#,
            isFiltered: true),
        Site(
            api: .openAI, queued: #"{"status":"queued"}"#, running: #"{"status":"in_progress","progress":40}"#,
            done: #"{"status":"completed","video_url":"\#(link)"}"#, empty: #"{"status":"completed"}"#,
            failed: #"{"status":"failed","error":{"code":"x","message":"No."}}"#, cancelled: #"{"status":"cancelled"}"#,
            wording: #"{"status":"WORD"}"#),
        Site(
            api: .runway, queued: #"{"status":"THROTTLED"}"#, running: #"{"status":"RUNNING","progress":0.4}"#,
            done: #"{"status":"SUCCEEDED","output":["\#(link)"]}"#, empty: #"{"status":"SUCCEEDED","output":[]}"#,
            failed: #"{"status":"FAILED","failure":"No.","failureCode":"INTERNAL"}"#,
            cancelled: #"{"status":"CANCELLED"}"#, wording: #"{"status":"WORD"}"#),
        Site(
            api: .luma, queued: #"{"state":"queued"}"#, running: #"{"state":"dreaming"}"#,
            done: #"{"state":"completed","assets":{"video":"\#(link)"}}"#,
            empty: #"{"state":"completed","assets":null}"#, failed: #"{"state":"failed","failure_reason":"No."}"#,
            wording: #"{"state":"WORD"}"#),
        Site(
            api: .replicate, queued: #"{"status":"starting"}"#, running: #"{"status":"processing"}"#,
            done: #"{"status":"succeeded","output":"\#(link)"}"#, empty: #"{"status":"succeeded","output":null}"#,
            failed: #"{"status":"failed","error":"No."}"#, cancelled: #"{"status":"canceled"}"#,
            wording: #"{"status":"WORD"}"#),
        Site(
            api: .xAI, running: #"{"status":"pending"}"#, done: #"{"status":"done","video":{"url":"\#(link)"}}"#,
            empty: #"{"status":"done","video":{}}"#, failed: #"{"status":"failed","error":{"message":"No."}}"#,
            wording: #"{"status":"WORD"}"#),
        Site(
            api: .seedance, queued: #"{"status":"queued"}"#, running: #"{"status":"running"}"#,
            done: #"{"status":"succeeded","content":{"video_url":"\#(link)"}}"#,
            empty: #"{"status":"succeeded","content":null}"#, failed: #"{"status":"failed","error":{"message":"No."}}"#,
            cancelled: #"{"status":"cancelled"}"#, wording: #"{"status":"WORD"}"#),
        Site(
            api: .wan, queued: #"{"output":{"task_status":"PENDING"}}"#,
            running: #"{"output":{"task_status":"RUNNING"}}"#,
            done: #"{"output":{"task_status":"SUCCEEDED","video_url":"\#(link)"}}"#,
            empty: #"{"output":{"task_status":"SUCCEEDED"}}"#,
            failed: #"{"output":{"task_status":"FAILED","message":"No."}}"#,
            cancelled: #"{"output":{"task_status":"CANCELED"}}"#, wording: #"{"output":{"task_status":"WORD"}}"#),
        Site(
            api: .vidu, queued: #"{"state":"created"}"#, running: #"{"state":"processing"}"#,
            done: #"{"state":"success","creations":[{"url":"\#(link)"}]}"#,
            empty: #"{"state":"success","creations":[]}"#,
            failed: #"{"state":"failed","err_code":"No."}"#, wording: #"{"state":"WORD"}"#),
        Site(
            api: .miniMax, queued: #"{"status":"Queueing"}"#, running: #"{"status":"Processing"}"#,
            done: #"{"status":"Success","file_id":"7"}"#, empty: #"{"status":"Success"}"#,
            failed: #"{"status":"Fail","error_message":"No."}"#, further: #"{"file":{"download_url":"\#(link)"}}"#,
            wording: #"{"status":"WORD"}"#),
        Site(
            api: .together, queued: #"{"status":"queued"}"#, running: #"{"status":"in_progress"}"#,
            done: #"{"status":"completed","outputs":{"video_url":"\#(link)"}}"#,
            empty: #"{"status":"completed","outputs":{}}"#, failed: #"{"status":"failed","error":{"message":"No."}}"#,
            cancelled: #"{"status":"cancelled"}"#, wording: #"{"status":"WORD"}"#),
        Site(
            api: .lumaAgents, queued: #"{"state":"queued"}"#, running: #"{"state":"processing"}"#,
            done: #"{"state":"completed","output":[{"type":"video","url":"\#(link)"}]}"#,
            empty: #"{"state":"completed","output":[]}"#, failed: #"{"state":"failed","failure_reason":"No."}"#,
            wording: #"{"state":"WORD"}"#),
        Site(
            api: .kling, queued: #"{"code":0,"data":{"task_status":"submitted"}}"#,
            running: #"{"code":0,"data":{"task_status":"processing"}}"#,
            done: #"{"code":0,"data":{"task_status":"succeed","task_result":{"videos":[{"url":"\#(link)"}]}}}"#,
            empty: #"{"code":0,"data":{"task_status":"succeed","task_result":{"videos":[]}}}"#,
            failed: #"{"code":0,"data":{"task_status":"failed","task_status_msg":"No."}}"#,
            wording: #"{"code":0,"data":{"task_status":"WORD"}}"#),
        Site(
            api: .vertex, id: "projects/p/models/veo/operations/1", running: #"{"name":"n","done":false}"#,
            done: #"{"done":true,"response":{"videos":[{"bytesBase64Encoded":"AAAA"}]}}"#,
            empty: #"{"done":true,"response":{"videos":[]}}"#,
            failed: #"{"done":true,"error":{"code":3,"message":"No."}}"#, isFiltered: true),
    ]

    @Test func everyTableIsAskedHere() { #expect(Set(Self.sites.map(\.api)) == Set(JobAPI.all)) }

    // MARK: How far a job has come

    @Test(arguments: sites)
    func aJobOnItsWayHasNeitherFilesNorAnError(_ site: Site) async throws {
        for (body, state) in [(site.queued, JobState.queued), (site.running, .running)] {
            guard let body else { continue }
            let status = try await site.status(body)
            #expect(status.state == state)
            #expect(status.files.isEmpty)
            #expect(status.error == nil)
            #expect(status.progress.map { $0 == 0.4 } ?? true)
        }
    }

    @Test(arguments: sites)
    func aJobThatIsDoneHasItsFile(_ site: Site) async throws {
        let bodies = [site.done, site.further].compactMap(\.self)
        let transport = ScriptedTransport(bodies.map { .json($0) })
        let status = try await site.ask(transport)
        #expect(status.state == .succeeded)
        #expect(status.files.map(\.url) == [site.api == .vertex ? "inline:0" : Self.link])
        #expect(status.files.allSatisfy { !$0.needsAccount })
        #expect(transport.unusedAnswers == 0)
    }

    /// A file at the provider's own address needs the key, and one elsewhere never gets it.
    @Test(arguments: sites.filter { $0.api != .vertex })
    func onlyAFileAtItsOwnAddressNeedsTheKey(_ site: Site) async throws {
        for (host, needsAccount) in [("api.example", true), ("api.example.evil.io", false), ("evil.io", false)] {
            let here = "https://\(host)/v.mp4"
            let bodies = [site.done, site.further].compactMap { $0?.replacing(Self.link, with: here) }
            let status = try await site.ask(ScriptedTransport(bodies.map { .json($0) }))
            #expect(status.files.map(\.url) == [here])
            #expect(status.files.map(\.needsAccount) == [needsAccount])
        }
    }

    @Test(arguments: sites)
    func aJobThatIsDoneWithoutAFile(_ site: Site) async throws {
        let status = try await site.status(site.empty)
        #expect(status.state == (site.isFiltered ? .failed : .succeeded))
        #expect(status.error?.kind == (site.isFiltered ? .contentFiltered : nil))
        // A gateway that names no link has the file at a call of its own.
        let own = site.api == .openAI ? ["https://api.example/videos/1/content"] : []
        #expect(status.files.map(\.url) == own)
    }

    @Test(arguments: sites)
    func aJobThatFailedSaysWhy(_ site: Site) async throws {
        let status = try await site.status(site.failed)
        #expect(status.state == .failed)
        #expect(status.error?.message == "No.")
        #expect(status.files.isEmpty)
    }

    @Test(arguments: sites)
    func aJobThatWasCancelledIsOver(_ site: Site) async throws {
        guard let body = site.cancelled else { return }
        let status = try await site.status(body)
        #expect(status.state == .cancelled)
        #expect(status.error == nil)
    }

    /// A word of tomorrow, whatever it is, is neither an end nor an error.
    @Test(arguments: sites, ["brewing", "", "null", "SUCCEEDED?", "véry new", "succeeded failed"])
    func aWordThatIsNotKnownIsNoEnd(_ site: Site, word: String) async throws {
        guard let wording = site.wording else { return }
        let status = try await site.status(wording.replacing("WORD", with: word))
        #expect(!status.state.isEnd)
        #expect(status.files.isEmpty)
    }

    @Test(arguments: sites)
    func aWordCountsInAnyCase(_ site: Site) async throws {
        let words = ["succeeded", "failed", "queued"]
        guard let wording = site.wording else { return }
        for word in words {
            let small = try await site.status(wording.replacing("WORD", with: word)).state
            let large = try await site.status(wording.replacing("WORD", with: word.uppercased())).state
            #expect(small == large)
        }
    }

    // MARK: Answers that are none

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: ScriptedTransport.Answer
        let kind: ProviderError.Kind
        let bearing: ProviderError.Bearing
        let isRetryable: Bool

        init(
            _ sentence: String, _ answer: ScriptedTransport.Answer, _ kind: ProviderError.Kind,
            _ bearing: ProviderError.Bearing, retryable: Bool
        ) {
            (testDescription, self.answer, self.kind) = (sentence, answer, kind)
            (self.bearing, isRetryable) = (bearing, retryable)
        }
    }

    private static func lost(_ kind: TransferError.Kind) -> ScriptedTransport.Answer {
        .failure(TransferError(kind, "gone", mayHaveArrived: true))
    }

    static let refusals = [
        Refusal("the question is wrong", .json(#"{"message":"x"}"#, status: 400), .refused, .final, retryable: false),
        Refusal("the key is wrong", .json("{}", status: 401), .unauthorized, .key, retryable: false),
        Refusal("no credits are left", .json("{}", status: 402), .insufficientCredits, .passing, retryable: false),
        Refusal("the key may not", .json("{}", status: 403), .unauthorized, .key, retryable: false),
        Refusal("no such job, or a deployment", .json("{}", status: 404), .missing, .passing, retryable: false),
        Refusal("a late answer", .json("{}", status: 408), .unavailable, .passing, retryable: true),
        Refusal("it conflicts with something", .json("{}", status: 409), .unavailable, .passing, retryable: true),
        Refusal("the job is gone", .json("{}", status: 410), .expired, .passing, retryable: false),
        Refusal("it cannot be processed", .json("{}", status: 422), .refused, .final, retryable: false),
        Refusal("too early", .json("{}", status: 425), .unavailable, .passing, retryable: true),
        Refusal("too many questions", .json("{}", status: 429), .rateLimited, .unheard, retryable: true),
        Refusal("a failure inside", .json("{}", status: 500), .unavailable, .passing, retryable: true),
        Refusal("a gateway's page", .json("<html>", status: 502), .unavailable, .passing, retryable: true),
        Refusal("no server", .json("", status: 503), .unavailable, .passing, retryable: true),
        Refusal("a late server", .json("", status: 504), .unavailable, .passing, retryable: true),
        Refusal("a status of no standard", .json("", status: 599), .unavailable, .passing, retryable: true),
        Refusal("a redirection", .json("", status: 302), .refused, .passing, retryable: false),
        Refusal("a page in place of an answer", .json("<html>"), .invalidResponse, .passing, retryable: true),
        Refusal("nothing in place of an answer", .json(""), .invalidResponse, .passing, retryable: true),
        Refusal("half an answer", .json(#"{"status":"#), .invalidResponse, .passing, retryable: true),
        Refusal("two answers in one", .json("{}{}"), .invalidResponse, .passing, retryable: true),
        Refusal("no network", lost(.unreachable), .noAnswer, .unheard, retryable: true),
        Refusal("a broken connection", lost(.lost), .noAnswer, .unheard, retryable: true),
        Refusal("silence", lost(.timedOut), .noAnswer, .unheard, retryable: true),
        Refusal("a certificate of another", lost(.untrusted), .noAnswer, .unheard, retryable: true),
        Refusal("the agent stops", lost(.cancelled), .cancelled, .unheard, retryable: false),
    ]

    @Test(arguments: sites, refusals)
    func anAnswerThatIsNone(_ site: Site, _ refusal: Refusal) async throws {
        let transport = ScriptedTransport([refusal.answer])
        let error = await #expect(throws: ProviderError.self) { try await site.ask(transport) }
        #expect(error?.kind == refusal.kind)
        #expect(error?.bearing == refusal.bearing)
        #expect(error?.isRetryable == refusal.isRetryable)
        #expect(transport.requests.count == 1)
    }

    /// What a provider echoes of the request is not kept.
    @Test(arguments: sites, [400, 401, 500])
    func theKeyIsInNoError(_ site: Site, status: Int) async throws {
        let echo = #"{"message":"the key k-secret is not known","error":"k-secret"}"#
        let transport = ScriptedTransport([.json(echo, status: status)])
        let error = await #expect(throws: ProviderError.self) { try await site.ask(transport) }
        let said = "\(error.map { "\($0) \($0.message) \($0.body ?? "") \($0.code ?? "")" } ?? "")"
        #expect(!said.contains("k-secret"))
        #expect(!said.isEmpty)
    }

    /// Whatever stands in the place of a link, nothing but a link becomes a file.
    @Test(
        arguments: sites.filter { $0.api != .vertex && $0.further == nil },
        [
            "null", "7", "true", "[]", "{}", #""""#, #""not a link""#, #""/relative.mp4""#, #""file:///etc/passwd""#,
            #""javascript:alert(1)""#, #""ftp://cdn.example/v.mp4""#, #"[null,7,""]"#,
        ])
    func whatIsNoLinkIsNoFile(_ site: Site, value: String) async throws {
        let body = site.done.replacing("\"\(Self.link)\"", with: value)
        let status = try await site.status(body)
        let rules = LinkRules()
        for file in status.files where site.api != .openAI {
            #expect(rules.refusal(of: file.url) != nil, "\(file.url)")
        }
    }
}
