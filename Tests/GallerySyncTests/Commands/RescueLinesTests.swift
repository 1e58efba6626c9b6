import FoundationEssentials
import Rescue
import TestSupport
import Testing
import Text

@testable import GallerySync

@Suite struct RescueLinesTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    static func row(
        _ file: String, _ size: Int64?, in seconds: Double?, assumed: Bool = false, fits: Bool? = true,
        _ state: String = "new", note: String? = nil
    ) -> RescueListing.Row {
        var row = RescueListing.Row(job: "fal:1", state: state)
        row.file = file
        row.size = size
        row.expires = seconds.map { now + $0 }
        row.isAssumed = assumed
        row.fits = fits
        row.note = note
        return row
    }

    @Test func aTableOfEightyColumns() {
        let listing = RescueListing(
            rows: [
                Self.row("fal/2026-11/764cabcf.mp4", 12_300_000, in: 3_000),
                Self.row(
                    "storytovideo/2026-11/a-very-long-job-name-that-does-not-fit-into-any-column.mp4", 900, in: 250_000,
                    assumed: true, fits: false),
                Self.row("x.mp4", nil, in: nil, fits: nil, "stored"),
                Self.row("y.mp4", 5, in: -5, "failed", note: "the link has expired, and fal makes no new one"),
            ], notes: ["runway is not configured"])
        let lines = RescueLines(listing: listing, columns: 80, now: Self.now).lines
        #expect(lines.allSatisfy { DisplayText.width($0) <= 80 })
        #expect(
            lines.joined(separator: "\n") == """
                FILE                                              SIZE  EXPIRES     FITS  STATE
                fal/2026-11/764cabcf.mp4                         12 MB  in 50 min   yes   new
                …job-name-that-does-not-fit-into-any-column.mp4  900 B  ~in 2 days  no    new
                x.mp4                                                ?  -           -     stored
                y.mp4                                              5 B  expired     -     failed
                y.mp4: the link has expired, and fal makes no new one
                runway is not configured
                4 files, 12 MB, 1 of unknown size; ~ is the provider's usual time.
                """)
    }

    /// Any server may name any size.
    @Test func sizesMayAddUpToMoreThanThereAreNumbers() {
        let listing = RescueListing(rows: ["a.mp4", "b.mp4"].map { Self.row($0, .max, in: nil) })
        let lines = RescueLines(listing: listing, columns: 80, now: Self.now).lines
        #expect(lines.last == "2 files, \(Quantity.text(bytes: Int64.max)).")
    }

    @Test(
        arguments: [
            ([nil], "1 file, of unknown size."), ([nil, nil], "2 files, of unknown size."),
            ([7, nil], "2 files, 7 B, 1 of unknown size."), ([0], "1 file, 0 B."),
        ] as [([Int64?], String)])
    func unknownSizesAreNotCountedAsNothing(sizes: [Int64?], line: String) {
        let listing = RescueListing(rows: sizes.map { Self.row("a.mp4", $0, in: nil) })
        #expect(RescueLines(listing: listing, columns: 80, now: Self.now).lines.last == line)
    }

    @Test(arguments: [(nil, false), (60, true)] as [(Double?, Bool)])
    func theSignOfAnAssumedTimeIsExplainedWhereItStands(seconds: Double?, isExplained: Bool) {
        let listing = RescueListing(rows: [Self.row("a.mp4", 7, in: seconds, assumed: true)])
        let lines = RescueLines(listing: listing, columns: 80, now: Self.now).lines
        #expect(lines[1].contains("~") == isExplained && lines[2].contains("~") == isExplained, "\(lines)")
    }

    @Test func nothingIsSaidInOneLine() {
        #expect(RescueLines(listing: RescueListing(), columns: 80, now: Self.now).lines == ["Nothing to rescue."])
    }

    /// What follows the name: size, expiry, whether it fits, and state.
    @Test(arguments: [
        Fact("a second is left", row("a.mp4", 1, in: 1), "1 B  in 1 s     yes   new"),
        Fact("half a second is rounded up", row("a.mp4", 1, in: 0.5), "1 B  in 1 s     yes   new"),
        Fact("less is none", row("a.mp4", 1, in: 0.4), "1 B  expired  yes   new"),
        Fact("none", row("a.mp4", 1, in: 0), "1 B  expired  yes   new"),
        Fact("a minute without a second", row("a.mp4", 1, in: 59), "1 B  in 59 s     yes   new"),
        Fact("a minute", row("a.mp4", 1, in: 60), "1 B  in 1 min  yes   new"),
        Fact("an hour without a second", row("a.mp4", 1, in: 3_599), "1 B  in 59 min  yes   new"),
        Fact("an hour", row("a.mp4", 1, in: 3_600), "1 B  in 1 h   yes   new"),
        Fact("two days without a second", row("a.mp4", 1, in: 172_799), "1 B  in 47 h  yes   new"),
        Fact("two days", row("a.mp4", 1, in: 172_800), "1 B  in 2 days  yes   new"),
        Fact("a year", row("a.mp4", 1, in: 31_536_000), "1 B  in 365 days  yes   new"),
        Fact("by the provider's rule", row("a.mp4", 1, in: 60, assumed: true), "1 B  ~in 1 min  yes   new"),
        Fact("over by that rule", row("a.mp4", 1, in: -1, assumed: true), "1 B  ~expired  yes   new"),
        Fact("it does not fit", row("a.mp4", 1, in: nil, fits: false), "1 B  -        no    new"),
        Fact("unknown whether it fits", row("a.mp4", nil, in: nil, fits: nil), "?  -        ?     new"),
        Fact(
            "what is over needs no room", row("a.mp4", 1, in: nil, fits: false, "stored"), "1 B  -        -     stored"),
        Fact("failed", row("a.mp4", 1, in: nil, "failed"), "1 B  -        -     failed"),
        Fact("refused", row("a.mp4", 1, in: nil, "refused"), "1 B  -        -     refused"),
        Fact("cancelled", row("a.mp4", 1, in: nil, "cancelled"), "1 B  -        -     cancelled"),
    ])
    func aFileIsARow(_ row: Fact<RescueListing.Row, String>) {
        let lines = RescueLines(listing: RescueListing(rows: [row.input]), columns: 80, now: Self.now).lines
        let cells = lines[1].split(separator: "  ", omittingEmptySubsequences: true).map {
            $0.trimmingPrefix { $0 == " " }
        }
        let expected = row.output.split(separator: "  ", omittingEmptySubsequences: true).map {
            $0.trimmingPrefix { $0 == " " }
        }
        #expect(cells.first == "a.mp4" && cells.dropFirst().elementsEqual(expected), "\(lines)")
    }

    /// Whatever it is called, no line is wider than the terminal, and none steers it.
    @Test(
        arguments: [
            "a.mp4", String(repeating: "long-", count: 60) + ".mp4", String(repeating: "写真", count: 60) + ".mp4",
            String(repeating: "👨‍👩‍👧", count: 60), "a\u{1B}[2J\u{202E}\n.mp4", "",
        ], [60, 80, 120])
    func aNameIsCutToItsColumns(_ name: String, columns: Int) {
        let rows = [
            Self.row(name, 999_999_999_999, in: 60 * 86_400, assumed: true, fits: false, "cancelled", note: name),
            Self.row("b.mp4", nil, in: nil, fits: nil),
        ]
        let lines = RescueLines(listing: RescueListing(rows: rows, notes: [name]), columns: columns, now: Self.now)
            .lines
        #expect(lines.allSatisfy { DisplayText.width($0) <= columns }, "\(lines)")
        #expect(!lines.joined().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }
}
