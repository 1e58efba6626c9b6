package import FoundationEssentials
import Synchronization
package import Text

/// Tells loops that wait that something may have changed; a ring while nobody waits is not lost.
///
/// Every wait is by the clock it was made with.
package final class Bell: Sendable {
    private struct State {
        var rings = 0
        var nextWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        /// Waits that were cancelled before they began.
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())
    private let clock: DateClock

    /// A bell whose waits end by `clock`.
    package init(clock: DateClock = .wall) {
        self.clock = clock
    }

    /// How often it rang; hand this to `wait`.
    package var rings: Int { state.withLock { $0.rings } }

    /// Wakes every loop that waits.
    package func ring() {
        let waiters = state.withLock { state in
            state.rings += 1
            defer { state.waiters.removeAll() }
            return state.waiters.values.map { $0 }
        }
        for waiter in waiters { waiter.resume() }
    }

    /// The same, for loops that need not hear every ring: those of the next `pause` are heard as one.
    package func wait(after rings: Int, until date: Date? = nil, gathering pause: Duration) async {
        await wait(after: rings, until: date)
        // Cut short by cancellation only.
        try? await clock.sleep(clock.now() + pause.seconds)
    }

    /// Returns once it rang more than `rings` times, at `date`, or when the task is cancelled.
    package func wait(after rings: Int, until date: Date? = nil) async {
        guard let date else { return await wait(after: rings) }
        guard clock.now() < date else { return }
        await withDiscardingTaskGroup { group in
            group.addTask {
                // Cut short by cancellation when the bell rings first.
                try? await self.clock.sleep(date)
                self.ring(onlyIf: rings)
            }
            await wait(after: rings)
            group.cancelAll()
        }
    }

    /// Ends a wait by time: rings unless something else did.
    private func ring(onlyIf rings: Int) {
        if self.rings == rings, !Task.isCancelled { ring() }
    }

    private func wait(after rings: Int) async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.rings > rings || state.cancelled.remove(id) != nil { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
            _ = state.withLock { $0.cancelled.remove(id) }
        } onCancel: {
            let waiter = state.withLock { state in
                if let waiter = state.waiters.removeValue(forKey: id) { return Optional(waiter) }
                state.cancelled.insert(id)
                return nil
            }
            waiter?.resume()
        }
    }
}
