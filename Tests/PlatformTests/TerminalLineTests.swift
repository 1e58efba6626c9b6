import Glibc
import Platform
import TestSupport
import Testing

/// Lines read from a pipe, as from a terminal.
@Suite struct TerminalLineTests {
    /// A pipe that holds `text`; its writing end is closed where `isEnded`.
    private struct Pipe {
        let ends: [Int32]

        init(_ text: String, isEnded: Bool = true) throws {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            let bytes = Array(text.utf8)
            try #require(write(ends[1], bytes, bytes.count) == bytes.count)
            if isEnded { close(ends[1]) }
            self.ends = ends
        }
    }

    @Test(
        arguments: [
            ("nothing", "", []), ("a line", "a\n", ["a"]), ("two", "a\nb\n", ["a", "b"]), ("no end", "a", ["a"]),
            ("an empty one", "\nb", ["", "b"]), ("of another system", "a\r\nb\r\n", ["a", "b"]),
        ] as [(String, String, [String])])
    func lines(_ row: (why: String, text: String, lines: [String])) async throws {
        let pipe = try Pipe(row.text)
        var lines: [String] = []
        while let line = try await Terminal.line(of: pipe.ends[0], isHidden: true) { lines.append(line) }
        close(pipe.ends[0])
        #expect(lines == row.lines, "\(row.why)")
    }

    @Test func aLineThatIsNotWaitedForAnyMoreEnds() async throws {
        let pipe = try Pipe("half", isEnded: false)
        let reading = Task { try await Terminal.line(of: pipe.ends[0]) }
        reading.cancel()
        #expect(try await reading.value == nil)
        pipe.ends.forEach { close($0) }
    }
}
