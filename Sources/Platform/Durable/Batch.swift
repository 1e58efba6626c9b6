import Synchronization

/// Lines that are written and synchronized together, with the tasks that wait for that.
final class Batch: Sendable {
    private struct State {
        var waiters: [CheckedContinuation<SystemError?, Never>] = []
        var failure: SystemError?
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Waits for the end; `nil` means that all lines are durable.
    func outcome() async -> SystemError? {
        await withCheckedContinuation { continuation in
            let finished = state.withLock { state in
                if !state.isFinished { state.waiters.append(continuation) }
                return state.isFinished ? Optional(state.failure) : nil
            }
            if let failure = finished { continuation.resume(returning: failure) }
        }
    }

    /// Gives the result to every waiter, present and future.
    func finish(_ failure: SystemError?) {
        let waiters = state.withLock { state in
            state.isFinished = true
            state.failure = failure
            return exchange(&state.waiters, with: [])
        }
        for waiter in waiters { waiter.resume(returning: failure) }
    }
}
