package import FoundationEssentials

/// When to ask about a job again, and when to give up; decides only.
package struct PollingPolicy: Hashable, Sendable {
    /// The first wait.
    package var first: Duration = .seconds(2)
    /// How much longer each wait is than the one before.
    package var growth = 1.7
    /// No wait is longer, before jitter and what the provider asks for.
    package var longest: Duration = .seconds(30)
    /// From the first question on; afterwards a job without an end is given up.
    package var overall: Duration = .seconds(2 * 3_600)

    package init() {}

    /// What to do next.
    package enum Step: Hashable, Sendable {
        case askAgain(after: Duration)
        /// The provider said the last word.
        case ended(JobStatus)
        /// Asking again cannot help.
        case refused(ProviderError)
        /// Too long without an end; the job may still end by itself.
        case overdue
    }

    /// The wait after `asked` questions, spread by `random` in 0..<1 over ±20 %.
    package func wait(after asked: Int, random: Double) -> Duration {
        var wait = min(first, longest)
        for _ in 1..<max(1, min(asked, 100)) { wait = min(wait * growth, longest) }
        return wait * (0.8 + 0.4 * random)
    }

    /// The step after the answer to question number `asked`, counted from 1.
    ///
    /// A lost answer or a temporary refusal ends nothing. A wait never passes the overall deadline by more
    /// than a second, so that the last question is asked in time.
    package func step(
        after answer: Result<JobStatus, ProviderError>, asked: Int, since start: Date, at now: Date, random: Double
    ) -> Step {
        var wait = wait(after: asked, random: random)
        switch answer {
        case .success(let status) where status.state.isEnd: return .ended(status)
        case .success: break
        case .failure(let error):
            guard error.isRetryable else { return .refused(error) }
            if let pause = error.retryAfter { wait = max(wait, pause) }
        }
        let left = Duration.seconds(start.timeIntervalSince(now)) + overall
        return left > .zero ? .askAgain(after: min(wait, left + .seconds(1))) : .overdue
    }
}
