/// Threads for calls that block, so that Swift's small thread pool never does.
package struct Blocking: Sendable {
    private let queue: any JobQueue

    /// At most `limit` threads, started on demand, ended after ten idle seconds or with the last copy of this value.
    package init(_ name: String = "blocking", limit: Int) {
        queue = Threads.current.pool(name, limit: limit)
    }

    private init(_ queue: any JobQueue) {
        self.queue = queue
    }

    /// Runs `work`, which may block, but not for other work given to `Blocking.run`.
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await Blocking(Threads.current.shared).run(work)
    }

    /// Runs `work` on one of these threads; work that waits for a free thread starts in order.
    package func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.add {
                continuation.resume(returning: Result { () throws(Failure) in try work() })
            }
        }
        return try result.get()
    }
}
