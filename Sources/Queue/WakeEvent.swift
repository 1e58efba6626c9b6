package import FoundationEssentials
import Synchronization
package import Text

/// Wakes waiting loops when something may have changed; a notification that no loop waits for is not lost.
///
/// Every wait is by the clock it was made with.
package final class WakeEvent: Sendable {
    private struct State {
        var wakeups = 0
        var nextWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        /// Waits that were cancelled before they began.
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())
    private let clock: DateClock

    /// An event whose waits end by `clock`.
    package init(clock: DateClock = .wall) {
        self.clock = clock
    }

    /// How often it was notified; hand this to `wait`.
    package var wakeups: Int { state.withLock { $0.wakeups } }

    /// Wakes every loop that waits.
    package func notify() {
        let waiters = state.withLock { state in
            state.wakeups += 1
            defer { state.waiters.removeAll() }
            return state.waiters.values.map { $0 }
        }
        for waiter in waiters { waiter.resume() }
    }

    /// The same, for loops that need not see every notification: those of the next `pause` count as one.
    package func wait(after wakeups: Int, until date: Date? = nil, gathering pause: Duration) async {
        await wait(after: wakeups, until: date)
        // Cut short by cancellation only.
        try? await clock.sleep(clock.now() + pause.seconds)
    }

    /// Returns once it was notified more than `wakeups` times, at `date`, or when the task is cancelled.
    package func wait(after wakeups: Int, until date: Date? = nil) async {
        guard let date else { return await wait(after: wakeups) }
        guard clock.now() < date else { return }
        await withDiscardingTaskGroup { group in
            group.addTask {
                // Cut short by cancellation when a notification comes first.
                try? await self.clock.sleep(date)
                self.notify(onlyIf: wakeups)
            }
            await wait(after: wakeups)
            group.cancelAll()
        }
    }

    /// Ends a wait by time: notifies unless something else did.
    private func notify(onlyIf wakeups: Int) {
        if self.wakeups == wakeups, !Task.isCancelled { notify() }
    }

    private func wait(after wakeups: Int) async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.wakeups > wakeups || state.cancelled.remove(id) != nil { return true }
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
