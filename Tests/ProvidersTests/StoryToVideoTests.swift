import FoundationEssentials
import Providers
import Supabase
import TestSupport
import Testing
import Transfer

@Suite struct StoryToVideoTests {
    static let link = """
        http://minio:9000/story2video/projects/p-1/video_t-1.mp4?X-Amz-Algorithm=A&X-Amz-Date=20260119T020311Z\
        &X-Amz-Expires=259200&X-Amz-Signature=00
        """
    static let task = """
        {"id":"t-1","projectId":"p-1","shotId":"s-1","type":"generate_video","status":"finished","progress":100,
        "message":"m","parameters":{"video":{"resolution":"1280x720","fps":24,"format":"","bitrate":0},
        "depends_on":["t-0"]},"result":{"resource_type":"video","resource_id":"p-1","resource_url":"\(link)"},
        "error":"","estimatedDuration":0,"startedAt":"0001-01-01T00:00:00Z","finishedAt":"0001-01-01T00:00:00Z",
        "createdAt":"2026-01-19T10:00:00+08:00","updatedAt":"2026-01-19T10:03:11+08:00"}
        """

    private func server(_ script: ScriptedTransport.Answer...) -> StoryToVideo {
        StoryToVideo(base: "http://nas:8080", transport: ScriptedTransport(script))
    }

