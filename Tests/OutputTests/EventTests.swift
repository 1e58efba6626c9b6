import Catalog
import Fixtures
import Foundation
import Platform
import Queue
import Records
import Supabase
import Sync
import TestSupport
import Testing
import Text
import Uploading

@testable import Gallery
@testable import Narration
@testable import Output

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
            (.batch(Tally(), .milliseconds(1_500)), .batch, ["new": 0, "found": 0, "failed": 0, "seconds": 1.5]),
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
}
