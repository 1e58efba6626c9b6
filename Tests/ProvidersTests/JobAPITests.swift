import FoundationEssentials
import Providers
import Supabase
import TestSupport
import Testing
import Transfer

/// What the tables of providers say, and what a table may not say.
@Suite struct JobAPITests {
    struct Row: CustomTestStringConvertible, Sendable {
        let api: JobAPI
        let body: String
        let state: JobState
        let files: [String]
        let error: String?

        var testDescription: String { "\(api.name.rawValue) \(body.prefix(60))" }

        init(_ api: JobAPI, _ body: String, _ state: JobState, files: [String] = [], error: String? = nil) {
            (self.api, self.body, self.state, self.files, self.error) = (api, body, state, files, error)
        }
    }

    static let rows = [
        Row(.xAI, #"{"status":"pending","progress":40}"#, .running),
        Row(
            .xAI, #"{"status":"done","video":{"url":"https://vidgen.x.ai/v.mp4","duration":8},"model":"grok"}"#,
            .succeeded, files: ["video https://vidgen.x.ai/v.mp4"]),
        Row(.xAI, #"{"status":"expired"}"#, .failed, error: "The provider says of it: expired."),
        Row(.xAI, #"{"status":"failed","error":{"code":"x","message":"No."}}"#, .failed, error: "No."),
        Row(
            .seedance,
            #"{"status":"succeeded","content":{"video_url":"https://t.io/v","last_frame_url":"https://t.io/f"},"created_at":1}"#,
            .succeeded, files: ["video https://t.io/v", "image https://t.io/f"]),
        Row(
            .seedance, #"{"status":"failed","error":{"code":"E","message":"No."},"content":null}"#, .failed,
            error: "No."),
        Row(.seedance, #"{"status":"queued"}"#, .queued), Row(.seedance, #"{"status":"cancelled"}"#, .cancelled),
        Row(
            .wan, #"{"output":{"task_id":"t","task_status":"SUCCEEDED","video_url":"https://o.io/v.mp4?Expires=1"}}"#,
            .succeeded, files: ["video https://o.io/v.mp4?Expires=1"]),
        Row(.wan, #"{"output":{"task_status":"SUSPENDED"}}"#, .queued),
        Row(.wan, #"{"output":{"task_status":"FAILED","code":"C","message":"No."}}"#, .failed, error: "No."),
        Row(
            .vidu,
            #"{"state":"success","creations":[{"url":"https://v.io/v","cover_url":"https://v.io/c.jpg","watermarked_url":"https://v.io/w.mp4"}]}"#,
            .succeeded, files: ["video https://v.io/v"]),
        Row(.vidu, #"{"state":"queueing","creations":[]}"#, .queued),
        Row(.vidu, #"{"state":"failed","err_code":"AuditSubmitIllegal"}"#, .failed, error: "AuditSubmitIllegal"),
        Row(.miniMax, #"{"status":"Preparing","base_resp":{"status_code":0}}"#, .queued),
        Row(.miniMax, #"{"status":"Fail","error_message":"No.","base_resp":{"status_code":0}}"#, .failed, error: "No."),
        Row(
            .together, #"{"status":"completed","outputs":{"cost":1,"video_url":"https://t.io/v"}}"#, .succeeded,
            files: ["video https://t.io/v"]),
        Row(
            .lumaAgents,
            #"{"state":"completed","output":[{"type":"video","url":"https://a.io/1"},{"type":"image","url":"https://a.io/2"}]}"#,
            .succeeded, files: ["video https://a.io/1", "image https://a.io/2"]),
        Row(
            .lumaAgents, #"{"state":"failed","failure_reason":"No.","failure_code":"content_moderated"}"#, .failed,
            error: "No."),
        Row(
            .gemini,
            #"{"id":"1","status":"completed","steps":[{"type":"user_input","content":[{"type":"video","uri":"https://m.io/mine.mp4"}]},{"type":"model_output","content":[{"type":"video","uri":"https://m.io/1","mime_type":"video/mp4"}]}]}"#,
            .succeeded, files: ["video https://m.io/1"]),
        Row(
            .gemini,
            #"{"id":"1","status":"completed","steps":[{"type":"model_output","content":[{"type":"video","data":"AAAA"}]}]}"#,
            .succeeded, files: ["unknown inline:0"]),
        Row(
            .gemini,
            #"{"id":"1","status":"completed","steps":[{"type":"user_input","content":[{"type":"image","data":"AAAA"}]},{"type":"model_output","content":[{"type":"text","text":"No."}]}]}"#,
            .failed, error: "Gemini made no video and gives no reason."),
        Row(.gemini, #"{"id":"1","status":"in_progress","steps":[]}"#, .running),
        Row(
            .gemini, #"{"id":"1","status":"budget_exceeded","errors":[{"code":"x","message":"No."}]}"#, .failed,
            error: "No."),
        Row(
            .runway,
            #"{"status":"SUCCEEDED","output":{"n-1":["https://c.net/1.mp4?_jwt=t"],"n-2":["https://c.net/2.png"]}}"#,
            .succeeded, files: ["video https://c.net/1.mp4?_jwt=t", "image https://c.net/2.png"]),
        Row(
            .openAI, #"{"status":"done","video_url":"https://g.io/v"}"#, .succeeded, files: ["video https://g.io/v"]),
        Row(
            .replicate, #"{"status":"succeeded","output":["data:video/mp4;base64,AAAA"]}"#, .succeeded,
            files: ["unknown inline:0"]),
        Row(.replicate, #"{"status":"succeeded","output":"Some text"}"#, .succeeded),
        Row(
            .kling,
            #"{"code":0,"data":{"task_status":"succeed","task_result":{"videos":[{"id":"1","url":"https://k.io/v","duration":"5"}]}}}"#,
            .succeeded, files: ["video https://k.io/v"]),
        Row(.kling, #"{"code":0,"data":{"task_status":"submitted","created_at":1722769557708}}"#, .queued),
        Row(
            .kling, #"{"code":0,"data":{"task_status":"failed","task_status_msg":"No."}}"#, .failed, error: "No."),
        Row(.vertex, #"{"name":"n"}"#, .running),
        Row(
            .vertex,
            #"{"done":true,"response":{"videos":[{"bytesBase64Encoded":"AAAA"},{"bytesBase64Encoded":"BBBB"}]}}"#,
            .succeeded, files: ["unknown inline:0", "unknown inline:1"]),
        Row(
            .vertex, #"{"done":true,"response":{"videos":[{"gcsUri":"gs://mine/v.mp4"}]}}"#, .failed,
            error: "Vertex put the file into your own bucket (gs://mine/v.mp4); it stays there."),
        Row(
            .vertex, #"{"done":true,"response":{"raiMediaFilteredCount":1,"raiMediaFilteredReasons":["Faces."]}}"#,
            .failed, error: "Faces."),
        Row(.vertex, #"{"done":true,"error":{"code":13,"message":"No."}}"#, .failed, error: "No."),
    ]

    @Test(arguments: rows)
    func everyAnswerOfItsSDKIsRead(row: Row) async throws {
        let provider = PolledProvider(
            row.api, key: "k", base: "https://api.example", transport: ScriptedTransport([.json(row.body)]))
        let status = try await provider.status(of: JobReference(row.api.name, "1"))
        #expect(status.state == row.state)
        #expect(status.files.map { "\($0.kind.rawValue) \($0.url)" } == row.files)
        #expect(status.error?.message == row.error)
    }

    @Test(arguments: [
        (JobAPI.xAI, "a", "https://api.x.ai/v1/videos/a", "Bearer k"),
        (.seedance, "a", "https://ark.ap-southeast.bytepluses.com/api/v3/contents/generations/tasks/a", "Bearer k"),
        (.wan, "a", "https://dashscope.aliyuncs.com/api/v1/tasks/a", "Bearer k"),
        (.vidu, "a", "https://api.vidu.com/ent/v2/tasks/a/creations", "Token k"),
        (.miniMax, "a b", "https://api.minimax.io/v1/query/video_generation?task_id=a%20b", "Bearer k"),
        (.together, "a", "https://api.together.ai/v2/videos/a", "Bearer k"),
        (.lumaAgents, "a", "https://agents.lumalabs.ai/v1/generations/a", "Bearer k"),
        (.kling, "7", "https://api-singapore.klingai.com/v1/videos/text2video/7", "Bearer k"),
        (.kling, "image2video/7", "https://api-singapore.klingai.com/v1/videos/image2video/7", "Bearer k"),
        (
            .vertex, "projects/p/models/veo/operations/7",
            "https://aiplatform.googleapis.com/v1beta1/projects/p/models/veo:fetchPredictOperation", "Bearer k"
        ),
        (.runway, "workflow_invocations/a", "https://api.dev.runwayml.com/v1/workflow_invocations/a", "Bearer k"),
    ])
    func eachIsAskedAsItsSDKAsks(api: JobAPI, id: String, url: String, key: String) async throws {
        let transport = ScriptedTransport([.json("{}")])
        _ = try await PolledProvider(api, key: "k", transport: transport).status(of: JobReference(api.name, id))
        #expect(transport.requests.map(\.url) == [url])
        #expect(transport.requests.first?.headers["authorization"] == key)
    }

    @Test func aVertexOperationIsNamedInTheBody() async throws {
        let transport = ScriptedTransport([.json("{}")])
        let id = "projects/p/models/veo/operations/7"
        _ = try await PolledProvider(.vertex, key: "k", transport: transport).status(of: JobReference(.vertex, id))
        let request = try #require(transport.requests.first)
        #expect(request.method == .post && request.body.text == #"{"operationName":"\#(id)"}"#)
    }

    @Test func klingIsShownATokenThatIsSignedForTheRequest() async throws {
        let transport = ScriptedTransport([.json("{}")])
        _ = try await PolledProvider(.kling, key: "ak:sk", transport: transport).status(of: JobReference(.kling, "7"))
        let shown = try #require(transport.requests.first?.headers["authorization"])
        let now = Date()
        let near = (-3...3).compactMap { SigningKey("ak:sk")?.token(at: now + Double($0)) }
        #expect(near.contains { shown == "Bearer " + $0 })
    }

    @Test(arguments: [
        (JobAPI.vertex, #"{"done":true,"response":{"videos":[{"bytesBase64Encoded":"AQI="}]}}"#),
        (.replicate, #"{"status":"succeeded","output":"data:video/mp4;base64,AQI="}"#),
    ])
    func aFileInTheAnswerIsReadFromIt(api: JobAPI, body: String) async throws {
        let provider = PolledProvider(api, key: "k", transport: ScriptedTransport([.json(body), .json(body)]))
        #expect(try await provider.inlined(0, of: JobReference(api.name, "1")) == [1, 2])
        await #expect(throws: ProviderError.self) { try await provider.inlined(1, of: JobReference(api.name, "1")) }
    }

    @Test func aFileThatIsNamedByAnIDIsResolved() async throws {
        let transport = ScriptedTransport([
            .json(#"{"status":"Success","file_id":7,"base_resp":{"status_code":0}}"#),
            .json(#"{"file":{"download_url":"https://cdn.io/v.mp4"},"base_resp":{"status_code":0}}"#),
        ])
        let status = try await PolledProvider(.miniMax, key: "k", transport: transport)
            .status(of: JobReference(.miniMax, "t"))
        #expect(status.files.map(\.url) == ["https://cdn.io/v.mp4"])
        #expect(transport.requests.last?.url == "https://api.minimax.io/v1/files/retrieve?file_id=7")
    }

    @Test(arguments: [
        (#"{"base_resp":{"status_code":1004,"status_msg":"login fail"}}"#, ProviderError.Bearing.key),
        (#"{"base_resp":{"status_code":1002,"status_msg":"slow down"}}"#, .unheard),
        (#"{"base_resp":{"status_code":1000,"status_msg":"unknown error"}}"#, .passing),
        (#"{"base_resp":{"status_code":2013,"status_msg":"invalid"}}"#, .final),
    ])
    func anErrorInASuccessIsAnError(body: String, bearing: ProviderError.Bearing) async throws {
        let provider = PolledProvider(.miniMax, key: "k", transport: ScriptedTransport([.json(body)]))
        let error = await #expect(throws: ProviderError.self) {
            try await provider.status(of: JobReference(.miniMax, "t"))
        }
        #expect(error?.bearing == bearing)
    }

    @Test func aJobThatIsNotKnownAnyMoreIsAskedAboutAgain() async throws {
        let body = #"{"output":{"task_id":"t","task_status":"UNKNOWN"}}"#
        let provider = PolledProvider(.wan, key: "k", transport: ScriptedTransport([.json(body)]))
        let error = await #expect(throws: ProviderError.self) { try await provider.status(of: JobReference(.wan, "t")) }
        #expect(error?.kind == .missing && error?.bearing == .passing)
    }

    @Test(arguments: JobAPI.all)
    func onlyWhatRunsIsCancelled(api: JobAPI) async throws {
        guard api.cancel != nil else { return }
        let word =
            api.answer.state == ["output.task_status"]
            ? #"{"output":{"task_status":"SUCCEEDED"}}"# : #"{"status":"succeeded"}"#
        let transport = ScriptedTransport([.json(word)])
        let provider = PolledProvider(api, key: "k", base: "https://api.example", transport: transport)
        #expect(try await provider.cancel(JobReference(api.name, "1")) == .tooLate)
        #expect(transport.requests.map(\.method) == [.get])
    }

    @Test(arguments: [
        (
            JobAPI.replicate,
            [
                #"{"results":[{"id":"a","status":"succeeded"}],"next":"https://api.example/predictions?cursor=2"}"#,
                #"{"results":[{"id":"b","status":"succeeded"}],"next":null}"#,
            ],
            ["/predictions", "/predictions?cursor=2"]
        ),
        (
            .luma,
            [
                #"{"generations":[{"id":"a","state":"completed"},{"id":"b","state":"completed"},{"id":"c","state":"dreaming"}]}"#
            ],
            ["/generations?limit=100&offset=0"]
        ),
        (
            .luma,
            [
                #"{"generations":[{"id":"a","state":"completed"},{"id":"x","state":"failed"}],"has_more":true}"#,
                #"{"generations":[{"id":"b","state":"completed"}],"has_more":false}"#,
            ],
            ["/generations?limit=100&offset=0", "/generations?limit=100&offset=2"]
        ),
        (
            .luma,
            [
                #"{"generations":[{"id":"a","state":"completed"},{"id":"b","state":"completed"}],"has_more":true}"#,
                #"{"generations":[],"has_more":true}"#,
            ],
            ["/generations?limit=100&offset=0", "/generations?limit=100&offset=2"]
        ),
        // A provider may give fewer rows than are asked for, so only a page without news is the last one.
        (
            .kling,
            [
                #"{"code":0,"data":[{"task_id":"a","task_status":"succeed","updated_at":1722769557708}]}"#,
                #"{"code":0,"data":[{"task_id":"b","task_status":"succeed"}]}"#, #"{"code":0,"data":[]}"#,
            ],
            [1, 2, 3].map { "/v1/videos/text2video?pageSize=100&pageNum=\($0)" }
        ),
        (
            .seedance,
            [
                #"{"items":[{"id":"a","status":"succeeded"}],"total":2}"#,
                #"{"items":[{"id":"b","status":"succeeded"}],"total":2}"#, #"{"items":null,"total":2}"#,
            ],
            [1, 2, 3].map { "/contents/generations/tasks?page_size=100&filter.status=succeeded&page_num=\($0)" }
        ),
        // One that does not heed the page's number gives the same rows again.
        (
            .kling,
            Array(
                repeating:
                    #"{"code":0,"data":[{"task_id":"a","task_status":"succeed"},{"task_id":"b","task_status":"succeed"}]}"#,
                count: 2),
            [1, 2].map { "/v1/videos/text2video?pageSize=100&pageNum=\($0)" }
        ),
        // Links that lead in a circle, and rows that moved to the next page meanwhile.
        (
            .replicate,
            [
                #"{"results":[{"id":"a","status":"succeeded"}],"next":"https://api.example/predictions?cursor=2"}"#,
                #"{"results":[{"id":"a","status":"succeeded"},{"id":"b","status":"succeeded"}],"next":"/predictions"}"#,
            ],
            ["/predictions", "/predictions?cursor=2"]
        ),
    ])
    func listsAreReadToTheirEnd(api: JobAPI, pages: [String], calls: [String]) async throws {
        let transport = ScriptedTransport(pages.map { .json($0) })
        let provider = PolledProvider(api, key: "k", base: "https://api.example", transport: transport)
        #expect(try await provider.finished(since: .distantPast).map(\.id) == ["a", "b"])
        #expect(transport.requests.map(\.url) == calls.map { "https://api.example" + $0 })
    }

    @Test(arguments: [
        ("https://app.runwayml.com/v1/workflow_invocations/w-1", ProviderName.runway, "workflow_invocations/w-1"),
        ("https://api.dev.runwayml.com/v1/tasks/t-1", .runway, "t-1"),
        ("https://api.vidu.com/ent/v2/tasks/9/creations", .vidu, "9"),
        ("https://api.x.ai/v1/videos/r-1", .xAI, "r-1"),
        ("https://api-singapore.klingai.com/v1/videos/text2video/7", .kling, "7"),
        ("https://api-singapore.klingai.com/v1/videos/image2video/7", .kling, "image2video/7"),
        (
            "https://us-central1-aiplatform.googleapis.com/v1/projects/p/models/m/operations/7", .vertex,
            "projects/p/models/m/operations/7"
        ),
    ])
    func aLinkToAJobNamesIt(link: String, name: ProviderName, id: String) {
        #expect(JobReference(name, spelled: link, model: nil) == JobReference(name, id))
    }

    @Test(arguments: ["", "a..b", ".a", "a b", "a/b", #"a"b"#, "é"])
    func aPathThatIsNoneIsRefused(text: String) {
        #expect(throws: FactFault.self) { try AnswerPath(text) }
    }

    @Test(arguments: [
        "", "jobs", "//evil.io/{id}", "/a/../b", "/{name}", "/{id}/{id}", "/a b", "/a#b", "https://a.io/",
    ])
    func aCallThatIsNoneIsRefused(text: String) {
        #expect(throws: FactFault.self) { try CallPath(text) }
    }

    @Test func runwayIsAskedNoOftenerThanEachFiveSeconds() {
        let policy = PollingPolicy().of(
            PolledProvider(.runway, key: "k", transport: ScriptedTransport([])))
        #expect((1...20).allSatisfy { policy.wait(after: $0, random: 0) >= .seconds(5) })
    }
}
