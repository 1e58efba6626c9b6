package import FoundationEssentials

/// A clock that tells dates and waits for them: the computer's own, or a test's.
package struct DateClock: Sendable {
    /// The date by this clock.
    package let now: @Sendable () -> Date
    /// Returns at that date by this clock, or earlier; throws when the task is cancelled.
    package let sleep: @Sendable (Date) async throws -> Void

    /// A clock that tells dates with `now` and waits with `sleep`.
    package init(now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Date) async throws -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// A clock that runs as fast as the computer's, however far ahead or behind.
    ///
    /// It may be set meanwhile: a sleeper is woken once a day at least.
    package init(now: @escaping @Sendable () -> Date) {
        self.init(now: now) { date in
            let left = date.timeIntervalSince(now())
            if left > 0 { try await Task.sleep(for: .seconds(min(left, 86_400))) }
        }
    }

    /// The computer's own.
    package static let wall = DateClock { Date() }
}
