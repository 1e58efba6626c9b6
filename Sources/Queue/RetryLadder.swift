package import Configuration
import Text

/// The backoff after each failed attempt that the server answered.
///
/// Exponential with jitter. With the defaults ten attempts span about two days:
/// 2 s, 8 s, 32 s, 2 min, 9 min, 34 min, 2.3 h, 9 h, 36 h.
package struct RetryLadder: Hashable, Sendable {
    /// The wait after the first attempt.
    package let base: Duration
    /// The factor by which each wait is longer than the one before.
    package let factor: Double
    /// The longest wait, before jitter.
    package let cap: Duration
    /// The answered attempts, the first included, after which an item is failed.
    package let attempts: Int

    /// A ladder that spans about two days unless set otherwise.
    package init(
        base: Duration = .seconds(2), factor: Double = 4, cap: Duration = .seconds(36 * 3_600), attempts: Int = 10
    ) {
        self.base = base
        self.factor = factor
        self.cap = cap
        self.attempts = attempts
    }

    /// The wait after `failures` answered attempts, or `nil` when those were all.
    ///
    /// A kind of error may begin higher up and end sooner. `random` in 0..<1 is the jitter, ±20 %. A wait that the
    /// server asked for is respected up to a day and lengthened by at most 20 %; it never shortens the ladder's, or
    /// a server that tells every client "one second" would use up all attempts within a minute.
    package func delay(
        after failures: Int, asked: Duration? = nil, of kind: RetryKind = .transport, random: Double
    ) -> Duration? {
        guard failures < min(attempts, kind.attempts ?? attempts) else { return nil }
        var rung = base.seconds
        for _ in 1..<max(1, failures + kind.headStart) { rung = min(rung * factor, cap.seconds) }
        let own = Duration.seconds(min(rung, cap.seconds) * (0.8 + 0.4 * random))
        guard let asked else { return own }
        return max(own, min(asked, .seconds(86_400)) * (1 + 0.2 * random))
    }
}

extension RetryLadder {
    /// The ladder of the `retry` settings.
    package init(_ settings: Settings.Retry) {
        self.init(base: settings.base, factor: settings.factor, cap: settings.cap, attempts: settings.attempts)
    }
}
