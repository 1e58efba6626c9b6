package import FoundationEssentials

/// When to poll a job again and when to give up; a value that only decides.
package struct PollingPolicy: Hashable, Sendable {
    /// The first wait.
    package var first: Duration = .seconds(2)
    /// The factor by which each wait is longer than the one before.
    var growth = 1.7
    /// The longest wait, before jitter and before what the provider asks for.
    package var longest: Duration = .seconds(30)
    /// Counted from the first poll; after this time a job that has not ended is given up.
    package var overall: Duration = .seconds(2 * 3_600)

    /// How long refusals of a job may last before it is given up; `nil` for the figure known for the provider's name.
    package var patience: Duration?
    /// How long the provider keeps files; `nil` for the figure known for its name.
    package var lifetime: Duration?

    /// The policy with its default figures.
    package init() {}

    /// What to do after an answer.
    package enum Step: Hashable, Sendable {
        case askAgain(after: Duration)
        /// The job has ended.
        case ended(JobStatus)
        /// Asking again cannot help.
        case refused(ProviderError)
        /// Too long without an end; the job may still end by itself.
        case overdue
    }

    /// The policy for that provider: even with jitter it is not asked more often than it permits.
    package func of(_ provider: any Provider) -> PollingPolicy {
        let least = provider.leastWait
        var policy = self
        policy.patience = provider.patience
        policy.lifetime = provider.lifetime
        policy.first = max(first, least * 1.25)
        policy.longest = max(longest, least * 1.25)
        return policy
    }

    /// The wait after `asked` polls, with jitter of ±20 % taken from `random` in 0..<1.
    package func wait(after asked: Int, random: Double) -> Duration {
        var wait = min(first, longest)
        for _ in 1..<max(1, min(asked, 100)) { wait = min(wait * growth, longest) }
        return wait * (0.8 + 0.4 * random)
    }

    /// The wait after `count` refusals in a row, or `nil` once they have lasted for `patience`.
    ///
    /// Grows from `first` by a factor of four up to an hour. Lost answers do not count, so being offline ends no job.
    package func wait(afterRefusals count: Int, within patience: Duration?, random: Double) -> Duration? {
        var (wait, total) = (min(first, Self.longestRefusal), Duration.zero)
        for _ in 1..<max(1, min(count, 10_000)) {
            total += wait
            wait = min(wait * 4, Self.longestRefusal)
        }
        if let patience, total >= patience { return nil }
        return wait * (0.8 + 0.4 * random)
    }

    /// How much of the pause that a provider asked for is respected before the next question about a job.
    ///
    /// Its file may be ready a moment after the last one.
    package func pause(_ asked: Duration?) -> Duration { Self.pause(asked, keptFor: lifetime) }

    /// How much of a pause is respected: up to a quarter of the time for which a file is kept.
    ///
    /// Where that is not known, it counts as an hour, which is as long as fal keeps a result.
    package static func pause(_ asked: Duration?, keptFor lifetime: Duration?) -> Duration {
        min(asked ?? .zero, (lifetime ?? .seconds(3_600)) / 4)
    }

    /// The longest wait after refusals, and the wait before a refused key is tried again.
    package static let longestRefusal = Duration.seconds(3_600)

    /// The step after the answer to poll number `asked`, counted from 1.
    ///
    /// A lost answer, a refused key or a passing refusal ends nothing. A wait never passes the overall deadline by more
    /// than a second, so that the last poll is made in time.
    ///
    /// - Parameter refusals: How many passing refusals came in a row, and how long they may last.
    package func step(
        after answer: Result<JobStatus, ProviderError>, asked: Int, since start: Date, at now: Date, random: Double,
        refusals: (count: Int, patience: Duration)
    ) -> Step {
        let wait = wait(after: asked, random: random)
        switch answer {
        case .success(let status) where status.state.isEnd: return .ended(status)
        case .success: break
        case .failure(let error):
            return step(after: error, refusals, wait: wait, random: random)
        }
        let left = Duration.seconds(start.timeIntervalSince(now)) + overall
        return left > .zero ? .askAgain(after: min(wait, left + .seconds(1))) : .overdue
    }

    private func step(
        after error: ProviderError, _ refusals: (count: Int, patience: Duration), wait: Duration, random: Double
    ) -> Step {
        let own: Duration? =
            switch error.bearing {
            case .final: nil
            case .key: Self.longestRefusal
            case .unheard: wait
            case .passing: self.wait(afterRefusals: refusals.count, within: refusals.patience, random: random)
            }
        return own.map { .askAgain(after: max($0, pause(error.retryAfter))) } ?? .refused(error)
    }
}
