import Fixtures
import Foundation
import Providers
import Supabase
import TestSupport
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
                .init("https://cdn.example/b.png", .image), .init("https://cdn.example/view?file=0", .video),
                .init("https://cdn.example/view?file=1", .video),
            ])
        status.createdAt = Self.now - 60
        let job = Self.after(.success(status))
        #expect(
            job.files.map(\.identity)
                == ["a.mp4", "b.png", "view?file=0", "view?file=1"].map { "https://cdn.example:443/" + $0 })
        #expect(job.files.map(\.kind) == [.video, .image, .video, .video] && job.createdAt == Self.now - 60)
        #expect(job.nextQuestionAt == nil && job.files[0].claim?.provider == .fal)
    }

    @Test(arguments: [
        (Result<JobStatus, ProviderError>.success(JobStatus(.failed, error: JobTests.failed)), "no"),
        (.success(JobStatus(.failed)), "gives no reason"), (.success(JobStatus(.cancelled)), "cancelled"),
        (.success(JobStatus(.succeeded)), "without a file"),
        (.failure(ProviderError(.refused, "no such question")), "no such question"),
    ])
    func theLastWordIsKept(_ row: (answer: Result<JobStatus, ProviderError>, words: String)) {
        let job = Self.after(row.answer)
        #expect(job.error?.message.contains(row.words) == true && job.isSettled && job.nextQuestionAt == nil)
    }

    @Test func whatOnlyTheTableKnowsCounts() {
        var api = JobAPI(ProviderName(rawValue: "studio"), ask: "/jobs/{id}", results: [.links("output", .video)])
        (api.lifetime, api.patience) = (.seconds(7_200), .seconds(3_600))
        let policy = PollingPolicy().of(PolledProvider(api, key: "k", transport: ScriptedTransport([])))
        let job = Job(JobReference(api.name, "1"), addedAt: Self.now)
        let link = RemoteMedia("https://cdn.example/a", .video)
        let done = job.after(
            .success(JobStatus(.succeeded, files: [link])), policy: policy, at: Self.now, random: 0.5)
        #expect(done.files.first?.deadline == Deadline(Self.now + 7_200, isAssumed: true))
        var refused = job
        for _ in 0..<12 {
            refused = refused.after(
                .failure(ProviderError(.missing, "no", isRetryable: true)), policy: policy, at: Self.now, random: 0.5)
        }
        #expect(refused.error?.message == "Refused for 1 h, the last time so: no")
    }

    @Test func oneLostAnswerEndsNothing() {
        let lost = ProviderError(.noAnswer, "no answer", isRetryable: true)
        let job = Self.after(.failure(lost), Self.after(.success(JobStatus(.running))))
        #expect(job.error == nil && job.state == .running && job.nextQuestionAt != nil)
    }

    @Test func timeWithoutALineDoesNotCount() {
        let lost = ProviderError(.noAnswer, "no answer", isRetryable: true)
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
        var (late, now) = (job, Self.now)
        while !late.isSettled, now < Self.now + 3 * 3_600 {
            now = late.nextQuestionAt ?? now
            late = Self.after(.success(JobStatus(.unknown("napping"))), late, at: now)
        }
        #expect(late.error?.message.contains("no end within 2 h") == true && late.isSettled)
        let again = late.requested(with: Jobs.generation())
        #expect(!again.isSettled && again.asked == 0 && again.startedAskingAt == nil)
    }

    /// The advice after a first try without a model is to name it.
    @Test(
        arguments: [
            (nil, "fal-ai/veo3.1", "fal-ai/veo3.1"), ("fal-ai/wrong", "fal-ai/veo3.1", "fal-ai/veo3.1"),
            ("fal-ai/veo3.1", nil, "fal-ai/veo3.1"), (nil, nil, nil),
        ] as [(String?, String?, String?)])
    func aJobThatIsNamedOnceMoreHasTheModelThatItIsGiven(_ before: String?, _ named: String?, _ after: String?) {
        func job(_ model: String?) -> Job { Job(JobReference(.fal, "r1", model: model), addedAt: Self.now) }
        #expect(job(before).requested(with: job(named)).reference == JobReference(.fal, "r1", model: after))
    }

    /// What its provider itself named when it took the order stays.
    @Test func aJobThatWasOrderedHereKeepsItsProvidersLinks() {
        var ordered = Jobs.generation()
        ordered.reference?.calls = JobReference.Calls(status: "https://queue.example/r1")
        #expect(ordered.requested(with: Jobs.generation()).reference == ordered.reference)
    }

    @Test func timeInWhichThisComputerSleptDoesNotCount() {
        let job = Self.after(.success(JobStatus(.running)))
        let woken = Self.after(.success(JobStatus(.running)), job, at: Self.now + 86_400)
        #expect(woken.error == nil && woken.nextQuestionAt != nil)
    }

    // MARK: Refusals

    static func refusal(_ kind: ProviderError.Kind, _ status: Int?, isRetryable: Bool = false) -> ProviderError {
        var error = ProviderError(kind, "words", isRetryable: isRetryable)
        error.status = status
        return error
    }

    @Test(arguments: [401, 403])
    func aRefusedKeyEndsNothingHoweverLong(status: Int) {
        var (job, now) = (Self.after(.success(JobStatus(.running))), Self.now)
        for _ in 0..<100 {
            job = Self.after(.failure(Self.refusal(.unauthorized, status)), job, at: now)
            now = job.nextQuestionAt ?? now
        }
        #expect(job.error == nil && now > Self.now + 99 * 3_600)
        #expect(job.refusedKey?.contains("GALLERY_SYNC_FAL_KEY") == true && job.delay == job.refusedKey)
        #expect(job.withNewKey.nextQuestionAt == nil)
        let told = Self.after(.success(JobStatus(.running)), job, at: now)
        #expect(told.error == nil && told.trouble == nil && told.refusedKey == nil)
    }

    @Test(arguments: [
        (404, ProviderName.fal, 24.0), (500, .replicate, 6), (410, .gemini, 48), (503, .storyToVideo, 72),
    ])
    func aRefusalThatMayPassIsGivenHours(_ row: (status: Int, provider: ProviderName, hours: Double)) {
        let error = Self.refusal(row.status == 404 ? .missing : .unavailable, row.status)
        var (job, now) = (Jobs.generation(at: row.provider), Self.now)
        while job.error == nil, now < Self.now + 100 * 3_600 {
            now = job.nextQuestionAt ?? now
            job = Self.after(.failure(error), job, at: now)
        }
        let hours = now.timeIntervalSince(Self.now) / 3_600
        #expect((row.hours...row.hours + 1.1).contains(hours), "\(hours)")
        #expect(job.error?.message.hasPrefix("Refused for") == true && job.isSettled)
    }

    @Test func oneGoodAnswerForgetsTheRefusals() {
        var job = Jobs.generation()
        for _ in 0..<20 { job = Self.after(.failure(Self.refusal(.missing, 404)), job) }
        #expect(job.refusals == 20 && job.delay?.contains("does not tell") == true)
        job = Self.after(.success(JobStatus(.running)), job)
        #expect(job.refusals == nil && job.delay == nil)
    }

    @Test func aJobThatEndsIsNamedAsItsProviderNamesIt() {
        let intent = SubmitIntent(
            key: .fresh(), provider: .fal, model: "m", input: .null, madeAt: Self.now, cost: nil)
        var job = Job(intent)
        job.reference = JobReference(.fal, "80e7", model: "m")
        job.error = Self.refusal(.missing, 404)
        #expect(job.loss == "words (HTTP 404); at fal it is 80e7")
        #expect(RescueSummary([job], now: Self.now)?.files.first?.file == "fal:80e7")
    }

    // MARK: Asked for once more

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

    /// As long as its reason was forgotten, each second rescue said that its provider is not configured.
    @Test func aRefusedOrderKeepsItsReason() {
        let error = ProviderError(.refused, "field required")
        let refused = Jobs.order().calling.after(.failure(error))
        #expect(refused.requested(with: refused) == refused && refused.error == error)
        let forgotten = Jobs.with(refused) { $0.error = nil }
        #expect(forgotten.withRefusal == refused && Jobs.order().withRefusal == Jobs.order())
    }

    @Test func aCancelledJobIsWantedAgain() {
        #expect(!Jobs.with(Jobs.link()) { $0.isCancelled = true }.requested(with: Jobs.link()).isCancelled)
    }

    /// A file three times tried in vain, by its stage and the bytes that it has.
    @Test(
        arguments: [
            ("what is stored stays", .stored, 7, .stored, 3), ("what is safe is left alone", .safe, 7, .safe, 3),
            ("what waits is tried as often as any", .waiting, 0, .waiting, 0),
            ("what is under way as well", .downloading, 7, .downloading, 0),
            ("what is complete needs no byte again", .probed, 7, .probed, 0),
            ("what failed with bytes goes on after them", .failed, 7, .downloading, 0),
            ("what failed without a byte begins anew", .failed, 0, .waiting, 0),
            ("a single byte is kept", .failed, 1, .downloading, 0),
        ] as [(String, JobFile.Stage, Int64, JobFile.Stage, Int)])
    func whatIsNotSafeIsTriedAgain(
        _ row: (why: String, stage: JobFile.Stage, received: Int64, then: JobFile.Stage, attempts: Int)
    ) {
        let job = Jobs.file(Jobs.link()) {
            ($0.stage, $0.received, $0.attempts) = (row.stage, row.received, 3)
            ($0.misses, $0.rejections, $0.nextAttemptAt) = (2, 2, Self.now)
        }
        let again = job.requested(with: Jobs.link()).files
        #expect(again.map(\.stage) == [row.then] && again.map(\.attempts) == [row.attempts], "\(row.why)")
        #expect(again.map(\.received) == [row.received], "\(row.why)")
        if row.attempts == 0 {
            #expect(again.allSatisfy { $0.misses == 0 && $0.rejections == 0 && $0.nextAttemptAt == nil }, "\(row.why)")
        } else {
            #expect(again == job.files, "\(row.why)")
        }
        if row.stage == .stored { #expect(job.requested(with: Jobs.link()) == job, "\(row.why)") }
    }
}
