import FoundationEssentials
import Providers
import Testing

@Suite struct PollingPolicyTests {
    private let policy = PollingPolicy()
    private let start = Date(timeIntervalSince1970: 0)

    private func step(
        _ answer: Result<JobStatus, ProviderError>, asked: Int = 1, after seconds: Double = 0
    ) -> PollingPolicy.Step {
        policy.step(after: answer, asked: asked, since: start, at: start + seconds, random: 0.5)
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

    @Test func aLostAnswerEndsNothing() {
        let lost = ProviderError(.noAnswer, "gone", isRetryable: true)
        #expect(step(.failure(lost)) == .askAgain(after: .seconds(2)))
        let wrong = ProviderError(.unauthorized, "no")
        #expect(step(.failure(wrong)) == .refused(wrong))
    }

    @Test func theProvidersPauseIsKeptButShortensNothing() {
        var busy = ProviderError(.rateLimited, "slow", isRetryable: true)
        busy.retryAfter = .seconds(60)
        #expect(step(.failure(busy)) == .askAgain(after: .seconds(60)))
        busy.retryAfter = .zero
        #expect(step(.failure(busy)) == .askAgain(after: .seconds(2)))
    }

    @Test(arguments: [
        (7_170.0, PollingPolicy.Step.askAgain(after: .seconds(30))), (7_199, .askAgain(after: .seconds(2))),
        (7_200, .overdue), (7_201, .overdue),
    ])
    func afterTheOverallDeadlineNothingIsAsked(seconds: Double, expected: PollingPolicy.Step) {
        #expect(step(.success(JobStatus(.running)), asked: 50, after: seconds) == expected)
    }
}
