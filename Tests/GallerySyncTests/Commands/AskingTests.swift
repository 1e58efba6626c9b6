import Output
import Platform
import Testing

@testable import CommandLine
@testable import GallerySync

/// A signal at a question.
@Suite struct AskingTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let line: String
        let answers: [String]
        var signal = Signal.interrupt

        init(_ description: String, _ line: String, _ answers: [String] = [], signal: Signal = .interrupt) {
            (testDescription, self.line, self.answers, self.signal) = (description, line, answers, signal)
        }
    }

    @Test(arguments: [
        Row("the first question of init", "init"),
        Row("where to", "init Pictures"),
        Row("the bucket", "init", ["~/Pictures", "https://a.example"]),
        Row("the key", "init", ["~/Pictures", "https://a.example", "b"]),
        Row("the last one", "init", ["~/Pictures", "https://a.example", "b", "key"]),
        Row("the address", "login --set destination.url=https://a.example"),
        Row("the password", "login --email a@b --set destination.url=https://a.example"),
        Row("asked to end", "init", signal: .terminate),
    ])
    func endsTheProgramAndWritesNothing(_ row: Row) async throws {
        var fixture = try CommandFixture(answers: row.answers)
        defer { fixture.remove() }
        fixture.signal = row.signal
        #expect(await fixture.run(row.line) == ExitCode(row.signal))
        let notes = try fixture.notes
        #expect(notes.hasSuffix(" \n") && !notes.contains("gallery-sync:"), "\(notes)")
        #expect(try FileFacts.existing(fixture.home.appending(".config")) == nil)
        #expect(try FileFacts.existing(fixture.home.appending(".local")) == nil)
    }

    @Test func everyWaitingTaskHearsTheSignalAndLaterOnesToo() async {
        let interruption = Interruption()
        // A wait that was given up takes nothing from those that follow.
        let givenUp = Task { await interruption.wait() }
        givenUp.cancel()
        #expect(await givenUp.value == nil)
        async let first = interruption.wait()
        async let second = interruption.wait()
        #expect(interruption.raise(.interrupt))
        #expect(!interruption.raise(.terminate))
        #expect(await first == .interrupt)
        #expect(await second == .interrupt)
        #expect(await interruption.wait() == .interrupt)
    }
}
