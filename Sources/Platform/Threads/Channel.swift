/// A bounded queue of values from a thread, which may block, to a task, which may not.
///
/// It has one sender and one receiver.
package final class Channel<Element: Sendable>: Sendable {
    private struct State {
        var values: [Element] = []
        var receiver: CheckedContinuation<Element?, Never>?
        var isFinished = false
        var isAbandoned = false
    }

    private let capacity: Int
    private let state = Monitor(State())

    /// An empty channel that holds at most `capacity` values.
    package init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Blocks while the channel is full; `false` when the receiver has abandoned the channel.
    package func send(_ value: Element) -> Bool {
        let (isTaken, receiver) = state.wait(while: { $0.values.count >= capacity && !$0.isAbandoned }) {
            state -> (Bool, CheckedContinuation<Element?, Never>?) in
            guard !state.isAbandoned else { return (false, nil) }
            defer { state.receiver = nil }
            if state.receiver == nil { state.values.append(value) }
            return (true, state.receiver)
        }
        receiver?.resume(returning: value)
        return isTaken
    }

    /// Ends the channel: `receive` returns `nil` after the values that are queued.
    package func finish() {
        let receiver = state.withLock { state in
            state.isFinished = true
            defer { state.receiver = nil }
            return state.receiver
        }
        receiver?.resume(returning: nil)
    }

    /// Ends receiving: a blocked `send`, and every later one, returns `false`.
    package func abandon() {
        state.withLock { $0.isAbandoned = true }
        state.broadcast()
    }

    /// The next value, or `nil` after the last one.
    package func receive() async -> Element? {
        let value = await withCheckedContinuation { continuation in
            let (value, isReady) = state.withLock { state -> (Element?, Bool) in
                if !state.values.isEmpty { return (state.values.removeFirst(), true) }
                if state.isFinished { return (nil, true) }
                state.receiver = continuation
                return (nil, false)
            }
            if isReady { continuation.resume(returning: value) }
        }
        state.signal()
        return value
    }
}
