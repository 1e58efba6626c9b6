import Synchronization

/// Lets one task at a time do what takes several steps, in the order in which they ask.
final class AsyncLock: Sendable {
    private let state = Mutex<(isHeld: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    /// Carries out `body` once nothing else is carried out under this lock.
    func holding<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isHeld { state.waiting.append(continuation) }
                defer { state.isHeld = true }
                return !state.isHeld
            }
            if isFree { continuation.resume() }
        }
        defer { release() }
        return try await body()
    }

    private func release() {
        let next = state.withLock { state in
            state.isHeld = !state.waiting.isEmpty
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
    }
}
