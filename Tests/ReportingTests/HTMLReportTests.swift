import Foundation
import Platform
import Testing

@testable import Reporting

@Suite struct HTMLReportTests {
    static func recent(_ count: Int, path: String = "Pictures/a.jpg") -> [Report.Recent] {
        (0..<count).map { index in
            Report.Recent(
                path: path, size: 1000, storedAt: Reports.now - Double(index), kind: "photo",
                thumbnail: Data([0xFF, 0xD8, UInt8(index % 256)]))
        }
    }

    static func count(_ needle: String, in text: String) -> Int { text.components(separatedBy: needle).count - 1 }

    /// Bars of the chart of bytes over time.
    static func bars(_ html: String) -> Int { count("rx=\"2\"", in: html) }

    /// Otherwise Chromium refuses the style sheet.
    @Test func thePolicyAllowsExactlyTheStyleSheet() throws {
        let html = HTMLReport(Reports.troubled).text
        let style = try #require(html.firstMatch(of: /<style>((?s:.*?))<\/style>/)?.1)
        let digest = Data(SHA256.hash(style.utf8)).base64EncodedString()
        #expect(html.contains("style-src 'sha256-\(digest)'"))
    }

    @Test func theBarShowsWhatIsStoredAndWhatWentWrong() {
        let html = HTMLReport(Reports.troubled).text
        for outcome in ["Stored: 990", "Failed: 3", "Unreadable: 1"] {
            #expect(html.contains("<title>\(outcome)</title>"))
        }
        #expect(!HTMLReport(Reports.done).text.contains("<title>Failed"))
    }

    @Test(arguments: [
        (1, 0, "1 file"), (2, 0, "2 files"), (0, 1, "1 folder"), (0, 2, "2 folders"), (1, 1, "1 file, 1 folder"),
        (1_234, 5, "1,234 files, 5 folders"),
    ])
    func filesAndFoldersAreCountedApart(files: Int, folders: Int, words: String) {
        var report = Reports.done
        report.failures = [
            .init(path: "a", code: "x", message: "no", count: files),
            .init(path: "b", code: "directory.unreadable", message: "no", count: folders),
        ].filter { $0.count > 0 }
        #expect(HTMLReport(report).text.contains("Needs attention<span class=\"aside\">\(words)</span>"))
    }

    @Test(arguments: [(1, ">1 file<"), (2, ">2 files<"), (1_234, ">1,234 files<")])
    func heldFilesAreCounted(count: Int, words: String) {
        var report = Reports.done
        report.brake = Report.Brake(count: count, reason: "60 of 500 changed", files: [])
        #expect(HTMLReport(report).text.contains(words))
    }

    @Test func thePageNeedsNothingElse() {
        var report = Reports.troubled
        report.recent = Self.recent(3)
        report.destination?.url = nil
        let html = HTMLReport(report).text
        for outside in ["http:", "https:", "<script", "<link", "@import", "url(", "<iframe", "<form"] {
            #expect(!html.contains(outside), "\(outside)")
        }
        #expect(html.contains("default-src 'none'"))
        #expect(!html.contains(" style="))
    }

