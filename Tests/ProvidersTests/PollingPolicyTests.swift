import FoundationEssentials
import Providers
import Testing

@Suite struct PollingPolicyTests {
    private let policy = PollingPolicy()
    private let start = Date(timeIntervalSince1970: 0)

    private func step(
        _ answer: Result<JobStatus, ProviderError>, asked: Int = 1, after seconds: Double = 0,
        refusals: (count: Int, patience: Duration) = (1, .seconds(10))
    ) -> PollingPolicy.Step {
        policy.step(
            after: answer, asked: asked, since: start, at: start + seconds, random: 0.5,
            refusals: refusals)
    }

    @Test func waitsGrowFromTwoSecondsToThirty() {
        let waits = (1...8).map { policy.wait(after: $0, random: 0.5) / .seconds(1) }
        #expect(waits.first == 2)
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(waits.suffix(2) == [30, 30])
        #expect(policy.wait(after: .max, random: 0.5) == .seconds(30))
    }

    @Test(arguments: [(0.0, 1.6), (0.5, 2), (0.999_999, 2.4)])
    func jitterSpreadsByAFifth(random: Double, seconds: Double) {
        #expect(abs(policy.wait(after: 1, random: random) / .seconds(1) - seconds) < 0.001)
    }

    @Test(arguments: [JobState.succeeded, .failed, .cancelled])
    func anEndIsAnEnd(state: JobState) {
        #expect(step(.success(JobStatus(state)), after: 99_999) == .ended(JobStatus(state)))
    }

    @Test(arguments: [JobState.queued, .running, .unknown("Napping"), .unknown("")])
    func everythingElseIsAskedAgain(state: JobState) {
        #expect(step(.success(JobStatus(state))) == .askAgain(after: .seconds(2)))
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var error: ProviderError
        let count: Int
        /// `nil` where it is the job's end.
        let wait: Duration?

        init(_ description: String, _ error: ProviderError, count: Int = 1, pause: Duration? = nil, wait: Duration?) {
            (testDescription, self.error, self.count, self.wait) = (description, error, count, wait)
            self.error.retryAfter = pause
        }
    }

    private static let lost = ProviderError(.noAnswer, "gone", isRetryable: true)
    private static let busy = ProviderError(.rateLimited, "slow", isRetryable: true)
    private static let passing = ProviderError(.unavailable, "down", isRetryable: true)

    /// The refusals may last for 10 s, and the questions are past their overall deadline, which only answers end.
    @Test(arguments: [
        Row("a lost answer", lost, wait: .seconds(2)),
        Row("the hundredth lost answer", lost, count: 100, wait: .seconds(2)),
        Row("an answer that this computer cannot take", ProviderError(.noAnswer, "too large"), wait: .seconds(2)),
        Row("the third, after 10 s", ProviderError(.noAnswer, "too large"), count: 3, wait: nil),
        Row("a refusal of the question", ProviderError(.refused, "no"), wait: nil),
        Row("a request that was given up here", ProviderError(.cancelled, "stopped"), count: 100, wait: .seconds(2)),
        Row("a refused key", ProviderError(.unauthorized, "no"), count: 100, wait: .seconds(3_600)),
        Row("the provider's pause", busy, pause: .seconds(60), wait: .seconds(60)),
        Row("a pause that shortens nothing", busy, pause: .zero, wait: .seconds(2)),
        Row("the first refusal", passing, wait: .seconds(2)),
        Row("the second, after 2 s", passing, count: 2, wait: .seconds(8)),
        Row("the second, with a pause", passing, count: 2, pause: .seconds(9), wait: .seconds(9)),
        Row("the third, after 10 s", passing, count: 3, wait: nil),
        Row("what the provider will never make", ProviderError(.contentFiltered, "no", isRetryable: true), wait: nil),
        Row("what cannot pass", ProviderError(.refused, "no"), wait: nil),
    ])
    func anErrorIsWaitedForOrIsTheEnd(row: Row) {
        let step = step(.failure(row.error), after: 7_201, refusals: (row.count, .seconds(10)))
        #expect(step == row.wait.map { .askAgain(after: $0) } ?? .refused(row.error))
    }

    /// The file may be ready right after the question, and is kept for a while only.
    @Test(
        arguments: [
            (nil, 900), (3_600.0, 900), (24 * 3_600, 21_600), (30 * 86_400, 80_000), (40, 60),
        ] as [(Double?, Double)])
    func noPauseIsRespectedForMoreThanAQuarterOfAFilesTime(lifetime: Double?, wait: Double) {
        var policy = policy
        policy.lifetime = lifetime.map { .seconds($0) }
        policy.first = .seconds(60)
        policy.longest = .seconds(60)
        var busy = Self.busy
        busy.retryAfter = .seconds(80_000)
        let step = policy.step(
            after: .failure(busy), asked: 1, since: start, at: start, random: 0.5, refusals: (1, .seconds(86_400)))
        #expect(step == .askAgain(after: .seconds(wait)))
    }

    @Test(arguments: [
        (7_170.0, PollingPolicy.Step.askAgain(after: .seconds(30))), (7_199, .askAgain(after: .seconds(2))),
        (7_200, .overdue), (7_201, .overdue),
    ])
    func afterTheOverallDeadlineNothingIsAsked(seconds: Double, expected: PollingPolicy.Step) {
        #expect(step(.success(JobStatus(.running)), asked: 50, after: seconds) == expected)
    }
}
