import Synchronization

/// A value that tasks and threads of a test share.
package final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: Value) { mutex = Mutex(value) }

    /// The value now.
    package var value: Value { mutex.withLock { $0 } }

    /// Changes the value exclusively.
    package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { value in body(&value) }
    }
}
