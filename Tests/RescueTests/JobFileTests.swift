import Fixtures
import Foundation
import Platform
import Providers
import Testing
import Transfer

@testable import Queue
@testable import Rescue

/// The file after each step of its download.
@Suite struct JobFileTests {
    static let now = Jobs.now
    /// Backoff of 10 s and 40 s, then failure.
    static let ladder = RetryLadder(base: .seconds(10), attempts: 3)
    static let file = Jobs.link().files[0]
    static let busy = DownloadStep.retry(DownloadStep.failure("http.503", "busy", isRetryable: true))
    static let away = DownloadStep.missed(DownloadStep.failure("rescue.unreachable", "no answer", isRetryable: true))

    static func with(_ change: (inout JobFile) -> Void) -> JobFile { Jobs.file(Jobs.link(), change).files[0] }

    static func after(_ step: DownloadStep, _ file: JobFile = file) -> JobFile {
        // 0.5 means no jitter.
        file.after(step, at: now, ladder: ladder, random: 0.5)
    }

    /// The query of a link is a secret.
    @Test func peopleKnowItByWhatItHas() {
        #expect(Self.file.title == "https://cdn.example/a.mp4?…" && Self.file.link.contains("?sig="))
        #expect(Self.with { $0.fileName = "b.mp4" }.title == "b.mp4")
        #expect(Self.with { ($0.fileName, $0.path) = ("b.mp4", "link/c.mp4") }.title == "link/c.mp4")
    }

    @Test func bytesClearWhatWentWrongBefore() {
        let tried = Self.with {
            $0.attempts = 2
            $0.misses = 3
            $0.failure = DownloadStep.failure("a", "b")
            $0.renewals = 2
        }
        let file = Self.after(.advanced(8, total: 20, validator: "\"a\""), tried)
        #expect(file.stage == .downloading && file.received == 8 && file.total == 20 && file.validator == "\"a\"")
        #expect(file.attempts == 0 && file.misses == 0 && file.failure == nil && file.renewals == nil)
        #expect(!file.hasAllBytes && Self.after(.complete(20, validator: nil), file).hasAllBytes)
    }

