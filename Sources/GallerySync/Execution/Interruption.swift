import Platform
import Synchronization

/// The first signal that asks the program to end, for the tasks that wait for it.
final class Interruption: Sendable {
    private let stream: AsyncStream<Signal>
    private let continuation: AsyncStream<Signal>.Continuation
    private let first = Mutex<Signal?>(nil)

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: Signal.self)
    }

    /// Resumes the waiting tasks; whether this was the first signal.
    func raise(_ signal: Signal) -> Bool {
        let isFirst = first.withLock { first in
            defer { first = first ?? signal }
            return first == nil
        }
        continuation.yield(signal)
        continuation.finish()
        return isFirst
    }

    /// Waits for the first signal; `nil` when the task is cancelled before.
    func wait() async -> Signal? {
        if let signal = first.withLock({ $0 }) { return signal }
        for await signal in stream { return signal }
        return first.withLock { $0 }
    }

    /// Listens for signals while `body` runs: the first is raised, the second ends the process at once.
    func listening<Value: Sendable>(
        exit: @escaping @Sendable (ExitCode) -> Never, _ body: @escaping @Sendable () async -> Value
    ) async -> Value {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask {
                // Where signals cannot be received this way, they end the process by default.
                guard let signals = try? Signals.stream([.interrupt, .terminate, .hangup]) else { return nil }
                for await signal in signals where !self.raise(signal) { exit(ExitCode(signal)) }
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

extension ExitCode {
    /// 128 plus the signal's number, as shells expect; a hangup counts as a termination.
    init(_ signal: Signal) {
        self = signal == .interrupt ? .interrupted : .terminated
    }
}
