import Cleansing
import Foundation
import Records
import Supabase
import Sync
import TestSupport
import Testing
import Text

@testable import Catalog
@testable import Gallery
@testable import Narration
@testable import Output

/// The lines of a long command: whatever happens in between, the first and the last are there.
@Suite struct EventStreamTests {
    private struct Trouble: Error {}

    /// What was written, each line's moment left out.
    private static func lines(_ recorded: RecordedStreams) throws -> [[String: JSONValue]] {
        try recorded.resultText.split(separator: "\n").map { line in
            var fields = try JSONDecoder().decode([String: JSONValue].self, from: Data(line.utf8))
            #expect(fields.removeValue(forKey: "at") != nil)
            #expect(fields.removeValue(forKey: "schema") == "gallery-sync/event/1")
            return fields
        }
    }

    @Test(arguments: [ExitCode.success, .someFailed, .terminated])
    func aCommandThatEndsSaysHow(code: ExitCode) async throws {
        let recorded = try RecordedStreams()
        defer { recorded.directory.remove() }
        let stream = EventStream(recorded.console())
        let end = try await stream.framing("sync", telling: { _ in ("never", .usage) }) {
            stream.conclude(with: ["new": 1, "failed": 2])
            stream.tell(Event(name: .batch, fields: ["new": 1]))
            stream.conclude(with: ["new": 3])
            return code
        }
        #expect(end == code)
        #expect(
            try Self.lines(recorded) == [
                ["event": "started", "command": "sync"], ["event": "batch", "new": 1],
                ["event": "finished", "new": 3, "failed": 2, "exit": .integer(Int64(code.rawValue))],
            ])
    }

    @Test func aCommandThatFailsSaysWhyAndFails() async throws {
        let recorded = try RecordedStreams()
        defer { recorded.directory.remove() }
        let stream = EventStream(recorded.console())
        await #expect(throws: Trouble.self) {
            try await stream.framing("watch", telling: { ("\($0 is Trouble)", .disk) }) {
                stream.conclude(with: ["new": 1])
                throw Trouble()
            }
        }
        #expect(
            try Self.lines(recorded) == [
                ["event": "started", "command": "watch"],
                ["event": "finished", "new": 1, "error": "true", "exit": 74],
            ])
    }

    /// Fields of an event never take the place of what every line has.
    @Test func theFrameOfALineIsItsOwn() throws {
        let event = Event(name: .state, fields: ["event": "x", "schema": "y", "at": "z", "more": nil])
        guard case .object(let fields) = event.value(at: Date(timeIntervalSince1970: 0)) else {
            Issue.record("no object")
            return
        }
        #expect(fields["event"] == "state" && fields["schema"] == "gallery-sync/event/1")
        #expect(fields["at"] == "1970-01-01T00:00:00.000Z" && fields.count == 4)
    }

    /// A rate between two moments that are nearly one is beyond all numbers.
    @Test(arguments: [(0.4, 0), (1_250_000.9, 1_250_000), (1e19, 9e18), (.infinity, 0), (.nan, 0), (-5, 0)])
    func aRateIsANumber(rate: Double, told: Double) {
        #expect(Event(Progress(rate: rate)).fields["rate"] == .integer(Int64(told)))
    }

    // MARK: Errors

    /// A message of several lines is one for programs, and cleansed line by line for people.
    @Test(
        arguments: [
            Fact("one line", "No disk", ["gallery-sync: No disk"]),
            Fact("two", "No disk.\nLook at it.", ["gallery-sync: No disk.", "Look at it."]),
            Fact("a blank one", "a\n\nb", ["gallery-sync: a", "", "b"]),
            Fact("a secret", "with token=abc", ["gallery-sync: with token=…"]),
            Fact("an escape sequence", "a\u{1B}[31m", ["gallery-sync: a·[31m"]),
            Fact("nothing", "", ["gallery-sync: "]),
        ])
    func anErrorIsSaid(_ fact: Fact<String, [String]>) throws {
        let (people, programs) = (try RecordedStreams(), try RecordedStreams())
        defer {
            people.directory.remove()
            programs.directory.remove()
        }
        let document = ErrorDocument(.disk, fact.input)
        people.console().complain(fact.input, document, isJSON: false, by: Cleanser())
        programs.console().complain(fact.input, document, isJSON: true, by: Cleanser())
        #expect(try people.noteText == fact.output.map { $0 + "\n" }.joined())
        #expect(try people.resultText + programs.resultText == "")
        let said = try JSONDecoder().decode([String: JSONValue].self, from: Data(try programs.noteText.utf8))
        let message = fact.output.joined(separator: " ").dropFirst("gallery-sync: ".count)
        #expect(said["message"] == .string(String(message)))
        #expect(said["exit"] == 74 && said["schema"] == "gallery-sync/error/1")
        #expect(try programs.noteText.filter { $0 == "\n" }.count == 1)
    }

    /// Every way to end has a code of its own kind, a meaning and a step.
    @Test(arguments: ExitCode.allCases)
    func eachCodeIsExplained(code: ExitCode) {
        #expect(code.meaning.hasSuffix(".") && code.next.hasSuffix("."))
        #expect((0...255).contains(code.rawValue))
    }

    @Test(arguments: [
        (Ending.done, ExitCode.success), (.someFailed(1), .someFailed), (.someUnlisted(1), .someFailed),
        (.someDifferent(1), .someFailed),
        (.someTooLarge(1, "s"), .someFailed), (.held(1), .someFailed), (.temporary("s"), .temporary),
        (.notPermitted("s"), .denied), (.full("s"), .full), (.usage("s"), .usage), (.needsHuman("s"), .configuration),
        (.interrupted(2), .interrupted), (.interrupted(15), .terminated), (.interrupted(1), .terminated),
    ])
    func anEndingHasItsCode(_ ending: Ending, _ code: ExitCode) { #expect(ExitCode(ending) == code) }
}