    @Test(
        "the newest pictures are in the page, more of them beside it, and none without a place beside it",
        arguments: [(0, 0, 0), (1, 1, 0), (50, 50, 0), (51, 50, 1), (200, 50, 150), (500, 50, 150)])
    func pictures(given: Int, inside: Int, beside: Int) {
        var report = Reports.done
        report.recent = Self.recent(given)
        let page = HTMLReport(report, folder: "my report-pictures")
        #expect(Self.count("data:image/jpeg;base64,", in: page.text) == inside)
        #expect(Self.count("src=\"my%20report-pictures/", in: page.text) == beside)
        #expect(page.pictures.count == beside)
        for picture in page.pictures { #expect(page.text.contains("src=\"my%20report-pictures/\(picture.name)\"")) }
        let alone = HTMLReport(report)
        #expect(Self.count("<figure>", in: alone.text) == min(given, 50))
        #expect(alone.pictures.isEmpty)
    }

    @Test func whatWaitsIsTheEmptyRestOfTheBar() {
        var report = Reports.done
        report.assets = .init(waiting: 40)
        #expect(!HTMLReport(report).text.contains("<rect class=\"waiting\""))
    }

    /// Every text from outside, one field at a time.
    @Test(
        arguments: [
            ("a file's name", \Report.recent[0].path), ("a failure's path", \.failures[0].path),
            ("its code", \.failures[0].code), ("its message", \.failures[0].message),
            ("the next step", \.failures[0].next),
            ("a root's name", \.roots[0].name), ("a root's path", \.roots[0].path), ("a note", \.notes[0]),
            ("the profile", \.profile), ("what is in the way", \.blocked[0].title),
            ("what was said of it", \.blocked[0].message), ("one file of it", \.blocked[0].path),
            ("a kind", \.kinds[0].name),
        ] as [(String, any WritableKeyPath<Report, String> & Sendable)])
    func nothingFromOutsideIsMarkup(_ field: (name: String, path: any WritableKeyPath<Report, String> & Sendable)) {
        var report = Reports.troubled
        report[keyPath: field.path] = "<img src=x onerror='alert(1)'>\"&\u{202E}\u{1B}"
        let html = HTMLReport(report).text
        #expect(!html.contains("<img src=x"), "\(field.name)")
        #expect(html.contains("&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&quot;&amp;··"), "\(field.name)")
    }

    @Test func reasonsFromOutsideAreNoMarkupEither() {
        var report = Reports.troubled
        report.agent.reason = "<b>"
        report.roots[1].paused = "<i onclick>"
        report.destination?.url = "https://a.example/<u>"
        let html = HTMLReport(report).text
        for tag in ["<b>offline", "<i onclick>", "<u>", "Paused: <b>"] { #expect(!html.contains(tag)) }
    }

    @Test func everyCountAndCauseIsOnThePage() {
        let html = HTMLReport(Reports.troubled).text
        for text in [
            "990 of 1,000 files stored", "99<small>%", "4.1 GB of 4.2 GB", "storage.EntityTooLarge", "and 2 more",
            "Raise the size limit of the bucket", "東京タワー.jpg", "941 of 950", "Paused: /mnt/camera is gone",
            "Paused: offline since 10 min", "oldest <time", "watched by scanning",
        ] {
            #expect(html.contains(text), "\(text)")
        }
    }

    @Test func aLocalDestinationIsABanner() {
        var report = Reports.done
        report.destination = .init(url: nil, bucket: "media", local: true)
        #expect(HTMLReport(report).text.contains("<b>Destination: this computer.</b> Not protected against loss"))
    }

    @Test func anEmptyPageSaysWhatToDoAndShowsNoZeros() {
        let html = HTMLReport(Reports.empty).text
        #expect(html.contains("gallery-sync init"))
        #expect(!html.contains("class=\"tiles\""))
        #expect(!html.contains("<svg"))
    }

    @Test(
        arguments: [
            ("a picture that could not be made", "Pictures/a.heic", nil, ["class=\"blank\">HEIC<"]),
            ("a name without an extension", "Pictures/a", nil, ["class=\"blank\">FILE<"]),
            ("a short video", "Pictures/a.mp4", 65.4, ["class=\"length\">1:05<"]),
            ("a long video", "Pictures/a.mp4", 3723, ["class=\"length\">1:02:03<"]),
        ] as [(String, String, Double?, [String])])
    func frames(_ row: (why: String, path: String, duration: Double?, parts: [String])) {
        var report = Reports.done
        report.recent = [
            .init(path: row.path, size: 1, storedAt: Reports.now, kind: "video", duration: row.duration)
        ]
        let html = HTMLReport(report).text
        for part in row.parts { #expect(html.contains(part), "\(row.why)") }
    }

    @Test func theChartHasABarForEverySpanWithBytes() {
        var report = Reports.done
        report.history = [0, 1, 2, 5].map {
            .init(start: Reports.now + Double($0) * 86400, bytes: $0 == 1 ? 0 : 1_400_000, objects: 3)
        }
        let html = HTMLReport(report).text
        #expect(Self.bars(html) == 3)
        #expect(html.contains("2026-11-25 10:00 UTC: 1.4 MB, 3 objects"))
        #expect(html.contains(">1.5 MB</text>"))
        #expect(html.contains(">25 Nov</text>"))
    }

    @Test(
        arguments: [
            ("no spans, no chart", [], 0, 0), ("without bytes there is no chart", [(0, 0)], 0, 0),
            ("nor with many spans without bytes", (0..<100).map { (Double($0 * 3600), 0) }, 0, 0),
            ("one span is a chart", [(0, 1)], 1, 1),
            ("60 are all there", (0..<60).map { (Double($0 * 3600), 10) }, 60, 1),
            ("of 61 the newest 60", (0..<61).map { (Double($0 * 3600), 10) }, 60, 1),
            ("of 100 the newest 60", (0..<100).map { (Double($0 * 3600), 10) }, 60, 1),
            ("spans far apart do not make a huge page", [(0, 5), (1, 5), (1_000_000_000, 5)], 3, 1),
        ] as [(String, [(Double, Int64)], Int, Int)])
    func theChartIsAsLargeAsItsSpans(
        _ row: (why: String, spans: [(start: Double, bytes: Int64)], bars: Int, charts: Int)
    ) {
        var report = Reports.done
        report.history = row.spans.map { .init(start: Reports.now + $0.start, bytes: $0.bytes, objects: 1) }
        let html = HTMLReport(report).text
        #expect(Self.bars(html) == row.bars, "\(row.why)")
        #expect(Self.count("class=\"chart\"", in: html) == row.charts, "\(row.why)")
        #expect(html.utf8.count < 100_000, "\(row.why)")
    }
}
