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
    private let start: Start

    /// Starts a thread that runs the body.
    typealias Start = @Sendable (_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) -> Void

    /// At most `limit` threads, started on demand, ended after ten idle seconds or with this object.
    init(_ name: String, limit: Int, start: @escaping Start = SystemThread.startDetached) {
        self.name = name
        self.limit = max(1, limit)
        self.start = start
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
            try start(name) { Self.work(on: queue) }
        } catch {
            // No thread can be started. Running threads take the jobs; if there are none, this caller runs all that are
            // waiting, including jobs that other callers have added meanwhile.
            let isAlone = jobs.withLock { jobs in
                jobs.threads -= 1
                return jobs.threads == 0
            }
            while isAlone, let job = jobs.withLock({ $0.take() }) { job() }
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
