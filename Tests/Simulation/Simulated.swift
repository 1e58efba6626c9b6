/// A variable of simulated code; any task may change it, because all tasks run on one thread.
package final class Simulated<Value>: @unchecked Sendable {
    /// Must not be used outside of a running simulation.
    package var value: Value

    /// A variable with its first value.
    package init(_ value: Value) {
        self.value = value
    }
}

/// A result that one task waits for and that any task may give; the first one counts.
package final class Outcome<Value: Sendable>: @unchecked Sendable {
    private var value: Value?
    private var waiting: [CheckedContinuation<Value, Never>] = []

    /// A result that nothing has given yet.
    package init() {}

    /// Whether it was given.
    package var isGiven: Bool { value != nil }

    /// Gives the result, unless one was given.
    package func give(_ result: Value) {
        guard value == nil else { return }
        value = result
        for waiter in waiting { waiter.resume(returning: result) }
        waiting = []
    }

    /// The result, once it is given.
    package func get() async -> Value {
        if let value { return value }
        return await withCheckedContinuation { waiting.append($0) }
    }
}

extension [UInt8] {
    /// Hands all bytes to `body`; a span counts as a pointer in modules that have none.
    package func withSpan(_ body: (RawSpan) -> Void) { body(span.bytes) }
}
