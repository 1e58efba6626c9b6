import Catalog
import Fixtures
import Foundation
import Platform
import Queue
import Supabase
import Sync
import TestSupport
import Testing
import Text

@testable import Gallery
@testable import GallerySync

@Suite struct EventTests {
    private static let at = Date(timeIntervalSince1970: 1_795_168_800)

    private static func line(_ event: Event) throws -> String {
        String(decoding: try JSONDocument.line(event.value(at: at)), as: UTF8.self)
    }

    @Test func everyLineHasItsSchemaItsTimeAndItsName() throws {
        #expect(
            try Self.line(Event(name: .started, fields: ["command": "sync"]))
                == "{\"at\":\"2026-11-20T10:00:00.000Z\",\"command\":\"sync\",\"event\":\"started\","
                + "\"schema\":\"gallery-sync/event/1\"}\n")
    }

    private static func remark(_ topic: WatchState.Topic) -> AgentEvent {
        .state(Remark(level: .warning, topic: topic, sentence: "s", isOver: false))
    }

    @Test(
        arguments: [
            (
                AgentEvent.file(FileEvent(Items.pending("a.jpg"), .stored(.new, .md5))), Event.Name.stored,
                ["path": "Pictures/a.jpg", "role": "original", "size": 1_000, "standing": "new", "proof": "md5"]
            ),
            (
                .file(FileEvent(Items.pending("a.jpg"), .failed(Items.tooLarge))), .failed,
                [
                    "path": "Pictures/a.jpg", "code": "storage.EntityTooLarge", "message": "too large",
                ]
            ),
            (
                .file(FileEvent(Items.pending("a.jpg"), .held(.tooLarge, Items.tooLarge))), .refused,
                ["reason": "tooLarge", "message": "too large"]
            ),
            (.file(FileEvent(Items.pending("a.jpg"), .withdrawn)), .withdrawn, ["path": "Pictures/a.jpg"]),
            (
                remark(.root("P")), .state,
                ["topic": "root:P", "level": "warning", "message": "s", "over": false]
            ),
            (remark(.failed("http.403")), .state, ["topic": "failed:http.403"]),
            (.batch(Tally(), .milliseconds(1_500)), .batch, ["new": 0, "failed": 0, "seconds": 1.5]),
        ] as [(AgentEvent, Event.Name, [String: JSONValue])])
    func whatAnAgentTellsIsALine(_ told: AgentEvent, _ name: Event.Name, _ fields: [String: JSONValue]) {
        let event = Event(told)
        #expect(event.name == name)
        for (key, value) in fields { #expect(event.fields[key] == value, "\(key)") }
    }

    @Test func aProgressHasItsStepsAndWhatIsUnknownIsNull() {
        let progress = Progress(
            counts: [.init(.scan, done: 3), .init(.upload, done: 1, of: 3)], bytesDone: 5, bytesTotal: 9)
        let fields = Event(progress).fields
        #expect(fields["scan"] == ["done": 3, "failed": 0, "total": nil])
        #expect(fields["upload"] == ["done": 1, "failed": 0, "total": 3])
        #expect(fields["secondsLeft"] == JSONValue.null)
        #expect(fields["bytesTotal"] == 9)
    }

    private static let sync =
        "sync Pictures --local --state-dir state --set thumbnails.enabled=false --set scan.settle=0s"

    private static func lines(_ household: Household) throws -> [[String: JSONValue]] {
        try household.results.split(separator: "\n").map {
            try JSONDecoder().decode([String: JSONValue].self, from: Data($0.utf8))
        }
    }

    @Test func aSyncTellsEachFileAndEndsWithItsCountsAndTheStatus() async throws {
        let household = try Household()
        defer { household.remove() }
        try household.write("a", to: household.home.appending("Pictures/a.jpg"))
        #expect(await household.run(Self.sync + " --json") == .success)
        let lines = try Self.lines(household).filter { $0["event"] != "progress" }
        #expect(lines.map { $0["event"] } == ["started", "stored", "finished"])
        #expect(lines.allSatisfy { $0["schema"] == "gallery-sync/event/1" && $0["at"] != nil })
        #expect(lines[1]["path"] == "Pictures/a.jpg")
        guard case .object(let status)? = lines[2]["status"], case .object(let run)? = lines[2]["run"] else {
            Issue.record("no status or no counts: \(lines[2])")
            return
        }
        #expect(status["schema"] == "gallery-sync/status/1")
        #expect(run["new"] == 1)
        #expect(lines[2]["exit"] == 0)
    }

    @Test func aSyncEndsWithWhatItDidAndQuietlySaysNothingOfASuccess() async throws {
        let household = try Household()
        defer { household.remove() }
        try household.write("a", to: household.home.appending("Pictures/a.jpg"))
        #expect(await household.run(Self.sync + " --quiet") == .success)
        #expect(try household.results.isEmpty && household.notes.isEmpty)
        #expect(await household.run(Self.sync) == .success)
        #expect(try household.results.hasPrefix("This run: nothing to do.\nDestination: this computer."))
    }

    @Test func aCommandThatIsRefusedEndsWithItsReasonAndItsExitCode() async throws {
        let household = try Household()
        defer { household.remove() }
        #expect(await household.run("sync --json") == .configuration)
        let lines = try Self.lines(household)
        #expect(lines.map { $0["event"] } == ["started", "finished"])
        #expect(lines.last?["exit"] == 78)
        #expect(lines.last?["error"]?.string?.hasPrefix("No destination.") == true)
    }
}
