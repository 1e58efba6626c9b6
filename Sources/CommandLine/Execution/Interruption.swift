package import Output
package import Platform
import Synchronization

/// The first signal that asks the program to end, for the tasks that wait for it.
package final class Interruption: Sendable {
    private struct State {
        var first: Signal?
        /// One stream for each waiting task, because a stream ends with its task and cannot be used twice.
        var waiting: [Int: AsyncStream<Signal>.Continuation] = [:]
        var number = 0
        /// Whether any task was told about the first signal.
        var isHeard = false
    }

    private let state = Mutex(State())

    /// Whether a signal came that no task has waited for, neither then nor later.
    var isUnheard: Bool { state.withLock { $0.first != nil && !$0.isHeard } }

    /// Whether a task waits for a signal.
    var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Resumes the waiting tasks; returns whether this was the first signal.
    func raise(_ signal: Signal) -> Bool {
        state.withLock { state in
            guard state.first == nil else { return false }
            state.first = signal
            state.isHeard = !state.waiting.isEmpty
            for (_, waiting) in state.waiting { waiting.yield(signal) }
            return true
        }
    }

    /// Waits for the first signal; `nil` when the task is cancelled before.
    package func wait() async -> Signal? {
        let (stream, continuation) = AsyncStream.makeStream(of: Signal.self)
        let number = state.withLock { state in
            state.number += 1
            if let signal = state.first {
                continuation.yield(signal)
                state.isHeard = true
            }
            state.waiting[state.number] = continuation
            return state.number
        }
        defer { state.withLock { $0.waiting[number] = nil } }
        for await signal in stream { return signal }
        return nil
    }

    /// How long a command may go on after a signal if nothing in it waits for one, such as while it reads a pipe.
    private static let patience = Duration.seconds(2)

    /// The signals from now on: the first one is raised, and the second ends the process at once.
    ///
    /// A thread of its own handles them, because no task might be able to run when no more threads can be made.
    package func signals(exit: @escaping @Sendable (ExitCode) -> Never) -> AsyncStream<Signal> {
        do {
            return try Signals.stream([.interrupt, .terminate, .hangup]) { signal in
                guard self.raise(signal) else { exit(ExitCode(signal)) }
            }
        } catch {
            // If signals cannot be received this way, they end the process by default.
            Signals.unblock()
            return AsyncStream { $0.finish() }
        }
    }

    /// Ends the process shortly after the first of `signals` if `body` does not wait for any.
    package func listening<Value: Sendable>(
        to signals: AsyncStream<Signal>, exit: @escaping @Sendable (ExitCode) -> Never,
        _ body: @escaping @Sendable () async -> Value
    ) async -> Value {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask {
                await withDiscardingTaskGroup { late in
                    for await signal in signals {
                        late.addTask {
                            do { try await Task.sleep(for: Self.patience) } catch { return }
                            if self.isUnheard { exit(ExitCode(signal)) }
                        }
                    }
                }
                return nil
            }
            group.addTask { await body() }
            while let value = await group.next() {
                if let value {
                    group.cancelAll()
                    return value
                }
            }
            exit(.internalError)
        }
    }
}
