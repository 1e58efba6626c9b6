import Fixtures
import Foundation
import Platform
import Providers
import Queue
import Rescue
import Testing
import Text

@testable import Reporting

@Suite struct RescueReportTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// The job of a link whose file has `stage` and expires in `seconds`.
    static func job(
        _ name: String, _ stage: JobFile.Stage = .waiting, in seconds: Double? = nil, size: Int64 = 1_000_000,
        message: String? = nil, query: String = ""
    ) -> Job {
        let link = RescueLink("https://a.example/\(name)\(query)", expires: seconds.map { now + $0 })
        var job = Job(link, addedAt: now)
        job.files[0].stage = stage
        job.files[0].size = size
        job.files[0].failure = message.map { Item.Failure(code: "rescue.expired", message: $0, retryable: false) }
        return job
    }

    static func order(_ jobs: [Job], rate: Double? = nil) throws -> [String] {
        try #require(RescueSummary(jobs, rate: rate, now: now)).files.map { file in
            "\(file.danger.rawValue) \(file.file.split(separator: "/").last ?? "")"
        }
    }

    /// A file whose bytes have all come, or all but some, and whose link has ended since.
    static func whole(_ stage: JobFile.Stage, missing: Int64 = 0) -> Job {
        var job = job("a", stage, in: -1)
        job.files[0].total = 1_000_000
        job.files[0].received = 1_000_000 - missing
        return job
    }

    /// A report names a hundred files, and what is in danger comes first: what is lost is told beside them.
    @Test(arguments: [99, 100, 150])
    func whatIsLostIsToldBesideAnyNumberInDanger(others: Int) throws {
        let jobs = (0..<others).map { Self.job("\($0)", in: 60) } + [Self.job("gone", in: -1)]
        let rescue = try #require(RescueSummary(jobs, now: Self.now))
        #expect(rescue.lost == 1)
        #expect(rescue.files.count == min(others, 100) + 1)
        let last = try #require(rescue.files.last)
        #expect(last.danger == .lost && last.file.hasSuffix("gone"))
    }

    private static let losses: [(what: String, job: Job, rate: Double?, words: String, mark: String)] = [
        ("a file that failed", job("a.mp4", .failed), nil, "1 rescued file was lost", "lost"),
        ("a job that ended without a file", dead, nil, "1 job ended without a file", "failed"),
        ("a link that has expired", job("a.mp4", in: -1), nil, "1 rescued file was lost", "lost"),
        (
            "a link that expires too soon", job("a.mp4", in: 10), 1,
            "1 rescued file will be lost: its link expires before it is fetched", "too late"
        ),
    ]

    @Test func severalThatAreLateAreTheyNotIt() {
        var report = Reports.done
        report.rescue = RescueSummary(
            [Self.job("a.mp4", in: 10), Self.job("b.mp4", in: 11)], rate: 1, now: Self.now)
        #expect(
            report.storedReasons.map(\.clause) == [
                "2 rescued files will be lost: their links expire before they are fetched"
            ])
    }

    private static var dead: Job {
        var job = Job(JobReference(.fal, "1"), addedAt: now)
        job.error = ProviderError(.refused, "The provider refused it.")
        return job
    }

    /// A check, the headline and the page; the notification has a test in GalleryTests.
    @Test(arguments: losses)
    func whatIsLostOrLateCounts(_ row: (what: String, job: Job, rate: Double?, words: String, mark: String)) {
        var report = Reports.done
        #expect(report.storedReasons.isEmpty)
        report.rescue = RescueSummary([row.job], rate: row.rate, now: Self.now)
        #expect(report.storedReasons.map(\.clause) == [row.words], "\(row.what)")
        #expect(report.reasons().contains { $0.clause == row.words }, "\(row.what)")
        #expect(report.headline.contains(row.words), "\(row.what): \(report.headline)")
        #expect(HTMLReport(report).text.contains("<code>\(row.mark)</code>"), "\(row.what)")
    }

    @Test func withoutJobsThereIsNoSection() {
        #expect(RescueSummary([], now: Self.now) == nil)
    }

    @Test func everyFileIsCountedOnce() throws {
        var making = Job(JobReference(.fal, "1"), addedAt: Self.now)
        making.state = .running
        var gone = Self.job("g.mp4")
        gone.isCancelled = true
        let rescue = try #require(
            RescueSummary(
                [
                    making, gone, Self.job("a.mp4"), Self.job("b.mp4", .downloading), Self.job("c.mp4", .probed),
                    Self.job("d.mp4", .safe), Self.job("e.mp4", .stored), Self.job("f.mp4", .failed),
                ], now: Self.now))
        let counts: [Int] = [rescue.running, rescue.open, rescue.safe, rescue.stored, rescue.failed]
        #expect(counts == [1, 3, 1, 1, 1])
        #expect(rescue.files.count == 5)
    }

    @Test(
        arguments: [
            ("the earliest first", [job("a", in: 90_000), job("b", in: 100)], nil, ["soon b", "none a"]),
            ("a day is soon, more is not", [job("a", in: 86_400), job("b", in: 86_401)], nil, ["soon a", "none b"]),
            (
                "what is out of reach comes after what can be saved", [job("a", .failed), job("b", in: 60)], nil,
                ["soon b", "lost a"]
            ),
            ("a link that has expired is lost", [job("a", in: 0), job("b", in: 1)], nil, ["soon b", "lost a"]),
            ("on this disk there is no danger", [job("a", .safe, in: 10)], nil, ["none a"]),
            ("nor where all bytes came before the link ended", [whole(.downloading)], nil, ["none a"]),
            ("nor where they were looked at", [whole(.probed)], nil, ["none a"]),
            ("but where one byte is missing", [whole(.downloading, missing: 1)], nil, ["lost a"]),
            ("nor does the rate matter then", [whole(.probed), job("b", in: 10)], 100_000, ["soon b", "none a"]),
            ("the rate decides: 1 MB in 10 s comes in time", [job("a", in: 10)], 100_000, ["soon a"]),
            ("and in 9 s it does not", [job("a", in: 9)], 100_000, ["late a"]),
            (
                "what expires earlier is fetched earlier", [job("a", in: 15), job("b", in: 10)], 100_000,
                ["late a", "soon b"]
            ),
            ("without a rate nothing is late", [job("a", in: 1)], nil, ["soon a"]),
        ] as [(String, [Job], Double?, [String])])
    func danger(_ row: (why: String, jobs: [Job], rate: Double?, order: [String])) throws {
        #expect(try Self.order(row.jobs, rate: row.rate) == row.order, "\(row.why)")
    }

    static var report: Report {
        var report = Reports.done
        report.createdAt = now
        report.rescue = RescueSummary(
            [
                job("early.mp4", in: 3_000, query: "?secret=1"), job("e.mp4", .stored),
                job("l.mp4", .failed, message: "The link has expired, and no new one is made."),
            ], rate: 1_000_000, now: now)
        return report
    }

    @Test func theTextNamesWhatIsInDangerBeforeEverythingElse() {
        let lines = TextReport(Self.report).lines
        let start = lines.firstIndex { $0.hasPrefix("Rescue") } ?? 0
        #expect(
            lines[start...].prefix(5).joined(separator: "\n") == """
                Rescue: 1 to fetch · 1 stored · 1 lost
                  soon gone  https://a.example/early.mp4?…, 1 MB, expires in 50 min
                  lost       https://a.example/l.mp4, 1 MB
                             The link has expired, and no new one is made.

                """)
        #expect(lines.allSatisfy { DisplayText.width($0) <= 80 })
    }

    @Test func thePageHasTheSectionFirstAndNoSecret() throws {
        let page = HTMLReport(Self.report).text
        let rescue = try #require(page.range(of: "<h2>Rescue"))
        let overview = try #require(page.range(of: "class=\"overview\""))
        #expect(rescue.lowerBound < overview.lowerBound)
        #expect(page.contains("early.mp4"))
        #expect(!page.contains("secret"))
    }

    @Test func redactedItHasNoNames() throws {
        let text = String(decoding: try Self.report.redacted.json(), as: UTF8.self)
        #expect(!text.contains("early") && !text.contains("a.example"))
    }

    /// What a provider says of a key may name a person or a team, and a provider of the user's own has a name, too.
    @Test func redactedItHasNoWordsOfProviders() throws {
        var report = Self.report
        report.rescue?.blocked = [
            "fal refuses the key (Ada's team is over): renew it", "studio permits nothing (no): look at the server",
        ]
        let redacted = report.redacted
        #expect(redacted.rescue?.blocked?.count == 2)
        let json = String(decoding: try redacted.json(), as: UTF8.self)
        for text in [json, HTMLReport(redacted).text, TextReport(redacted).lines.joined(separator: " ")] {
            #expect(!text.contains("Ada") && !text.contains("studio"))
            #expect(text.contains("A provider refuses its key"))
        }
        report.rescue?.blocked = nil
        #expect(report.redacted.rescue?.blocked == nil)
    }
}
