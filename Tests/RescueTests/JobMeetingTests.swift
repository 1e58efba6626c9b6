import Fixtures
import Foundation
import Platform
import Providers
import Queue
import TestSupport
import Testing

@testable import Rescue

/// What is known of a job and what is learned meanwhile: neither takes away what the other has.
@Suite struct JobMeetingTests {
    private static let now = Jobs.now
    private static let failure = DownloadStep.failure(.http(503), "busy", isRetryable: true)

    // MARK: A step of a download, and an order that came while it ran

    private static let before = Jobs.file(Jobs.link()) {
        $0.stage = .downloading
        ($0.received, $0.total, $0.size) = (10, 30, 30)
        $0.deadline = Deadline(now + 60)
    }.files[0]

    /// The same file, of which a fresh link was named while its download ran.
    private static let renamed = with(before) {
        $0.link = "https://cdn.example/a.mp4?sig=fresh"
        $0.deadline = Deadline(now + 9_000)
        $0.size = nil
    }

    private static func with(_ file: JobFile, _ change: (inout JobFile) -> Void) -> JobFile {
        var file = file
        change(&file)
        return file
    }

    struct Step: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let next: JobFile
        /// Whether what the step reached counts, beside the fresh link.
        let isKept: Bool

        init(_ fact: String, isKept: Bool, _ change: (inout JobFile) -> Void) {
            (testDescription, self.isKept) = (fact, isKept)
            next = JobMeetingTests.with(JobMeetingTests.before, change)
        }
    }

    @Test(arguments: [
        Step("more bytes", isKept: true) { $0.received = 11 },
        Step("all bytes", isKept: true) { ($0.received, $0.total) = (30, 30) },
        Step("all bytes of a file that had them already", isKept: true) { $0.total = 10 },
        Step("examined", isKept: true) { $0.stage = .probed }, Step("placed", isKept: true) { $0.stage = .safe },
        Step("stored", isKept: true) { $0.stage = .stored },
        Step("a dead link", isKept: false) {
            $0.stage = .failed
            $0.failure = failure
        },
        Step("an attempt that failed", isKept: false) {
            $0.attempts = 3
            $0.failure = failure
            $0.nextAttemptAt = now + 900
        },
        Step("a link that has ended", isKept: false) { $0.endedLink = failure },
        Step("another version of the file", isKept: false) {
            $0.stage = .waiting
            ($0.received, $0.total) = (0, nil)
        },
        Step("nothing", isKept: false) { _ in },
    ])
    func whatWasReachedStaysAndWhatFailedWasTheFormerLinks(_ row: Step) {
        // Where nothing was named meanwhile, the step is all there is to say.
        #expect(row.next.following(Self.before, as: Self.before) == row.next)
        let file = row.next.following(Self.before, as: Self.renamed)
        #expect(file.link == Self.renamed.link && file.deadline == Self.renamed.deadline)
        #expect(file.nextAttemptAt == nil)
        if row.isKept {
            #expect(file.stage == row.next.stage && file.received == row.next.received && file.total == row.next.total)
            // The order knew no size, and the file had one.
            #expect(file.size == 30)
        } else {
            #expect(file == Self.renamed)
        }
    }

    // MARK: Whether a step shows that the link has ended

    private static let silence = Item.Failure(code: .rescue(.unreachable), message: "no answer", retryable: true)
    private static let asked = DownloadStep.failure(.http(400), "The server answered HTTP 400")
    private static let large = DownloadStep.failure(.rescue(.tooLarge), "too large")

    @Test(
        arguments: [
            Fact("a dead link", (DownloadStep.dead(failure), 60.0), true),
            Fact("400, as stores answer where the key ended that signed it", (.refused(asked), 60), true),
            Fact("a refusal of our own", (.refused(large), 60), false),
            Fact("a refusal of our own after its time", (.refused(large), -60), false),
            Fact("a busy server in its time", (.retry(failure), 1), false),
            Fact("at its end", (.retry(failure), 0), true),
            Fact("after it", (.retry(failure, asked: .seconds(9)), -1), true),
            Fact("no answer in its time", (.missed(failure), 1), false),
            Fact("no answer after it", (.missed(silence), 0), true),
            Fact("a full disk after it", (.missed(failure), 0), false),
            Fact("bytes, even after its time", (.advanced(11, total: 30, validator: nil), -60), false),
            Fact("all bytes", (.complete(30, validator: nil), -60), false),
            Fact("other bytes", (.changed("words"), -60), false),
        ] as [Fact<(step: DownloadStep, left: Double), Bool>])
    func aLinkHasEnded(_ fact: Fact<(step: DownloadStep, left: Double), Bool>) {
        let file = Self.with(Self.before) { $0.deadline = Deadline(Self.now + fact.input.left) }
        #expect((file.linkEnd(in: fact.input.step, at: Self.now) != nil) == fact.output)
        // Without a date, and by one that is only usual, a silent server shows nothing for a day.
        let usual = Self.with(Self.before) { $0.deadline = Deadline(Self.now + fact.input.left, isAssumed: true) }
        let isShown = usual.linkEnd(in: fact.input.step, at: Self.now) != nil
        switch fact.input.step {
        case .retry, .missed: #expect(!isShown)
        default: #expect(isShown == fact.output)
        }
    }

    // MARK: A job, and the same one as another source tells it

    private static func told(_ files: [(link: String, size: Int64?)]) -> Job {
        Jobs.with(Jobs.generation()) { job in
            job.files = files.map { file in
                var media = RemoteMedia(file.link, .video)
                media.size = file.size
                return JobFile(media)
            }
        }
    }

    private static let clip = "https://cdn.example/1.mp4"

    @Test func filesThatWereNotKnownAreTakenOver() {
        let cancelled = Jobs.with(Jobs.generation()) { $0.isCancelled = true }
        let job = cancelled.informed(by: Self.told([(Self.clip, 5)]))
        #expect(job.files.map(\.link) == [Self.clip] && job.files[0].size == 5)
        // What the user wants is not the other source's to say.
        #expect(job.isCancelled)
    }

    @Test func ofAJobThatHasEndedNothingIsTakenOver() {
        let ended = Jobs.with(Jobs.generation()) { $0.error = ProviderError(.contentFiltered, "no") }
        #expect(ended.informed(by: Self.told([(Self.clip, 5)])) == ended)
        let open = Jobs.generation()
        #expect(open.informed(by: Self.told([])) == open)
    }

    /// By their addresses without signatures; a size that is known stays.
    @Test func onlySizesAreFilledInOnceThereAreFiles() {
        let job = Self.told([
            (Self.clip + "?sig=1", nil), ("https://cdn.example/2.mp4", 7), ("https://cdn.example/3.mp4", nil),
        ])
        let told = Self.told([
            ("https://cdn.example/2.mp4", 8), (Self.clip + "?sig=2", 5), ("https://cdn.example/4.mp4", 9),
        ])
        let informed = job.informed(by: told)
        #expect(informed.files.map(\.size) == [5, 7, nil])
        #expect(informed.files.map(\.link) == job.files.map(\.link))
    }
}
