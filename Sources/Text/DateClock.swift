package import FoundationEssentials

/// A clock that gives the date and waits for one: the computer's own, or a test's.
package struct DateClock: Sendable {
    /// Returns the date by this clock.
    package let now: @Sendable () -> Date
    /// Returns at that date by this clock, or earlier, so callers check `now` again; throws when cancelled.
    package let sleep: @Sendable (Date) async throws -> Void
    /// Returns after that time, even if the clock is set before the sleep begins; throws when cancelled.
    package let rest: @Sendable (Duration) async throws -> Void

    /// A clock that takes the date from `now` and waits with `sleep`, which also replaces a missing `rest`.
    package init(
        now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Date) async throws -> Void,
        rest: (@Sendable (Duration) async throws -> Void)? = nil
    ) {
        self.now = now
        self.sleep = sleep
        self.rest = rest ?? { try await sleep(now() + $0.seconds) }
    }

    /// A clock at the computer's speed, with any offset from its date.
    ///
    /// The clock may be set while a task sleeps, so a sleep ends after a day at the latest.
    package init(now: @escaping @Sendable () -> Date) {
        self.init(
            now: now,
            sleep: { date in
                let left = date.timeIntervalSince(now())
                if left > 0 { try await Task.sleep(for: .seconds(min(left, 86_400))) }
            }, rest: { try await Task.sleep(for: $0) })
    }

    /// The computer's own clock.
    package static let wall = DateClock { Date() }
}
