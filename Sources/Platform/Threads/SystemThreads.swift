import Dispatch

/// The threads of the system.
package final class SystemThreads: Threading {
    static let all = SystemThreads()

    /// The pool that `Blocking.run` uses.
    package let shared: any JobQueue = ThreadPool("blocking", limit: 16)

    /// Starts a detached thread.
    package func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        try SystemThread.startDetached(name, body)
    }

    /// Sleeps in `poll` between the steps.
    package func follow(
        _ name: String, _ descriptor: Int32, until stop: Wakeup, _ step: @escaping @Sendable () -> Bool,
        end: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        try start(name) {
            while (try? stop.wait(for: descriptor)) == true, step() {}
            end()
        }
    }

    /// A dispatch queue; debuggers show its `name`.
    package func serialQueue(_ name: String) -> any JobQueue { SerialDispatch(queue: DispatchQueue(label: name)) }

    /// Threads of their own, started on demand.
    package func pool(_ name: String, limit: Int) -> any JobQueue { ThreadPool(name, limit: limit) }

    private struct SerialDispatch: JobQueue {
        let queue: DispatchQueue

        func add(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }
    }
}
