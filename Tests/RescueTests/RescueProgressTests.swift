import Fixtures
import Foundation
import Platform
import Providers
import Sync
import Testing

@testable import Queue
@testable import Rescue

/// What a progress shows while files come from elsewhere.
@Suite struct RescueProgressTests {
    private static let sync = Progress(
        counts: [.init(.scan, done: 3)], bytesDone: 5, bytesTotal: 9,
        current: [.init(path: "a.jpg", step: .upload, done: 2, size: 4)], retriesWaiting: 1, nextAttempt: Jobs.now + 9)

    private static func job(_ name: String, _ change: (inout JobFile) -> Void = { _ in }) -> Job {
        Jobs.file(Jobs.link(name), change)
    }

    private static func place(_ job: Job) -> JobPlace { JobPlace(job.id, 0) }

    @Test func withoutARescueItStaysAsItIs() {
        let old = Self.job("a") { $0.stage = .stored }
        var cancelled = Self.job("b")
        cancelled.isCancelled = true
        for jobs in [[], [old], [cancelled]] {
            #expect(RescueProgress(jobs: jobs, heard: [:], arrived: []).added(to: Self.sync) == Self.sync)
        }
    }

    @Test func whatComesIsShownBeforeWhatIsSent() {
        let known = Self.job("a") { ($0.stage, $0.received, $0.total, $0.fileName) = (.downloading, 10, 40, "a.mp4") }
        let (unknown, done) = (Self.job("b"), Self.job("c") { $0.stage = .safe })
        let lost = Self.job("d") { $0.stage = .failed }
        let shown = RescueProgress(
            jobs: [known, unknown, done, lost, Self.job("e")],
            heard: [Self.place(known): 7, Self.place(unknown): 5], arrived: [Self.place(done), Self.place(lost)]
        ).added(to: Self.sync)
        #expect(shown.counts == [.init(.download, done: 1, of: 5, failed: 1)] + Self.sync.counts)
        #expect(
            shown.current == [
                .init(path: "a.mp4", step: .download, done: 17, size: 40),
                .init(path: "https://cdn.example/b.mp4?…", step: .download, done: 5, size: 0),
            ] + Self.sync.current)
        #expect(shown.bytesDone == 5 && shown.bytesTotal == 9 && shown.note == nil)
        #expect(shown.retriesWaiting == 1 && shown.nextAttempt == Jobs.now + 9)
    }

    /// A link that answers 404 is tried for minutes.
    @Test func whatWaitsIsToldWithItsReason() {
        let dead = Self.job("a") {
            $0.nextAttemptAt = Jobs.now + 4
            $0.failure = DownloadStep.failure("http.404", "HTTP 404", isRetryable: true)
        }
        let rescue = RescueProgress(jobs: [dead], heard: [:], arrived: [])
        let shown = rescue.added(to: Self.sync)
        #expect(shown.retriesWaiting == 2 && shown.nextAttempt == Jobs.now + 4)
        #expect(shown.note == "https://cdn.example/a.mp4?…: HTTP 404")
        var paused = Self.sync
        paused.note = "offline"
        #expect(rescue.added(to: paused).note == "offline")
    }
}
