import FoundationEssentials
import Sync
import Testing
import Text

@testable import Output

@Suite struct ProgressLinesTests {
    static let now = Date(timeIntervalSince1970: 1000)

    static let busy = Progress(
        counts: [
            .init(.scan, done: 12_345), .init(.identify, done: 1000, of: 1000),
            .init(.thumbnail, done: 640, of: 1000, failed: 2), .init(.upload, done: 500, of: 1000, failed: 3),
            .init(.record, done: 490, of: 1000),
        ],
        bytesDone: 1_200_000_000, bytesTotal: 4_500_000_000, rate: 12_000_000,
        current: [
            .init(path: "Pictures/2026/IMG_1234.jpg", step: .upload, done: 1_440_000, size: 3_200_000),
            .init(path: "Pictures/2026/夏休みの思い出・京都と奈良の旅行写真_とても長い名前のファイル.jpg", step: .upload, done: 0, size: 900),
            .init(path: "clip.mp4", step: .thumbnail, done: 5, size: 5),
        ], retriesWaiting: 2, nextAttempt: now + 7.2)

    static func text(_ progress: Progress, width: Int) -> String {
        ProgressLines(progress: progress, now: now).lines(width: width).joined(separator: "\n")
    }

    @Test func onAnOrdinaryTerminal() {
        let expected = """
            Found       ························  12,345
            Read        ████████████████████████  1,000 of 1,000
            Thumbnails  ███████████████░░░░░░░░░  640 of 1,000  2 failed
            Uploaded    ████████████░░░░░░░░░░░░  500 of 1,000  3 failed
            Verified    ███████████░░░░░░░░░░░░░  490 of 1,000
            1.2 GB of 4.5 GB, 12 MB/s, 4 min 35 s left
            2 wait for another attempt (next in 8 s)
              ↑ Pictures/2026/IMG_1234.jpg                                    45 %   3.2 MB
              ↑ …の思い出・京都と奈良の旅行写真_とても長い名前のファイル.jpg   0 %    900 B
              · clip.mp4                                                     100 %      5 B
            """
        #expect(Self.text(Self.busy, width: 80) == expected)
    }

    /// A link may lead to a file of any size.
    @Test(arguments: [
        (Int64(5_000_000), Int64(0), "  ↓ a.mp4              5 MB"),
        (5_000_000, 20_000_000, "  ↓ a.mp4     25 %    20 MB"),
        (0, 0, "  ↓ a.mp4    100 %      0 B"),
    ])
    func aFileOfUnknownSizeShowsWhatHasCome(_ done: Int64, _ size: Int64, _ line: String) {
        let progress = Progress(current: [.init(path: "a.mp4", step: .download, done: done, size: size)])
        #expect(Self.text(progress, width: 27).split(separator: "\n").last.map(String.init) == line)
    }

    @Test func onANarrowTerminalTheBarsGo() {
        let expected = """
            Found       12,345
            Read        1,000 of 1,000
            Thumbnails  640 of 1,000  2 failed
            Uploaded    500 of 1,000  3 failed
            Verified    490 of 1,000
            1.2 GB of 4.5 GB, 12 MB/s, 4 min 35 s …
            2 wait for another attempt (next in 8 …
              ↑ Pictures/2026/IMG_1…  45 %   3.2 MB
            """
        let text = Self.text(Self.busy, width: 39)
        #expect(text.split(separator: "\n").prefix(7) == expected.split(separator: "\n").prefix(7))
        #expect(text.contains("  ↑ …s/2026/IMG_1234.jpg  45 %   3.2 MB"))
    }

    @Test(arguments: [1, 20, 21, 33, 34, 46, 60, 79, 80, 81, 120, 300])
    func noLineIsWiderThanTheTerminal(_ width: Int) {
        for line in ProgressLines(progress: Self.crowded, now: Self.now).lines(width: width) {
            #expect(DisplayText.width(line) <= max(20, width), "\(line)")
        }
    }

    static let crowded: Progress = {
        var progress = busy
        progress.counts = Progress.Step.allCases.map { .init($0, done: 99_999_999, of: 100_000_000, failed: 1_234_567) }
        progress.current += (0..<20).map {
            .init(path: "写\u{1B}[2J真/\($0)", step: .download, done: 7, size: .max)
        }
        progress.note = String(repeating: "オフライン", count: 30)
        progress.bytesTotal = .max
        return progress
    }()

    @Test func moreFilesThanFitAreCounted() {
        let lines = ProgressLines(progress: Self.crowded, now: Self.now).lines(width: 80)
        #expect(lines.last == "  and 17 more")
        #expect(!lines.joined().contains("\u{1B}"))
    }

    @Test(
        arguments: [
            ("nothing known yet", Progress(), ["0 B of 0 B"]),
            ("no rate yet", Progress(bytesTotal: 1000), ["0 B of 1 kB"]),
            (
                "all done is a full bar",
                Progress(counts: [.init(.upload, done: 3, of: 3)], bytesDone: 9, bytesTotal: 9),
                ["Uploaded    ████████████████████████  3 of 3", "9 B of 9 B"]
            ),
            (
                "almost done is not", Progress(counts: [.init(.upload, done: 999, of: 1000)]),
                ["Uploaded    ███████████████████████░  999 of 1,000", "0 B of 0 B"]
            ),
            (
                "a comparison of listings moves no bytes", Progress(counts: [.init(.record, done: 5, of: 10)]),
                ["Verified    ████████████░░░░░░░░░░░░  5 of 10"]
            ),
            (
                "nothing to do", Progress(counts: [.init(.upload, done: 0, of: 0)]),
                ["Uploaded    ························  0 of 0", "0 B of 0 B"]
            ),
            ("one waits", Progress(retriesWaiting: 1), ["0 B of 0 B", "1 waits for another attempt"]),
            (
                "due already", Progress(retriesWaiting: 1, nextAttempt: now - 5),
                ["0 B of 0 B", "1 waits for another attempt (next now)"]
            ),
            ("offline", Progress(note: "offline"), ["0 B of 0 B", "offline"]),
            (
                "offline and waiting", Progress(retriesWaiting: 2, note: "offline"),
                ["0 B of 0 B", "offline, 2 wait for another attempt"]
            ),
        ] as [(String, Progress, [String])])
    func smallCases(_ row: (why: String, progress: Progress, lines: [String])) {
        #expect(ProgressLines(progress: row.progress, now: Self.now).lines(width: 80) == row.lines, "\(row.why)")
    }

    @Test func onOneLine() {
        #expect(
            ProgressLines(progress: Self.busy, now: Self.now).summary
                == "found 12,345, read 1,000 of 1,000, thumbnails 640 of 1,000 (2 failed), "
                + "uploaded 500 of 1,000 (3 failed), verified 490 of 1,000, 1.2 GB of 4.5 GB, 12 MB/s, "
                + "4 min 35 s left, 2 wait for another attempt (next in 8 s)")
    }

    @Test func coloursChangeNothingButColours() {
        let painted = ProgressLines(progress: Self.busy, now: Self.now, paint: Paint(isOn: true)).lines(width: 80)
        let plain = painted.joined(separator: "\n").replacing(/\u{1B}\[[0-9]+m/, with: "")
        #expect(plain == Self.text(Self.busy, width: 80))
        #expect(painted.joined().contains("\u{1B}[32m"))
    }
}
