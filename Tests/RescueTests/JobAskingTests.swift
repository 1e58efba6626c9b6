import Fixtures
import Foundation
import Providers
import Testing

@testable import Rescue

/// The job after each answer of its provider.
@Suite struct JobAskingTests {
    static let now = Jobs.now
    static let policy = PollingPolicy()
    static let video = RemoteMedia("https://cdn.example/a.mp4?sig=1", .video)

    static func after(_ answer: Result<JobStatus, ProviderError>, _ job: Job = Jobs.generation(), at now: Date = now)
        -> Job
    {
        job.after(answer, policy: policy, at: now, random: 0.5)
    }

    @Test func aRunningJobIsAskedAboutAgain() {
        let job = Self.after(.success(JobStatus(.running)))
        #expect(job.state == .running && job.asked == 1 && job.startedAskingAt == Self.now)
        #expect(job.nextQuestionAt == Self.now + 2 && !job.isSettled)
    }

    @Test func aFinishedJobHasItsFilesEachOnce() {
        var status = JobStatus(
            .succeeded,
            files: [
                Self.video, RemoteMedia("https://cdn.example/a.mp4?sig=2", .video),
                .init("https://cdn.example/b.png", .image),
            ])
        status.createdAt = Self.now - 60
        let job = Self.after(.success(status))
        #expect(job.files.map(\.identity) == ["https://cdn.example:443/a.mp4", "https://cdn.example:443/b.png"])
        #expect(job.files.map(\.kind) == [.video, .image] && job.createdAt == Self.now - 60)
        #expect(job.nextQuestionAt == nil && job.files[0].claim?.provider == .fal)
    }

    @Test(arguments: [
        (Result<JobStatus, ProviderError>.success(JobStatus(.failed, error: JobTests.failed)), "no"),
        (.success(JobStatus(.failed)), "gives no reason"), (.success(JobStatus(.cancelled)), "cancelled"),
        (.success(JobStatus(.succeeded)), "without a file"),
        (.failure(ProviderError(.missing, "unknown job")), "unknown job"),
    ])
    func theLastWordIsKept(_ row: (answer: Result<JobStatus, ProviderError>, words: String)) {
        let job = Self.after(row.answer)
        #expect(job.error?.message.contains(row.words) == true && job.isSettled && job.nextQuestionAt == nil)
    }

    @Test func oneLostAnswerEndsNothing() {
        let lost = ProviderError(.noAnswer, "nobody", isRetryable: true)
        let job = Self.after(.failure(lost), Self.after(.success(JobStatus(.running))))
        #expect(job.error == nil && job.state == .running && job.nextQuestionAt != nil)
    }

    @Test func timeWithoutALineDoesNotCount() {
        let lost = ProviderError(.noAnswer, "nobody", isRetryable: true)
        var job = Self.after(.success(JobStatus(.running)))
        var now = Self.now
        for _ in 0..<1_000 {
            now = job.nextQuestionAt ?? now
            job = Self.after(.failure(lost), job, at: now)
        }
        #expect(job.error == nil && now > Self.now + 3 * 3_600)
        job = Self.after(.success(JobStatus(.running)), job, at: now + 30)
        #expect(job.error == nil)
    }

    @Test func aJobWithoutAnEndIsGivenUp() {
        let job = Self.after(.success(JobStatus(.unknown("napping"))))
        let late = Self.after(.success(JobStatus(.unknown("napping"))), job, at: Self.now + 2 * 3_600)
        #expect(late.error?.message.contains("no end within 2 h") == true && late.isSettled)
        let again = late.requested(with: Jobs.generation())
        #expect(!again.isSettled && again.asked == 0 && again.startedAskingAt == nil)
    }

    // MARK: Asked for once more

    @Test func whatIsStoredStays() {
        let job = Jobs.file(Jobs.link()) { $0.stage = .stored }
        #expect(job.requested(with: Jobs.link()) == job)
    }

    @Test func whatFailedIsTriedAgainWithTheNewLink() {
        let job = Jobs.file(Jobs.link()) {
            $0.stage = .failed
            $0.attempts = 10
            $0.received = 7
            $0.renewals = 3
            $0.endedLink = DownloadStep.failure("rescue.expired", "dead")
            $0.nextAttemptAt = Self.now
        }
        let offer = Job(RescueLink("https://cdn.example/a.mp4?sig=2", expires: Self.now), addedAt: Self.now)
        let file = job.requested(with: offer).files[0]
        #expect(file.link == offer.files[0].link && file.deadline == Deadline(Self.now) && file.stage == .downloading)
        #expect(
            file.attempts == 0 && file.nextAttemptAt == nil && file.renewals == nil && file.endedLink == nil
                && file.received == 7)
    }

    @Test func aCancelledJobIsWantedAgain() {
        #expect(!Jobs.with(Jobs.link()) { $0.isCancelled = true }.requested(with: Jobs.link()).isCancelled)
    }

    @Test func aSafeFileIsLeftAlone() {
        let job = Jobs.file(Jobs.link()) { $0.stage = .safe }
        #expect(job.requested(with: Jobs.link()).files == job.files)
    }
}