    @Test(
        arguments: [
            ("answered failures climb the ladder and end", busy, [10, 40, nil], 3),
            (
                "being offline is never one attempt too many", away,
                [5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900], 0
            ),
        ] as [(String, DownloadStep, [Double?], Int)])
    func whatGoesWrongAgainAndAgain(_ row: (why: String, step: DownloadStep, waits: [Double?], attempts: Int)) {
        var file = Self.file
        for wait in row.waits {
            file = Self.after(row.step, file)
            #expect(file.nextAttemptAt?.timeIntervalSince(Self.now) == wait, "\(row.why)")
            #expect(file.stage == (wait == nil ? .failed : .waiting), "\(row.why)")
        }
        #expect(file.attempts == row.attempts, "\(row.why)")
        if file.stage == .failed { #expect(file.failure?.code == "http.503") }
    }

    /// Up to a quarter of the time for which the link works; if its end is not known, as if it were an hour away.
    @Test(
        arguments: [
            (100, nil, 110), (86_400, nil, 990), (86_400, Deadline(now + 864_000), 95_040),
            (3_000, Deadline(now + 3_600), 990), (3_000, Deadline(now - 1, isAssumed: true), 10),
        ] as [(Int, Deadline?, Double)])
    func aServerThatAsksForTimeGetsIt(seconds: Int, deadline: Deadline?, wait: Double) {
        let failure = DownloadStep.failure("http.503", "busy", isRetryable: true)
        let file = Self.after(.retry(failure, asked: .seconds(seconds)), Self.with { $0.deadline = deadline })
        #expect(file.nextAttemptAt == Self.now + wait)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let deadline: Deadline?
        let step: DownloadStep
        /// Backoff in seconds; `nil` where it has failed.
        let wait: Double?

        init(_ words: String, _ deadline: Deadline?, _ step: DownloadStep, _ wait: Double?) {
            (testDescription, self.deadline, self.step, self.wait) = (words, deadline, step, wait)
        }
    }

    @Test(arguments: [
        Row("time enough", Deadline(now + 60), busy, 10),
        Row("no wait passes the deadline", Deadline(now + 8), busy, 4),
        Row("nor of one that is offline", Deadline(now + 4), away, 2),
        Row("a second is the least", Deadline(now + 1), busy, 1),
        Row("at the deadline it is over", Deadline(now), busy, nil),
        Row("offline as well", Deadline(now - 1), away, nil),
        Row("an assumed deadline may be off", Deadline(now - 1, isAssumed: true), busy, 10),
        Row("by a day", Deadline(now - 86_400, isAssumed: true), busy, nil), Row("without one", nil, busy, 10),
    ])
    func theDeadlineDecides(_ row: Row) {
        let file = Self.after(row.step, Self.with { $0.deadline = row.deadline })
        #expect(file.nextAttemptAt?.timeIntervalSince(Self.now) == row.wait)
        #expect((file.stage == .failed) == (row.wait == nil))
        if row.wait == nil { #expect(file.failure?.message.contains("kept until 2026-11-") == true) }
    }

    @Test func aDeadLinkSaysHowLongItLived() {
        let dead = DownloadStep.dead(DownloadStep.failure("http.403", "The link is dead: HTTP 403"))
        let file = Self.after(dead, Self.with { $0.deadline = Deadline(Self.now, isAssumed: true) })
        #expect(file.stage == .failed && file.failure?.code == "rescue.expired")
        #expect(
            file.failure?.message
                == "The link is dead: HTTP 403. It was kept until 2026-11-20T10:00:00Z as a rule. A bare link cannot be renewed."
        )
    }

    /// A host may not have it yet; one that has ended by its own date, or for good, is not asked again.
    @Test(
        arguments: [
            (404, nil, 0, true), (403, nil, 0, true), (401, Deadline(now + 900), 0, true), (410, nil, 0, false),
            (404, Deadline(now), 0, false), (404, nil, 9, false),
        ] as [(Int, Deadline?, Int64, Bool)])
    func aBareLinkThatNeverWorkedIsAskedAgain(status: Int, deadline: Deadline?, received: Int64, isAsked: Bool) {
        var file = Self.with {
            $0.deadline = deadline
            $0.received = received
            if received > 0 { $0.stage = .downloading }
        }
        let step = DownloadStep(HTTPResponse(status: status), for: file, chunk: 100)
        var waits: [Double?] = []
        while file.stage != .failed, waits.count < 9 {
            file = Self.after(step, file)
            waits.append(file.nextAttemptAt?.timeIntervalSince(Self.now))
        }
        #expect(waits == (isAsked ? [2, 8, 32, 50, 50, nil] : [nil]))
        #expect(file.stage == .failed && file.failure?.code == "rescue.expired")
    }

    @Test func whatChangedIsFetchedAnewInOnePiece() {
        let half = Self.with {
            $0.stage = .downloading
            $0.received = 9
            $0.total = 20
            $0.validator = "\"a\""
        }
        let file = Self.after(.changed("words"), half)
        #expect(file.stage == .waiting && file.received == 0 && file.total == nil && file.validator == nil)
        #expect(file.isWhole && file.range(9) == nil && file.rangeHeaders(9).fields.isEmpty && file.offset == 0)
    }

    private static let html = DownloadStep.failure("rescue.notVideo", "HTML", isRetryable: true)

    @Test func bytesThatAreNoMediaAreBelievedWhenTheLadderEnds() {
        var file = Self.with {
            $0.stage = .downloading
            $0.received = 20
        }
        for wait in [10.0, 40, nil] {
            file = file.rejected(Self.html, at: Self.now, ladder: Self.ladder, random: 0.5)
            #expect(file.nextAttemptAt?.timeIntervalSince(Self.now) == wait && file.received == 0)
            guard wait != nil else { break }
            file = Self.after(.complete(20, validator: nil), file)
        }
        #expect(file.stage == .failed && file.failure?.code == Self.html.code)
        #expect(file.failure?.message == "HTML. \"gallery-sync rescue\" tries it once more")
    }

    /// A page in place of a video, or a redirect that is not followed, from a link without an end.
    @Test(arguments: [false, true])
    func whatANetworksOwnPageHidesIsTriedForMoreThanADay(isRedirect: Bool) {
        let astray = DownloadStep.retry(DownloadStep.failure(.rescue(.refused), "http", isRetryable: true))
        var (file, now, waits) = (Self.with { $0.deadline = nil }, Self.now, [Double]())
        while file.stage != .failed, waits.count < 100 {
            if isRedirect {
                file = file.after(astray, at: now, ladder: RetryLadder(), random: 0.5)
            } else {
                file = file.after(.complete(20, validator: nil), at: now, ladder: RetryLadder(), random: 0.5)
                file = file.rejected(Self.html, at: now, ladder: RetryLadder(), random: 0.5)
            }
            guard let next = file.nextAttemptAt else { break }
            waits.append(next.timeIntervalSince(now))
            now = next
        }
        #expect(file.stage == .failed && waits == waits.sorted() && waits.first ?? 9 < 3)
        #expect(now.timeIntervalSince(Self.now) > 86_400, "\(waits)")
    }

    @Test func aFreshLinkIsTriedAtOnceAndTheSameOneInAMoment() {
        let fresh = RemoteMedia(Self.file.link + "&new=1", .video, deadline: Deadline(Self.now + 9))
        let file = Self.file.refreshed(by: fresh, at: Self.now, PollingPolicy())
        #expect(file.link == fresh.url && file.nextAttemptAt == nil && file.renewals == 1)
        #expect(file.deadline == Deadline(Self.now + 9))
        let same = Self.file.refreshed(by: RemoteMedia(Self.file.link, .video), at: Self.now, PollingPolicy())
        #expect(same.nextAttemptAt == Self.now + 2)
    }

    // MARK: Ranges

    @Test(
        arguments: [
            (0, nil, 0, "bytes=0-8388607"), (8 << 20, nil, 0, "bytes=8388608-16777215"),
            (8 << 20, (8 << 20) + 5, 0, "bytes=8388608-8388612"), (8 << 20, nil, 1, "bytes=8388608-12582911"),
            (8 << 20, nil, 5, "bytes=8388608-8650751"), (0, nil, 9, "bytes=0-262143"),
        ] as [(Int64, Int64?, Int, String)])
    func whichBytesAreAskedFor(_ row: (received: Int64, total: Int64?, attempts: Int, range: String)) {
        let file = Self.with {
            $0.received = row.received
            $0.total = row.total
            $0.attempts = row.attempts
            $0.validator = "\"a\""
        }
        #expect(file.rangeHeaders(8 << 20)["range"] == row.range && file.offset == row.received)
        #expect(file.rangeHeaders(8 << 20)["if-range"] == (row.received > 0 ? "\"a\"" : nil))
    }

    // MARK: Rows

    @Test func aRowThatCannotBeToldIsToldLater() {
        var file = Self.with { $0.stage = .stored }
        file.told(.waiting("503"), at: Self.now)
        #expect(file.nextAttemptAt == Self.now + 5 && file.row == .waiting("503"))
        file.told(.written, at: Self.now)
        #expect(file.nextAttemptAt == nil && file.row == .written)
    }
}
