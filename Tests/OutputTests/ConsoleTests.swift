import FoundationEssentials
import Platform
import Sync
import TestSupport
import Testing
import Text

@testable import Output

extension RecordedStreams {
    func console(isLive: Bool = false) -> Console {
        Console(results: results, notes: notes, capabilities: .init(isLive: isLive))
    }
}

@Suite struct ConsoleTests {
    @Test func resultsAndNotesGoToTheirStreams() throws {
        let recorded = try RecordedStreams()
        defer { recorded.directory.remove() }
        let console = recorded.console()
        try console.result(["a", "b"])
        console.note("c")
        console.ask("d? ")
        #expect(try recorded.resultText == "a\nb\n")
        #expect(try recorded.noteText == "c\nd? ")
    }

    /// A terminal breaks a long line anywhere; a file keeps it for programs.
    @Test(arguments: [
        ("no agent runs here", 10, "no agent\nruns here\n"), ("no agent runs here", nil, "no agent runs here\n"),
        ("see http://127.0.0.1/ now", 10, "see\nhttp://127.0.0.1/\nnow\n"), ("short", 10, "short\n"),
        (#"{"exit":2, "message":"no"}"#, 10, "{\"exit\":2, \"message\":\"no\"}\n"),
        ("\u{1B}[31mwarning:\u{1B}[0m no room", 15, "\u{1B}[31mwarning:\u{1B}[0m\nno room\n"),
    ])
    func aNoteIsBrokenAtSpacesOnATerminal(line: String, columns: Int?, text: String) throws {
        let recorded = try RecordedStreams()
        defer { recorded.directory.remove() }
        let console = Console(results: recorded.results, notes: recorded.notes, capabilities: .init()) {
            $0 == .notes ? columns : 99
        }
        console.note(line)
        #expect(try recorded.noteText == text)
    }

    /// A table would lose its form, and a program takes lines as they are.
    @Test(arguments: [
        ("Proven: all came back", 0, 12, "Proven: all\ncame back\n"),
        ("Made       no files yet", 11, 20, "Made       no files\n           yet\n"),
        ("Proven: all came back", 0, nil, "Proven: all came back\n"),
    ])
    func proseIsBrokenAtSpacesOnATerminalBesideItsLabels(
        line: String, indentation: Int, columns: Int?, text: String
    ) throws {
        let recorded = try RecordedStreams()
        defer { recorded.directory.remove() }
        let console = Console(results: recorded.results, notes: recorded.notes, capabilities: .init()) {
            $0 == .results ? columns : nil
        }
        try console.result(prose: [line], indentation: indentation)
        #expect(try recorded.resultText == text)
    }

    @Test(arguments: [
        (["a", "b"], 3, "a\u{1B}[K\nb\u{1B}[K\n"), (["a", "b", "c"], 3, "a\u{1B}[K\n… 2 more lines\u{1B}[K\n"),
        ([], 3, ""), (["a"], 2, "a\u{1B}[K\n"), (["a", "b"], 2, "… 2 more lines\u{1B}[K\n"),
        (["a"], 1, "a\u{1B}[K\n"), (["a", "b"], 1, "… 2 more lines\u{1B}[K\n"), (["a"], 0, "a\u{1B}[K\n"),
        (["a", "b", "c", "d"], 4, "a\u{1B}[K\nb\u{1B}[K\n… 2 more lines\u{1B}[K\n"),
    ])
    func aScreenHoldsWhatFits(_ lines: [String], rows: Int, text: String) {
        #expect(LiveDisplay.screen(lines, rows: rows) == "\u{1B}[H" + text + "\u{1B}[J")
    }

    @Test func aLiveDisplayIsRedrawnInPlace() throws {
        let recorded = try RecordedStreams()
        defer { recorded.directory.remove() }
        let console = recorded.console(isLive: true)
        console.show(["1", "2"])
        console.show(["1", "2"])
        console.show(["3"])
        console.show([])
        let expected =
            "\u{1B}[?7l1\n2\n\u{1B}[?7h" + "\u{1B}[2A\r\u{1B}[J" + "\u{1B}[?7l3\n\u{1B}[?7h" + "\u{1B}[1A\r\u{1B}[J"
        #expect(try recorded.noteText == expected)
    }

    @Test func aLiveDisplayStepsAsideForLines() throws {
        let recorded = try RecordedStreams()
        defer { recorded.directory.remove() }
        let console = recorded.console(isLive: true)
        console.show(["live"])
        console.note("line")
        let drawn = "\u{1B}[?7llive\n\u{1B}[?7h"
        #expect(try recorded.noteText == drawn + "\u{1B}[1A\r\u{1B}[J" + "line\n" + drawn)
    }

    @Test(
        arguments: [
            ("a terminal", ColourChoice.auto, ["TERM": "xterm"], true, true, (true, true, true)),
            ("pipes", .auto, ["TERM": "xterm"], false, false, (false, false, false)),
            ("only results in a pipe", .auto, ["TERM": "xterm"], false, true, (false, true, true)),
            ("a dumb terminal", .auto, ["TERM": "dumb"], true, true, (false, false, false)),
            ("no terminal named", .auto, [:], true, true, (false, false, false)),
            ("colours unwanted", .auto, ["TERM": "xterm", "NO_COLOR": "1"], true, true, (false, false, true)),
            (
                "NO_COLOR empty does not count", .auto, ["TERM": "xterm", "NO_COLOR": ""], true, true,
                (true, true, true)
            ),
            ("always beats NO_COLOR and pipes", .always, ["NO_COLOR": "1"], false, false, (true, true, false)),
            ("never", .never, ["TERM": "xterm"], true, true, (false, false, true)),
        ] as [(String, ColourChoice, [String: String], Bool, Bool, (Bool, Bool, Bool))])
    func capabilities(
        _ row: (
            why: String, choice: ColourChoice, environment: [String: String], results: Bool, notes: Bool,
            expected: (Bool, Bool, Bool)
        )
    ) {
        let found = Console.Capabilities(
            row.choice, environment: row.environment, resultsAreTerminal: row.results, notesAreTerminal: row.notes)
        #expect(found.hasResultColours == row.expected.0, "\(row.why)")
        #expect(found.hasNoteColours == row.expected.1, "\(row.why)")
        #expect(found.isLive == row.expected.2, "\(row.why)")
    }

    @Test func withoutATerminalALineAnInterval() throws {
        let recorded = try RecordedStreams()
        defer { recorded.directory.remove() }
        var display = ProgressDisplay(recorded.console(), interval: .seconds(30)) { 80 }
        // In the end the clock is corrected by a little, then set back.
        for second in [0, 1, 29, 30, 31, 60, 10, -100_000] as [Double] {
            display.show(Progress(bytesDone: Int64(abs(second))), at: Date(timeIntervalSince1970: second))
        }
        display.end()
        #expect(try recorded.noteText == "0 B of 0 B\n30 B of 0 B\n60 B of 0 B\n100 kB of 0 B\n")
    }

    @Test func withoutATerminalZerosAreNoLine() throws {
        let recorded = try RecordedStreams()
        defer { recorded.directory.remove() }
        var display = ProgressDisplay(recorded.console(), interval: .seconds(30)) { 80 }
        display.show(Progress(counts: [.init(.upload, done: 0, of: 0)]), at: Date(timeIntervalSince1970: 0))
        display.show(Progress(counts: [.init(.upload, done: 1, of: 2)]), at: Date(timeIntervalSince1970: 1))
        #expect(try recorded.noteText == "uploaded 1 of 2, 0 B of 0 B\n")
    }

    @Test func onATerminalEveryFrameFits() throws {
        let recorded = try RecordedStreams()
        defer { recorded.directory.remove() }
        var display = ProgressDisplay(recorded.console(isLive: true)) { 60 }
        display.show(ProgressLinesTests.busy, at: ProgressLinesTests.now)
        let plain = try recorded.noteText.replacing(/\u{1B}\[\?7[lh]/, with: "")
        #expect(plain.split(separator: "\n").allSatisfy { DisplayText.width($0) <= 59 })
    }
}
