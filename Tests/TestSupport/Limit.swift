import Dispatch
import Synchronization

/// A wait that took longer than any machine needs, with its purpose and the last observation.
package struct LimitReached: Error, CustomStringConvertible {
    package let description: String

    /// - Parameter seen: The last observation.
    package init(_ limit: Duration, _ what: String, seen: String? = nil) {
        description = "waited \(limit) for this: \(what)" + (seen.map { "; seen last: \($0)" } ?? "")
    }
}

/// How long a test waits for an event that always happens; only a limit, not an assertion about speed.
package let patience = Duration.seconds(100)

private let limits = DispatchQueue(label: "limits")

/// The result of `work`; throws `LimitReached` after `limit`.
///
/// Work that ignores its cancellation is abandoned, so that the test ends all the same.
///
/// - Parameters:
///   - what: What the test waits for, such as `the report shows 2 stored`.
///   - seen: Returns the last observation, for the error.
package func withLimit<Value: Sendable>(
    _ what: String, _ limit: Duration = patience, seen: @escaping @Sendable () -> String? = { nil },
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let race = Race<Value> { .failure(LimitReached(limit, what, seen: seen())) }
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            race.begin(continuation)
            race.run(work)
            // Not by a task, because work that blocks the few threads of tasks would delay the limit, too.
            limits.asyncAfter(deadline: .now() + limit / .seconds(1)) { race.reachLimit() }
        }
    } onCancel: {
        race.cancel()
    }
}

/// The first value of `look` that is not `nil`, or `LimitReached`; for states that cause no event.
package func eventually<Value>(
    _ what: String, within limit: Duration = patience, seen: () -> String? = { nil },
    _ look: () async throws -> Value?
) async throws -> Value {
    let end = ContinuousClock.now + limit
    while true {
        if let value = try await look() { return value }
        guard ContinuousClock.now < end else { throw LimitReached(limit, what, seen: seen()) }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// Returns once `isSo` returns `true`; throws `LimitReached` if it never does.
package func eventually(
    _ what: String, within limit: Duration = patience, seen: () -> String? = { nil },
    _ isSo: () async throws -> Bool
) async throws {
    try await eventually(what, within: limit, seen: seen) { try await isSo() ? () : nil }
}

extension AsyncStream where Element: Sendable {
    /// The first element for which `isIt` holds; throws `LimitReached`, also if the stream ends without one.
    @discardableResult
    package func first(
        _ what: String, where isIt: @escaping @Sendable (Element) -> Bool = { _ in true }
    ) async throws -> Element {
        try await withLimit(what) {
            for await element in self where isIt(element) { return element }
            throw LimitReached(.zero, what, seen: "the end")
        }
    }
}

/// A waiting task, resumed once by whichever comes first.
private final class Race<Value: Sendable>: Sendable {
    private struct State {
        var waiter: CheckedContinuation<Value, any Error>?
        var task: Task<Void, Never>?
        /// The result at the limit; released after the race, so that it keeps nothing alive.
        var limit: (@Sendable () -> Result<Value, any Error>)?
        var isOver = false
        var isCancelled = false
    }

    private let state: Mutex<State>

    init(atLimit: @escaping @Sendable () -> Result<Value, any Error>) { state = Mutex(State(limit: atLimit)) }

    func begin(_ waiter: CheckedContinuation<Value, any Error>) { state.withLock { $0.waiter = waiter } }

    /// Runs an unstructured task, because the wait could not end before a child task does.
    func run(_ work: @escaping @Sendable () async throws -> Value) {
        let task = Task {
            do {
                end(.success(try await work()))
            } catch {
                end(.failure(error))
            }
        }
        let isOver = state.withLock { state in
            state.task = task
            return state.isOver || state.isCancelled
        }
        if isOver { task.cancel() }
    }

    func reachLimit() {
        if let result = state.withLock({ $0.limit })?() { end(result) }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    func end(_ result: Result<Value, any Error>) {
        let over = state.withLock { state -> State? in
            guard !state.isOver else { return nil }
            defer {
                state.isOver = true
                (state.waiter, state.task, state.limit) = (nil, nil, nil)
            }
            return state
        }
        over?.task?.cancel()
        over?.waiter?.resume(with: result)
    }
}
