import Synchronization

/// A rate of bytes, shared by all bodies that use it.
package final class Pace: Sendable {
    private let bytesPerSecond: Int
    private let free = Mutex<ContinuousClock.Instant?>(nil)

    /// A pace of at least one byte a second.
    package init(bytesPerSecond: Int) {
        self.bytesPerSecond = max(1, bytesPerSecond)
    }

    /// Returns when `count` bytes have had their time.
    func pass(_ count: Int) async {
        try? await Task.sleep(until: reserve(count, at: .now))
    }

    /// When `count` bytes that arrive at `now` may pass, after all earlier ones.
    func reserve(_ count: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        free.withLock { free in
            let end = max(free ?? now, now) + .seconds(Double(count) / Double(bytesPerSecond))
            free = end
            return end
        }
    }
}
