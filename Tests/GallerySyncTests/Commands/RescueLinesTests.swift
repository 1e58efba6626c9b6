import FoundationEssentials
import Rescue
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

    @Test func nothingIsSaidInOneLine() {
        #expect(RescueLines(listing: RescueListing(), columns: 80, now: Self.now).lines == ["Nothing to rescue."])
    }
}