    @Test func aWorkIsReadWrappedAndBare() async throws {
        let wrapped = try await server(.json(#"{"task":\#(Self.task)}"#)).status(
            of: JobReference(.storyToVideo, "tasks/t-1"))
        let bare = try server().work(frame: Array(Self.task.utf8))
        #expect(wrapped == bare.status)
        #expect(bare.id == "t-1")
        #expect(bare.status.state == .succeeded)
        #expect(bare.status.progress == 1)
        #expect(bare.status.files.map(\.url) == [Self.link])
        #expect(bare.status.files.first?.kind == .video)
        #expect(bare.status.files.first?.deadline == Deadline(try moment("2026-01-22T02:03:11Z")))
    }

    @Test func goesZeroDateIsNone() throws {
        let status = try server().work(frame: Array(Self.task.utf8)).status
        #expect(status.endedAt == (try moment("2026-01-19T02:03:11Z")))
        #expect(status.createdAt == (try moment("2026-01-19T02:00:00Z")))
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let fields: String
        let state: JobState
        let files: [String]

        init(_ description: String, _ fields: String, _ state: JobState, _ files: String...) {
            (testDescription, self.fields, self.state, self.files) = (description, fields, state, files)
        }
    }

    @Test(arguments: [
        Row(
            "copying still runs", #""status":"processing","progress":100,"result":{"resource_url":"http://a/v.mp4"}"#,
            .running),
        Row("blocked for ever", #""status":"blocked""#, .queued),
        Row(
            "the documented alias", #""status":"success","result":{"resource_url":"http://a/v"}"#, .succeeded,
            "video http://a/v"),
        Row("no link yet", #""status":"finished","result":{"resource_id":"w-1","resource_url":""}"#, .succeeded),
        Row("no result", #""status":"finished","result":null"#, .succeeded),
        Row(
            "a picture by its extension", #""status":"finished","result":{"resource_url":"http://a/i.png?x=1"}"#,
            .succeeded,
            "image http://a/i.png?x=1"),
        Row(
            "sound by its extension", #""status":"finished","result":{"resource_url":"http://a/audio.mp3"}"#,
            .succeeded,
            "audio http://a/audio.mp3"),
        Row("a path is no link", #""status":"finished","result":{"resource_url":"shots/1/image.png"}"#, .succeeded),
        Row("a restart of the server", #""status":"cancelled","message":"重启""#, .cancelled),
        Row("numbers as text", #""status":"processing","progress":"40","extra":null"#, .running),
    ])
    func theTrapsAreSurvived(row: Row) throws {
        let frame = #"{"id":"t","type":"generate_video",\#(row.fields)}"#
        let status = try server().work(frame: Array(frame.utf8)).status
        #expect(status.state == row.state)
        #expect(status.files.map { "\($0.kind.rawValue) \($0.url)" } == row.files)
    }

    @Test(arguments: [
        ("generate_shot", "image", RemoteMedia.Kind.image), ("generate_audio", "", .audio),
        ("generate_video", "", .video),
        ("generate_storyboard", "image", .image), ("generate_storyboard", "", .unknown),
    ])
    func withoutAnExtensionTheStepTellsTheKind(type: String, said: String, kind: RemoteMedia.Kind) throws {
        let result = #"{"resource_type":"\#(said)","resource_url":"http://a/x"}"#
        let frame = #"{"id":"t","type":"\#(type)","status":"finished","result":\#(result)}"#
        #expect(try server().work(frame: Array(frame.utf8)).status.files.map(\.kind) == [kind])
    }

    @Test func anErrorFrameIsAnError() {
        let frame = #"{"error":"task not found: sql: no rows in result set"}"#
        let error = #expect(throws: ProviderError.self) { try server().work(frame: Array(frame.utf8)) }
        #expect(error?.kind == .missing)
        #expect(throws: ProviderError.self) { try server().work(frame: Array("[]".utf8)) }
        #expect(throws: ProviderError.self) { try server().work(frame: []) }
    }

    @Test func aFailedWorkSaysWhy() throws {
        let frame = #"{"id":"t","status":"failed","error":"","message":"no GPU"}"#
        let status = try server().work(frame: Array(frame.utf8)).status
        #expect(status.error?.message == "no GPU")
    }

    static let project = """
        {"project_detail":{"id":"p-1","title":"T","status":"video_generated","coverImage":"http://minio:9000/b/c.png?sig=3",
        "videoUrl":"\(link)","shotCount":2,"updatedAt":"2026-01-19T10:03:11.5+08:00"},
        "shots":[{"id":"s-2","order":2,"imagePath":"http://minio:9000/b/2.png?sig=2","audioPath":"shots/s-2/audio.mp3"},
        {"id":"s-1","order":1,"imagePath":"http://minio:9000/b/1.png?sig=1","audioPath":"http://minio:9000/b/1.mp3"}],
        "recent_task":null}
        """

    @Test func aProjectHasItsVideoAndItsShotsMedia() async throws {
        let status = try await server(.json(Self.project)).status(of: JobReference(.storyToVideo, "projects/p-1"))
        #expect(status.state == .succeeded)
        #expect(status.files.map(\.kind) == [.video, .image, .audio, .image, .image])
        #expect(
            status.files.dropFirst().map(\.identity) == [
                "http://minio:9000/b/1.png", "http://minio:9000/b/1.mp3", "http://minio:9000/b/2.png",
                "http://minio:9000/b/c.png",
            ])
        #expect(status.files[0].deadline?.isAssumed == false)
        #expect(status.files[1].deadline?.isAssumed == true)
    }

    @Test(arguments: [
        (#""status":"created""#, JobState.queued), (#""status":"text_generated","videoUrl":"""#, .running),
        (#""status":"ready","videoUrl":null"#, .running), (#""status":"failed""#, .failed),
        (#""status":"dreamt""#, .unknown("dreamt")), (#""status":null"#, .unknown("")),
        (#""status":"ready","videoUrl":"http://a/v.mp4""#, .succeeded),
    ])
    func onlyAProjectWithAVideoIsDone(fields: String, state: JobState) async throws {
        let body = #"{"project_detail":{\#(fields)},"shots":null,"recent_task":null}"#
        let status = try await server(.json(body)).status(of: JobReference(.storyToVideo, "projects/p-1"))
        #expect(status.state == state)
        #expect((status.error != nil) == (state == .failed))
    }

    struct Order: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let input: JSONValue
        let query: String
    }

    private static func intent(_ input: JSONValue) -> SubmitIntent {
        SubmitIntent(key: .fresh(), provider: .storyToVideo, model: "ink", input: input, madeAt: Date())
    }

    @Test(arguments: [
        Order(
            testDescription: "all that is said", input: ["prompt": "Es war…", "title": "A & B", "shots": .integer(2)],
            query: "Title=A%20%26%20B&StoryText=Es%20war%E2%80%A6&Style=ink&ShotCount=2"),
        Order(
            testDescription: "the first line is the title", input: ["prompt": "One\nTwo"],
            query: "Title=One&StoryText=One%0ATwo&Style=ink&ShotCount=0"),
        Order(
            testDescription: "60 characters of it", input: ["prompt": .string(String(repeating: "é", count: 61))],
            query: "Title=\(String(repeating: "%C3%A9", count: 60))&StoryText=\(String(repeating: "%C3%A9", count: 61))"
                + "&Style=ink&ShotCount=0"),
    ])
    func anOrderBecomesAProject(order: Order) async throws {
        let transport = ScriptedTransport([.json(#"{"project_id":"p-1","text_task_id":"t-0","shot_task_ids":null}"#)])
        let receipt = try await StoryToVideo(base: "http://nas:8080", transport: transport).submit(
            Self.intent(order.input))
        #expect(receipt.job == JobReference(.storyToVideo, "projects/p-1", model: "ink"))
        #expect(transport.requests.map(\.url) == ["http://nas:8080/v1/api/projects?\(order.query)"])
    }

    @Test func anOrderWithoutATextIsRefusedUnasked() async throws {
        let error = await #expect(throws: ProviderError.self) {
            _ = try await server().submit(Self.intent(["title": "A"]))
        }
        #expect(error?.kind == .refused)
    }

    struct Shots: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let body: String
        let asksForTheVideo: Bool

        init(_ description: String, _ count: Int, _ shots: String, recent: String = "null", asks: Bool = false) {
            testDescription = description
            body = #"{"project_detail":{"shotCount":\#(count)},"shots":[\#(shots)],"recent_task":\#(recent)}"#
            asksForTheVideo = asks
        }
    }

    @Test(arguments: [
        Shots("no shots yet", 0, ""),
        Shots("one of two is listed", 2, #"{"imagePath":"a.png"}"#),
        Shots("one of two is drawn", 2, #"{"imagePath":"a.png"},{"imagePath":null}"#),
        Shots("both are drawn", 2, #"{"imagePath":"a.png"},{"imagePath":"b.png"}"#, asks: true),
        Shots("a count that says less", 1, #"{"imagePath":"a.png"},{"imagePath":"b.png"}"#, asks: true),
        Shots("the sound was begun last", 1, #"{"imagePath":"a"}"#, recent: #"{"type":"generate_audio"}"#, asks: true),
        Shots("the video was begun last", 1, #"{"imagePath":"a"}"#, recent: #"{"type":"generate_video"}"#),
    ])
    func theVideoIsAskedForOnceAllIsDrawn(shots: Shots) async throws {
        let transport = ScriptedTransport(
            [.json(shots.body)] + (shots.asksForTheVideo ? [.json(#"{"task_id":"v-1"}"#)] : []))
        let server = StoryToVideo(base: "http://nas:8080", transport: transport)
        try await server.proceed(with: JobReference(.storyToVideo, "projects/p-1"))
        let asked = shots.asksForTheVideo ? ["http://nas:8080/v1/api/projects/p-1/video"] : []
        #expect(transport.requests.map(\.url) == ["http://nas:8080/v1/api/projects/p-1"] + asked)
    }

    @Test func aSingleWorkNeedsNothingMore() async throws {
        try await server().proceed(with: JobReference(.storyToVideo, "tasks/t-1"))
    }
}
