/// Threads for calls that block, so that Swift's small thread pool never does.
package final class Blocking: Sendable {
    private struct Jobs {
        var waiting: [@Sendable () -> Void] = []
        /// The first of `waiting` that has not been taken.
        var next = 0
        var threads = 0
        var idle = 0
        /// Whether no more work can arrive.
        var isOver = false

        var isEmpty: Bool { next == waiting.count }

        mutating func take() -> (@Sendable () -> Void)? {
            guard !isEmpty else { return nil }
            let job = waiting[next]
            next += 1
            if isEmpty {
                waiting.removeAll(keepingCapacity: true)
                next = 0
            }
            return job
        }
    }

    private let jobs = Monitor(Jobs())
    private let limit: Int
    private let name: String

    /// At most `limit` threads, started on demand, ended after ten idle seconds or with this object.
    package init(_ name: String = "blocking", limit: Int) {
        self.name = name
        self.limit = max(1, limit)
    }

    deinit {
        jobs.withLock { $0.isOver = true }
        jobs.broadcast()
    }

    /// The threads that `Blocking.run` uses.
    private static let shared = Blocking(limit: 16)

    /// Runs `work`, which may block, but not for other work given to `Blocking.run`.
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await shared.run(work)
    }

    /// Runs `work` on one of these threads; work that waits for a free thread starts in order.
    package func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            enqueue {
                continuation.resume(returning: Result { () throws(Failure) in try work() })
            }
        }
        return try result.get()
    }

    private func enqueue(_ job: @escaping @Sendable () -> Void) {
        let needsThread = jobs.withLock { jobs in
            jobs.waiting.append(job)
            guard jobs.waiting.count - jobs.next > jobs.idle, jobs.threads < limit else { return false }
            jobs.threads += 1
            return true
        }
        guard needsThread else { return jobs.signal() }
        let queue = jobs
        do {
            try SystemThread.start(name) { Self.work(on: queue) }
        } catch {
            // No thread can be started: a running one takes the job, else this caller runs it.
            if jobs.withLock({
                $0.threads -= 1; return $0.threads == 0
            }) {
                jobs.withLock { $0.take() }?()
            }
        }
    }

    private static func work(on jobs: Monitor<Jobs>) {
        while true {
            jobs.withLock { $0.idle += 1 }
            let job = jobs.wait(seconds: 10, while: { $0.isEmpty && !$0.isOver }) { jobs in
                jobs.idle -= 1
                let job = jobs.take()
                if job == nil { jobs.threads -= 1 }
                return job
            }
            guard let job else { return }
            job()
        }
    }
}
