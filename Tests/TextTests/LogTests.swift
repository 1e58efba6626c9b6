import Cleansing
import Foundation
import Synchronization
import TestSupport
import Testing
import Text

/// Lines of the log: which are written, and what a page remembers of them.
@Suite struct LogTests {
    /// The levels of all lines that a log of that level writes.
    @Test(arguments: [
        (LogLevel.error, ["error"]), (.warning, ["error", "warning"]), (.info, ["error", "warning", "info"]),
        (.debug, ["error", "warning", "info", "debug"]), (.trace, ["error", "warning", "info", "debug", "trace"]),
    ])
    func aLevelIncludesThoseBeforeIt(level: LogLevel, written: [String]) {
        let lines = Mutex<[Log.Line]>([])
        let log = Log(level: level) { line in lines.withLock { $0.append(line) } }
        let composed = Shared(0)
        func text(_ words: String) -> String {
            composed.change { $0 += 1 }
            return words
        }
        log.error(text("error"), ["a": "1", "b": "2"])
        log.warning(text("warning"))
        log.info(text("info"))
        log.debug(text("debug"))
        log.trace(text("trace"))
        #expect(lines.withLock { $0.map(\.message) } == written)
        #expect(lines.withLock { $0.map(\.level.rawValue) } == written)
        #expect(composed.value == written.count, "a line that is not written costs nothing")
        #expect(lines.withLock { $0.first?.details } == [Log.Detail("a", "1"), Log.Detail("b", "2")])
    }

    @Test func levelsAreOrderedByDetail() {
        #expect(LogLevel.allCases.shuffled().sorted() == LogLevel.allCases)
        #expect(LogLevel.allCases.allSatisfy { !($0 < $0) })
    }

    private static func line(_ message: String, _ details: [Log.Detail] = []) -> Log.Line {
        Log.Line(at: Date(timeIntervalSince1970: 0), level: .info, message: message, details: details)
    }

    /// How many lines were added, the last number that the page has, and which it gets.
    @Test(
        arguments: [
            Fact("nothing yet", (0, 0), 1..<1), Fact("all of a few", (3, 0), 1..<4), Fact("the rest", (3, 2), 3..<4),
            Fact("nothing new", (3, 3), 4..<4), Fact("more than there are", (3, 9), 4..<4),
            Fact("from before the beginning", (3, -7), 1..<4), Fact("as many as are kept", (500, 0), 1..<501),
            Fact("one more", (501, 0), 2..<502), Fact("many more", (1_200, 0), 701..<1_201),
            Fact("a page that missed some", (1_200, 650), 701..<1_201),
        ] as [Fact<(lines: Int, after: Int), Range<Int>>])
    func aTailRemembersTheNewest(_ fact: Fact<(lines: Int, after: Int), Range<Int>>) {
        let tail = LogTail(cleanser: Cleanser())
        for number in 0..<fact.input.lines { tail.add(Self.line("line \(number + 1)")) }
        let found = tail.lines(after: fact.input.after)
        #expect(found.map(\.number) == Array(fact.output))
        #expect(found.allSatisfy { $0.line.message == "line \($0.number)" })
    }

    /// A page that shows them may be seen by other people.
    @Test func aTailKeepsNoSecretAndNothingThatSteers() throws {
        let tail = LogTail(cleanser: Cleanser(hiding: ["hunter2-hunter2"]))
        let log = Log(level: .trace) { _ in }.copied(to: tail)
        log.info("with hunter2-hunter2 and \u{1B}[31m", ["path": "a\u{202E}gpj", "link": "https://h/x?token=1"])
        let line = try #require(tail.lines(after: 0).first?.line)
        #expect(line.message == "with … and ·[31m")
        #expect(line.details == [Log.Detail("path", "a·gpj"), Log.Detail("link", "https://h/x?…")])
    }

    /// What the log itself leaves out never gets to the page.
    @Test func aCopyGetsWhatTheLogWrites() {
        let written = Mutex<[String]>([])
        let tail = LogTail(cleanser: Cleanser())
        let log = Log(level: .warning) { line in written.withLock { $0.append(line.message) } }.copied(to: tail)
        log.error("one")
        log.info("two")
        log.warning("three")
        #expect(written.withLock { $0 } == ["one", "three"])
        #expect(tail.lines(after: 0).map(\.line.message) == ["one", "three"])
    }
}
