import Configuration
import Foundation
import Queue
import Reporting
import Rescue
import Testing
import Text

@Suite struct TextReportTests {
    @Test func anEmptyProfileSaysWhatToDo() {
        #expect(
            TextReport(Reports.empty).lines.prefix(4) == [
                "Destination: none. Run \"gallery-sync init\" to choose one.", "Agent: not running", "",
                "No destination yet.",
            ])
    }

    @Test func aLocalDestinationIsTheFirstThingSaid() {
        var report = Reports.done
        report.destination = .init(url: nil, bucket: "media", local: true)
        #expect(
            TextReport(report).lines.first
                == "Destination: this computer. Not protected against loss of this disk.")
    }

    @Test(
        arguments: [
            (true, false, "running"), (true, true, "paused"), (false, false, "not running"),
            (false, true, "not running, paused"),
        ])
    func theAgentsLineSaysWhetherOneRuns(_ isRunning: Bool, _ isPaused: Bool, _ words: String) {
        var report = Reports.done
        report.agent = .init(running: isRunning, paused: isPaused)
        #expect(TextReport(report).lines.contains("Agent: \(words)"))
        #expect(HTMLReport(report).text.contains(">\(words.prefix(1).uppercased() + words.dropFirst())<"))
    }

    /// A moment that is known to the minute is not told to the second.
    @Test(arguments: [
        (30.0, "just now"), (89, "just now"), (90, "1 min ago"), (149, "1 min ago"), (3_630, "1 h ago"),
        (0, "just now"), (-29, "just now"), (-100, "in 2 min"),
    ])
    func theOldestIsToldToTheMinute(sinceItsMinute: Double, words: String) {
        var report = Report(createdAt: Reports.now, destination: Reports.destination)
        (report.assets, report.oldestWaiting) = (.init(waiting: 1), Reports.now - sinceItsMinute)
        let line = TextReport(report).lines.first { $0.hasPrefix("  waiting") }
        #expect(line?.hasSuffix("oldest found \(words)") == true, "\(line ?? "")")
    }

    @Test func trouble() {
        let expected = """
            Destination: https://abc.supabase.co, bucket media/laptop
            Agent: paused (offline since 10 min)

            990 of 1,000 files stored, 6 waiting, 4 with problems.

              stored             990   ███████████████████████░  99 %  4.1 GB of 4.2 GB
              waiting              6   oldest found 2 h 4 min ago, next attempt in 2 min
              failed               3
              unreadable           1
              total            1,000

            Queue        6 files, 5 pictures pending · 1 file uploading ·
                         990 files, 990 pictures completed (the newest) · 3 files failed
            Besides      12 ignored · 3 gone · 2 only in storage ·
                         17 stored and left out now · 40 only indexed
            Kinds        900 photos (2.1 GB) · 100 videos (2.1 GB)

            In the way
              No connection: 6 files, 5 pictures wait: Could not resolve abc.supabase.co
                → Check the network, then run "gallery-sync sync"; a running "watch" goes
                  on by itself.

            Roots
              Pictures       941 of 950  /home/ada/Pictures
              Camera           49 of 50  /mnt/camera
                        paused: /mnt/camera is gone

            Needs attention
              3 files: The object exceeded the maximum size
                Pictures/a.mp4 and 2 more
                → Raise the size limit of the bucket or project, then run "gallery-sync
                  reupload --failed".
              1 file: Permission denied
                Pictures/写真/東京タワー.jpg
                → Let this user read the file; it is tried again at the next scan.

            Notes
              · Camera is on a network disk, so it is watched by scanning every hour.
            """
        #expect(TextReport(Reports.troubled).lines.joined(separator: "\n") == expected)
    }

    static let crowded: Report = {
        var report = Reports.troubled
        let long = String(repeating: "とても長い名前", count: 20)
        report.roots = [.init(name: long, path: "/mnt/" + long, total: 99_999_999, stored: 88_888_888, paused: long)]
        report.failures = [
            .init(path: long, code: "x", message: String(repeating: "word ", count: 60), count: 1_234_567)
        ]
        report.notes = [String(repeating: "x", count: 200), "a\u{1B}[2Jb"]
        report.agent.reason = long
        report.destination?.url = "https://" + String(repeating: "a", count: 90) + ".example"
        report.assets = .init(stored: 99_999_999, waiting: 12_345_678, failed: 1_000_000, unreadable: 1)
        report.kinds += [.init(name: "audio", total: 10_000_000, stored: 1, bytes: 999_000_000_000)]
        return report
    }()

    @Test(arguments: [40, 60, 80, 120])
    func noLineIsWiderThanTheTerminal(_ width: Int) {
        for line in TextReport(Self.crowded, width: width).lines {
            #expect(DisplayText.width(line) <= width, "\(line)")
        }
    }

    /// Every section, with names of wide, combining and narrow characters; fewer columns than 40 count as 40.
    @Test(arguments: [1, 20, 40, 41, 50, 63, 79, 80])
    func noSectionIsWiderThanTheTerminal(width: Int) {
        var report = Self.crowded
        let name = String(repeating: "ｶﾞक्षé写", count: 12)
        report.brake = Report.Brake(
            count: 1_234_567, reason: "60 of 500 stored files changed within one hour",
            files: (0..<12).map { "\(name)\($0)" })
        report.rescue = RescueSummary(
            (0..<30).map {
                RescueReportTests.job(name, in: 80_000 + Double($0), size: 1_234_000_000, message: "\(name) \(name)")
            }, rate: 1, now: RescueReportTests.now)
        report.rescue?.blocked = ["\(name) refuses the key: renew it"]
        report.createdAt = RescueReportTests.now
        report.blocked = [.init(reason: "tooLarge", files: 1_000_000, pictures: 2, message: name, path: name)]
        report.failures.append(.init(path: name, code: "directory.unreadable", message: name, count: 12_345_678))
        let lines = TextReport(report, width: width).lines
        for line in lines { #expect(DisplayText.width(line) <= max(40, width), "\(line)") }
        #expect(lines.contains { $0.hasPrefix("Held by the brake") } && lines.contains { $0.hasPrefix("Rescue") })
    }

    @Test func whatNoAgentSendsIsNotUploading() {
        var report = Reports.troubled
        report.agent = .init(running: false)
        let text = TextReport(report).lines.joined(separator: "\n")
        #expect(text.contains("1 file cut off") && !text.contains("uploading"))
    }

    @Test func anEntryThatIsTooLongBreaksBetweenItsWords() {
        let lines = TextReport(Reports.troubled, width: 40).lines
        #expect(lines.contains { $0.hasSuffix("pictures completed") || $0.hasSuffix("pictures") })
        #expect(!lines.contains { $0.hasSuffix(" pict") || $0.hasSuffix("complet") })
    }

    @Test func namesCannotSteerTheTerminal() {
        let text = TextReport(Self.crowded).lines.joined()
        #expect(!text.contains("\u{1B}"))
        #expect(text.contains("a·[2Jb"))
    }

    @Test func coloursChangeNothingButColours() {
        let painted = TextReport(Reports.troubled, paint: Paint(isOn: true)).lines.joined(separator: "\n")
        #expect(painted.contains("\u{1B}[31m"))
        let plain = painted.replacing(/\u{1B}\[[0-9]+m/, with: "")
        #expect(plain == TextReport(Reports.troubled).lines.joined(separator: "\n"))
    }
}
