/// Threads that take one job after another from a queue they share.
final class ThreadPool: JobQueue {
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
    init(_ name: String, limit: Int) {
        self.name = name
        self.limit = max(1, limit)
    }

    deinit {
        jobs.withLock { $0.isOver = true }
        jobs.broadcast()
    }

    func add(_ job: @escaping @Sendable () -> Void) {
        let needsThread = jobs.withLock { jobs in
            jobs.waiting.append(job)
            guard jobs.waiting.count - jobs.next > jobs.idle, jobs.threads < limit else { return false }
            jobs.threads += 1
            return true
        }
        guard needsThread else { return jobs.signal() }
        let queue = jobs
        do {
            try SystemThread.startDetached(name) { Self.work(on: queue) }
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
