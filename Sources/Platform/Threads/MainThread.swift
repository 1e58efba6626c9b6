/// The thread a program starts on, which only waits while others work.
package enum MainThread {
    /// Runs `body` on other threads and returns its result; to be called from a synchronous `main`.
    ///
    /// An asynchronous `main` ends in libdispatch's `dispatch_main`, which leaves this thread in `sigsuspend`
    /// with no signal blocked: the first SIGTERM would end the process, whatever `Signals.block` said.
    package static func wait<Value: Sendable>(for body: @escaping @Sendable () async -> Value) -> Value {
        let result = Monitor<Value?>(nil)
        Task.detached {
            let value = await body()
            result.withLock { $0 = value }
            result.signal()
        }
        while true {
            if let value = result.wait(while: { $0 == nil }, { $0 }) { return value }
        }
    }
}
