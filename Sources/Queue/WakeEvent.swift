package import FoundationEssentials
import Synchronization
package import Text

/// Wakes waiting loops when something may have changed; no notification is lost between waits.
///
/// A notification about a single file wakes only the loops that it concerns; any other wakes whatever waits.
/// Times are those of the clock given at the start.
package final class WakeEvent: Sendable {
    private struct State {
        var wakeups = 0
        /// The last notification that was for all.
        var lastForAll = 0
        var loops: [VitalLoop: Loop] = [:]
        var nextWaiter = 0
        var waiters: [Int: (loop: VitalLoop?, continuation: CheckedContinuation<Void, Never>)] = [:]
        /// Waits that were to end before they began.
        var ended: Set<Int> = []

        /// Whether something that concerns `loop` happened after notification number `wakeups`.
        func isOver(_ loop: VitalLoop?, after wakeups: Int) -> Bool {
            max(lastForAll, loop.flatMap { loops[$0]?.last } ?? 0) > wakeups
        }
    }

    /// Numbers of notifications, as they concern one loop.
    private struct Loop {
        /// The last notification for it alone.
        var last = 0
        /// How many notifications there had been when it last came round.
        var heard = 0
    }

    private let state = Mutex(State())
    private let clock: DateClock

    /// An event whose waits end by `clock`.
    package init(clock: DateClock = .wall) {
        self.clock = clock
    }

    /// The number of notifications so far; read it before the work and pass it to `wait`.
    package var wakeups: Int { state.withLock { $0.wakeups } }

    /// The number of notifications, noting that `loop` has come round and so did not hang.
    @discardableResult
    package func wakeups(heardBy loop: VitalLoop) -> Int {
        state.withLock { state in
            state.loops[loop, default: Loop()].heard = state.wakeups
            return state.wakeups
        }
    }

    /// The number of notifications when `loop` last came round; 0 before it did.
    package func lastHeard(by loop: VitalLoop) -> Int { state.withLock { $0.loops[loop]?.heard ?? 0 } }

    /// Wakes whatever waits.
    package func notify() {
        let waiters = state.withLock { state in
            state.wakeups += 1
            state.lastForAll = state.wakeups
            defer { state.waiters.removeAll() }
            return state.waiters.values.map(\.continuation)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Wakes `loop` only: nothing else is concerned.
    package func notify(_ loop: VitalLoop) {
        let waiters = state.withLock { state in
            state.wakeups += 1
            state.loops[loop, default: Loop()].last = state.wakeups
            let concerned = state.waiters.filter { $0.value.loop == loop }
            for id in concerned.keys { state.waiters[id] = nil }
            return concerned.values.map(\.continuation)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Debounced form of `wait(after:as:until:)`: notifications within `pause` after the first count as one.
    package func wait(
        after wakeups: Int, as loop: VitalLoop? = nil, until date: Date? = nil, gathering pause: Duration
    ) async {
        await wait(after: wakeups, as: loop, until: date)
        // Fails only on cancellation, which ends the wait early.
        try? await clock.rest(pause)
    }

    /// Returns once there was a notification after the first `wakeups`, at `date`, or when the task is cancelled.
    ///
    /// A wait that ends at its date wakes no other one.
    ///
    /// - Parameter loop: The loop whose own notifications count, too; without one, only those for all count.
    package func wait(after wakeups: Int, as loop: VitalLoop? = nil, until date: Date? = nil) async {
        guard let date else { return await wait(newWaiter(), after: wakeups, as: loop) }
        guard clock.now() < date else { return }
        await wait(after: wakeups, as: loop) { try await self.clock.sleep(date) }
    }

    /// The same for a duration, which does not grow if the clock is set back meanwhile.
    ///
    /// - Parameter pause: Notifications within it after the first count as one.
    package func wait(after wakeups: Int, for time: Duration, gathering pause: Duration = .zero) async {
        await wait(after: wakeups, as: nil) { try await self.clock.rest(time) }
        // Fails only on cancellation, which ends the wait early.
        if pause > .zero { try? await clock.rest(pause) }
    }

    private func newWaiter() -> Int {
        state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
    }

    private func wait(
        after wakeups: Int, as loop: VitalLoop?, sleeping: @escaping @Sendable () async throws -> Void
    ) async {
        let id = newWaiter()
        await withDiscardingTaskGroup { group in
            group.addTask {
                // Fails only on cancellation, which a notification causes by ending the wait first.
                try? await sleeping()
                if !Task.isCancelled { self.end(id) }
            }
            await wait(id, after: wakeups, as: loop)
            group.cancelAll()
        }
        _ = state.withLock { $0.ended.remove(id) }
    }

    /// Ends one wait, even before it has begun.
    private func end(_ id: Int) {
        let waiter = state.withLock { state in
            if let waiter = state.waiters.removeValue(forKey: id) { return Optional(waiter.continuation) }
            state.ended.insert(id)
            return nil
        }
        waiter?.resume()
    }

    private func wait(_ id: Int, after wakeups: Int, as loop: VitalLoop?) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isOver(loop, after: wakeups) || state.ended.remove(id) != nil { return true }
                    state.waiters[id] = (loop, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
            _ = state.withLock { $0.ended.remove(id) }
        } onCancel: {
            end(id)
        }
    }
}
