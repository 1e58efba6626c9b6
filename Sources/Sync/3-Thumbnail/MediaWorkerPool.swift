package import MediaModel
package import Platform

/// The media workers: started on demand, a bounded number, replaced when they end, ended when idle.
///
/// One job at a time each; a file that kills its worker costs only its own answer.
package actor MediaWorkerPool: MediaExamining {
    /// What workers may use.
    package struct Limits: Hashable, Sendable {
        /// Workers at once.
        package var count: Int
        /// Bytes of memory of one worker.
        package var memory: Int
        /// Seconds of processor time for one file.
        package var processorTime: Int
        /// Time on the clock for one file.
        package var time: Duration
        /// An unused worker ends after this.
        package var idle: Duration
        /// The niceness of a worker, 0 to 19.
        package var nice: Int32

        /// Raises `count` and `processorTime` to at least 1.
        package init(
            count: Int, memory: Int = 1 << 30, processorTime: Int = 30, time: Duration = .seconds(60),
            idle: Duration = .seconds(30), nice: Int32 = 0
        ) {
            self.count = max(1, count)
            self.memory = memory
            self.processorTime = max(1, processorTime)
            self.time = time
            self.idle = idle
            self.nice = nice
        }
    }

    private let program: FilePath
    private let limits: Limits
    private let threads: Blocking
    private var idle: [(worker: MediaWorkerProcess, since: ContinuousClock.Instant)] = []
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var nextJob = 0

    /// A pool without workers; `program` is the worker's executable.
    package init(program: FilePath, limits: Limits) {
        self.program = program
        self.limits = limits
        threads = Blocking("media", limit: limits.count)
    }

    /// The facts and pictures of `file`; waits for a free worker first.
    ///
    /// If another program kills the worker, a fresh worker tries once more.
    package func examine(_ file: OpenFile, _ job: MediaJob) async -> MediaOutcome {
        await begin()
        defer { end() }
        let outcome = await ask(idleWorker(), file, job)
        return outcome == .killed ? await ask(nil, file, job) : outcome
    }

    /// What a worker makes of `file`; starts a new one where none is idle.
    private func ask(_ idleWorker: MediaWorkerProcess?, _ file: OpenFile, _ job: MediaJob) async -> MediaOutcome {
        if Task.isCancelled { return .failed("cancelled") }
        nextJob += 1
        var job = job
        job.id = nextJob
        let worker: MediaWorkerProcess
        do {
            worker = try idleWorker ?? MediaWorkerProcess(program: program, limits: limits)
        } catch {
            return .unavailable("\(program.display) cannot be started: \(error)")
        }
        let outcome = await worker.examine(file, job, on: threads)
        if worker.isUsable { idle.append((worker, .now)) }
        return outcome
    }

    /// The worker that became idle last, so that the others stay idle and can end.
    private func idleWorker() -> MediaWorkerProcess? {
        idle.removeAll { !$0.worker.isUsable }
        return idle.popLast()?.worker
    }

    /// Ends workers that were idle for long, again and again, until cancelled.
    package func tend() async {
        while !Task.isCancelled {
            // Cut short by cancellation, which ends the loop.
            try? await Task.sleep(for: limits.idle)
            let limit = ContinuousClock.now - limits.idle
            idle.removeAll { $0.since < limit }
        }
    }

    /// Ends every worker that has nothing to do.
    package func close() {
        idle = []
    }

    /// The process ids of workers that wait for a job.
    package var idleProcesses: [Int32] { idle.map(\.worker.id) }

    private func begin() async {
        guard running >= limits.count else {
            running += 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Hands the slot to the next task that waits.
    private func end() {
        if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
    }
}
