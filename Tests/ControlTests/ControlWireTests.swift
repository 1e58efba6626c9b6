import Configuration
import Foundation
import Gallery
import Generating
import Platform
import Providers
import Queue
import Reconciling
import Records
import Rescue
import Supabase
import TestSupport
import Testing

@testable import Control

/// What travels over the control socket: a command of today asks an agent that was started before an upgrade.
@Suite struct ControlWireTests {
    /// A request, and what is to become of it on the other side.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let path: String
        let json: String
        let encode: @Sendable () throws -> [UInt8]
        let isReadBack: @Sendable (Data) throws -> Bool

        init<Asked: AgentRequest>(_ sentence: String, _ request: Asked, _ json: String) {
            testDescription = sentence
            path = "/requests/" + Asked.name
            self.json = json
            encode = { Array(try QueueCoding.encoder.encode(request)) }
            isReadBack = { try QueueCoding.decoder.decode(Asked.self, from: $0) == request }
        }
    }

    static let until = Date(timeIntervalSince1970: 1_795_168_800)

    static let selection: Selection = {
        var selection = Selection()
        (selection.which, selection.paths, selection.isForced) = (.all, ["/a"], true)
        (selection.code, selection.since) = (.http(503), until)
        return selection
    }()

    static let deep: VerifyOrder = {
        var order = VerifyOrder()
        (order.percent, order.seed, order.isRepairing) = (0.5, .max, true)
        return order
    }()

    @Test(arguments: [
        Row("a pass over all roots", SyncOrder(paths: []), #"{"paths":[]}"#),
        Row("over one folder, slowly", SyncOrder(paths: ["/a"], rate: 5), #"{"paths":["L2E="],"rate":5}"#),
        Row(
            "what failed, again", ReuploadOrder(Selection()),
            #"{"selection":{"isForced":false,"paths":[],"which":"failed"}}"#),
        Row(
            "all of a folder", ReuploadOrder(selection),
            #"{"selection":{"code":"http.503","isForced":true,"paths":["L2E="],"#
                + #""since":"2026-11-20T10:00:00.000Z","which":"all"}}"#),
        Row(
            "a look at it", ReuploadPlanOrder(Selection()),
            #"{"selection":{"isForced":false,"paths":[],"which":"failed"}}"#),
        Row("a pause", PauseOrder(), "{}"),
        Row("one that ends", PauseOrder(until: until), #"{"until":"2026-11-20T10:00:00.000Z"}"#),
        Row("its end", ResumeOrder(), #"{"now":false}"#), Row("at once", ResumeOrder(now: true), #"{"now":true}"#),
        Row("what is left out", CancelOrder(paths: ["/a", "/b"]), #"{"paths":["L2E=","L2I="]}"#),
        Row("the queue", ItemsOrder(), "{}"), Row("a sign-in", SignInNotice(), "{}"),
        Row("the jobs", JobsOrder(), "{}"), Row("the page", PageLinkOrder(), "{}"),
        Row("what is only stored", PruneOrder(deleting: false), #"{"isDeleting":false}"#),
        Row(
            "deletion of one file",
            PruneOrder(deleting: true, of: [RootedPath(root: "P", path: FilePath(bytes: [0xFF]))]),
            #"{"files":[{"path":"/w==","root":"P"}],"isDeleting":true}"#),
        Row(
            "deletion of a root", PruneOrder(deleting: true, root: "Old"), #"{"isDeleting":true,"root":"Old"}"#),
        Row("a comparison", VerifyOrder(), #"{"isRepairing":false,"seed":0}"#),
        Row("a deep one", deep, #"{"isRepairing":true,"percent":0.5,"seed":18446744073709551615}"#),
        Row(
            "what it would download", VerifyVolumeOrder(deep),
            #"{"order":{"isRepairing":true,"percent":0.5,"seed":18446744073709551615}}"#),
        Row("videos that are known", RescueOrder(.known), #"{"dryRun":false,"what":{"known":{}}}"#),
        Row(
            "what a provider has", RescuePlanOrder(RescueOrder(.provider(.fal, since: until), dryRun: true)),
            #"{"order":{"dryRun":true,"what":{"provider":{"_0":"fal","since":"2026-11-20T10:00:00.000Z"}}}}"#),
        Row(
            "jobs to follow", AddJobsOrder([JobReference(.fal, "7", model: "m")]),
            #"{"references":[{"id":"7","model":"m","provider":"fal"}]}"#),
        Row("jobs to give up", CancelJobsOrder(["fal:7"]), #"{"ids":["fal:7"]}"#),
        Row(
            "an order of a video",
            GenerateOrder(.fal, model: "m", input: ["prompt": "p"], cost: 1_200_000, isConfirmed: true),
            #"{"cost":1200000,"input":{"prompt":"p"},"isConfirmed":true,"model":"m","provider":"fal"}"#),
        Row("settings", SettingsQuestion(["a.b": "1"]), #"{"values":{"a.b":"1"}}"#),
    ])
    func aRequestIsWrittenAsEver(_ row: Row) throws {
        let written = try row.encode()
        let (said, wanted) = (try Self.value(written), try Self.value(Array(row.json.utf8)))
        #expect(said == wanted, "\(String(decoding: written, as: UTF8.self))")
        #expect(try row.isReadBack(Data(row.json.utf8)))
        #expect(ControlRoute.request(at: Substring(row.path)) != nil)
    }

    private static func value(_ json: [UInt8]) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(json))
    }

    /// None of them is another one's, or a request that only the page may make.
    @Test(arguments: [
        "", "/", "/requests", "/requests/", "/requests/LinkOrder", "/requests/syncorder", "/requests/SyncOrder/",
        "/requests//SyncOrder", "/requests/SyncOrder?a", "requests/SyncOrder", "/request/SyncOrder",
        "/requests/SyncOrder ", "/x/requests/SyncOrder", "/report",
    ])
    func whatIsNoRequestIsNone(_ path: String) {
        #expect(ControlRoute.request(at: Substring(path)) == nil)
    }

    @Test func eachRequestHasANameOfItsOwn() {
        let names = AgentRequestTable.all.map { $0.name }
        #expect(Set(names).count == names.count)
        for (name, kind) in zip(names, AgentRequestTable.all) {
            #expect(ControlRoute.request(at: "/requests/\(name)") == kind)
        }
    }

    /// A second order of a video would be paid, too; everything else may be asked for twice.
    @Test func onlyWhatCostsIsNotAskedForAgain() {
        #expect(AgentRequestTable.all.filter { !$0.mayBeRepeated }.map { $0.name } == ["GenerateOrder"])
        #expect(AgentRequestTable.all.filter { !$0.obeyedSettings.isEmpty }.map { $0.name } == ["SyncOrder"])
    }

    @Test(
        arguments: [
            Fact("done", .ended(.done), #"{"ended":{"_0":{"done":{}}}}"#),
            Fact("some failed", .ended(.someFailed(2)), #"{"ended":{"_0":{"someFailed":{"_0":2}}}}"#),
            Fact("objects", .ended(.someDifferent(1)), #"{"ended":{"_0":{"someDifferent":{"_0":1}}}}"#),
            Fact("folders", .ended(.someUnlisted(1)), #"{"ended":{"_0":{"someUnlisted":{"_0":1}}}}"#),
            Fact(
                "too large", .ended(.someTooLarge(1, "s")), #"{"ended":{"_0":{"someTooLarge":{"_0":1,"_1":"s"}}}}"#),
            Fact("held", .ended(.held(51)), #"{"ended":{"_0":{"held":{"_0":51}}}}"#),
            Fact("later", .ended(.temporary("s")), #"{"ended":{"_0":{"temporary":{"_0":"s"}}}}"#),
            Fact("not permitted", .ended(.notPermitted("s")), #"{"ended":{"_0":{"notPermitted":{"_0":"s"}}}}"#),
            Fact("full", .ended(.full("s")), #"{"ended":{"_0":{"full":{"_0":"s"}}}}"#),
            Fact("refused", .ended(.refused("s")), #"{"ended":{"_0":{"refused":{"_0":"s"}}}}"#),
            Fact("not possible", .ended(.usage("s")), #"{"ended":{"_0":{"usage":{"_0":"s"}}}}"#),
            Fact("a human", .ended(.needsHuman("s")), #"{"ended":{"_0":{"needsHuman":{"_0":"s"}}}}"#),
            Fact("a signal", .ended(.interrupted(15)), #"{"ended":{"_0":{"interrupted":{"_0":15}}}}"#),
            Fact("an answer", .answered(7), #"{"answered":{"_0":7,"_1":{"done":{}}}}"#),
            Fact(
                "one that is not whole", .answered(7, .held(1)), #"{"answered":{"_0":7,"_1":{"held":{"_0":1}}}}"#),
        ] as [Fact<AgentReply<Int>, String>])
    func aReplyIsWrittenAsEver(_ row: Fact<AgentReply<Int>, String>) throws {
        let written = Array(try QueueCoding.encoder.encode(row.input))
        #expect(try Self.value(written) == Self.value(Array(row.output.utf8)))
        #expect(try QueueCoding.decoder.decode(AgentReply<Int>.self, from: Data(row.output.utf8)) == row.input)
        let isAnswered = row.output.hasPrefix(#"{"answered"#)
        #expect((row.input.answer == 7) == isAnswered)
        // Whose ending is all has no answer, and an ending tells the same of both.
        if case .ended = row.input { #expect(AgentReply<Int>.answered(1, row.input.ending).ending == row.input.ending) }
    }

    /// A later version may say more than this one asks for.
    @Test func whatIsNotKnownInARequestIsPassedOver() throws {
        let said = Data(#"{"paths":[],"rate":null,"depth":"all"}"#.utf8)
        #expect(try QueueCoding.decoder.decode(SyncOrder.self, from: said) == SyncOrder(paths: []))
    }

    /// A path is bytes in base64; what is none is of another version, and not guessed at.
    @Test(arguments: [#"{"paths":["/a"]}"#, #"{"paths":["L2E"]}"#, #"{"paths":[7]}"#, "{}", "[]", #"{"paths":{}}"#])
    func aRequestWithoutPathsIsNone(_ said: String) {
        #expect(throws: DecodingError.self) {
            try QueueCoding.decoder.decode(CancelOrder.self, from: Data(said.utf8))
        }
    }
}
