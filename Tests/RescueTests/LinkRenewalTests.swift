import Fixtures
import Foundation
import Providers
import Testing

@testable import Queue
@testable import Rescue

/// The file once its link has ended: which other link is asked for, how often, and what is said in the end.
@Suite struct LinkRenewalTests {
    static let now = Jobs.now
    /// Backoff of 10 s and 40 s, then failure.
    static let ladder = RetryLadder(base: .seconds(10), attempts: 3)
    static let dead = DownloadStep.dead(DownloadStep.failure("http.403", "The link is dead: HTTP 403"))
    static let busy = DownloadStep.retry(DownloadStep.failure("http.503", "busy", isRetryable: true))
    static let cut = DownloadStep.retry(DownloadStep.failure("rescue.lost", "cut", isRetryable: true))
    static let away = DownloadStep.missed(DownloadStep.failure("rescue.unreachable", "away", isRetryable: true))
    static let odd = DownloadStep.refused(DownloadStep.failure("http.400", "HTTP 400"))
    static let large = DownloadStep.refused(DownloadStep.failure("rescue.tooLarge", "too large"))
    static let file = Jobs.link(expires: now + 60).files[0]
    static let late = Jobs.link(expires: now - 60).files[0]

    static func after(_ step: DownloadStep, _ file: JobFile, canRenew: Bool = true) -> JobFile {
        file.after(step, at: now, ladder: ladder, random: 0.5, canRenew: canRenew)
    }

    static func after(_ renewal: LinkRenewal, _ file: JobFile) -> JobFile {
        file.after(renewal, at: now, ladder: ladder, polling: PollingPolicy(), random: 0.5)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let step: DownloadStep
        let file: JobFile
        let isAsked: Bool

        init(_ words: String, _ step: DownloadStep, _ file: JobFile, _ isAsked: Bool) {
            (testDescription, self.step, self.file, self.isAsked) = (words, step, file, isAsked)
        }
    }

    @Test(arguments: [
        Row("a refused link", dead, file, true), Row("a refused link whose time is over", dead, late, true),
        Row("400 at the store", odd, file, true), Row("a busy server in time", busy, file, false),
        Row("a busy server after the deadline", busy, late, true), Row("a cut connection in time", cut, file, false),
        Row("a cut connection after the deadline", cut, late, true), Row("no line in time", away, file, false),
        Row("no line after the deadline", away, late, true), Row("a file that is too large", large, late, false),
    ])
    func whetherAnotherLinkIsAskedFor(_ row: Row) {
        let renewable = Self.after(row.step, row.file)
        #expect((renewable.endedLink != nil) == row.isAsked)
        if row.isAsked { #expect(renewable.stage == .waiting && renewable.nextAttemptAt == nil) }
        #expect(Self.after(row.step, row.file, canRenew: false).endedLink == nil)
    }

    @Test func whatCannotBeRenewedIsLostAndSaysWhy() {
        let file = Self.after(Self.cut, Self.late, canRenew: false)
        #expect(file.stage == .failed && file.failure?.code == "rescue.expired")
        #expect(file.failure?.message.hasSuffix("A bare link cannot be renewed.") == true)
    }

    @Test func freshLinksThatAllFailAreLimited() {
        var file = Self.file
        var waits: [Double?] = []
        for number in 1...4 {
            file = Self.after(Self.dead, file)
            guard file.stage != .failed else { break }
            waits.append(file.nextAttemptAt?.timeIntervalSince(Self.now))
            file = Self.after(.named(RemoteMedia("https://cdn.example/a.mp4?sig=\(number)", .video)), file)
            #expect(file.endedLink == nil && file.renewals == number && file.nextAttemptAt == nil)
        }
        #expect(waits == [nil, 10, 40] && file.stage == .failed)
        #expect(file.failure?.message.hasSuffix("It failed with 3 fresh links too.") == true)
    }

    @Test func bytesMakeTheNextEndTheFirst() {
        let file = Jobs.file(Jobs.link()) { $0.renewals = 2 }.files[0]
        #expect(Self.after(.advanced(5, total: 9, validator: nil), file).renewals == nil)
    }

    struct Answer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let renewal: LinkRenewal
        /// Seconds to wait; `nil` where the file is lost.
        let wait: Double?
        let words: String

        init(_ name: String, _ renewal: LinkRenewal, _ wait: Double?, _ words: String) {
            (testDescription, self.renewal, self.wait, self.words) = (name, renewal, wait, words)
        }
    }

    static func error(_ kind: ProviderError.Kind, _ status: Int?, _ isRetryable: Bool) -> LinkRenewal {
        var error = ProviderError(kind, "words", isRetryable: isRetryable)
        error.status = status
        return LinkRenewal(error, by: .runway)
    }

    @Test(arguments: [
        Answer("none", .none("It is gone"), nil, "It is gone."),
        Answer("a refused key", error(.unauthorized, 401, false), 3_600, "GALLERY_SYNC_RUNWAY_KEY"),
        Answer("a refusal of this file", error(.unauthorized, 403, false), 3_600, "refuses the key"),
        Answer("no job of that name", error(.missing, 404, false), 2, "gives no other now"),
        Answer("gone", error(.expired, 410, false), 2, "gives no other now"),
        Answer("a broken server", error(.unavailable, 500, true), 2, "gives no other now"),
        Answer("no line", error(.noAnswer, nil, true), 5, "gives no answer"),
        Answer("too many questions", error(.rateLimited, 429, true), 5, "gives no answer"),
        Answer("a wrong question", error(.refused, 400, false), nil, "runway gives no other: words (HTTP 400)."),
        Answer("a job that has failed", error(.contentFiltered, nil, false), nil, "gives no other"),
    ])
    func whatTheSourceAnswersDecides(_ row: Answer) {
        let file = Self.after(row.renewal, Self.after(Self.dead, Self.file))
        #expect(file.nextAttemptAt?.timeIntervalSince(Self.now) == row.wait)
        #expect((file.stage == .failed) == (row.wait == nil))
        #expect(file.failure?.message.contains(row.words) == true, "\(file.failure?.message ?? "")")
        #expect((file.endedLink == nil) == (row.wait == nil), "the next attempt asks again")
    }

    @Test func aSourceThatIsAwayIsAskedForEverAndOneThatRefusesIsNot() {
        var (away, refused) = (Self.after(Self.dead, Self.file), Self.after(Self.dead, Self.file))
        for _ in 0..<1_000 { away = Self.after(.unheard("away", asked: nil), away) }
        #expect(away.stage == .waiting && away.endedLink != nil)
        var hours = 0.0
        while refused.stage != .failed {
            refused = Self.after(.passing("no", asked: nil, patience: .seconds(6 * 3_600)), refused)
            hours += (refused.nextAttemptAt ?? Self.now).timeIntervalSince(Self.now) / 3_600
        }
        #expect((6.0...8).contains(hours), "\(hours)")
    }

    @Test func anotherLinkHasItsOwnEnd() {
        func refreshed(by link: String) -> JobFile {
            Self.late.refreshed(by: RemoteMedia(link, .video), at: Self.now, PollingPolicy())
        }
        #expect(refreshed(by: "https://cdn.example/a.mp4?sig=2").deadline == nil)
        #expect(refreshed(by: Self.late.link).deadline == Self.late.deadline)
    }

    @Test func anEarlierVersionsFileIsRead() throws {
        let text = String(decoding: try JSONEncoder().encode(Self.file), as: UTF8.self)
        #expect(!text.contains("endedLink") && !text.contains("renewals"))
        #expect(try JSONDecoder().decode(JobFile.self, from: Data(text.utf8)) == Self.file)
    }
}
