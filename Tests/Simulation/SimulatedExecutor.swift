// SPI of the pinned toolchain: the stable interface replaces executors by task, which misses detached tasks and sleeps.
@_spi(ExperimentalScheduling) @_spi(ExperimentalCustomExecutors) import _Concurrency

/// The default executor of the process: the simulation's on a thread that runs one, else the runtime's own.
final class SimulatedExecutor: TaskExecutor, SchedulingExecutor {
    static let shared = SimulatedExecutor()
    static let real = PlatformExecutorFactory.defaultExecutor

    func enqueue(_ job: consuming ExecutorJob) {
        guard let simulation = Simulation.current else { return Self.real.enqueue(job) }
        let job = UnownedJob(job)
        // As a task executor, so that each hop to an actor is a step; otherwise an idle actor would be entered at once.
        simulation.submit { job.runSynchronously(on: Self.shared.asUnownedTaskExecutor()) }
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
        enqueue(job, at: clock.now.advanced(by: delay), tolerance: tolerance, clock: clock)
    }

    func enqueue<C: Clock>(_ job: consuming ExecutorJob, at moment: C.Instant, tolerance: C.Duration?, clock: C) {
        guard let simulation = Simulation.current else {
            guard let real = Self.real as? any SchedulingExecutor else { return Self.real.enqueue(job) }
            return real.enqueue(job, at: moment, tolerance: tolerance, clock: clock)
        }
        let wait = clock.now.duration(to: moment) as? Duration ?? .zero
        let job = UnownedJob(job)
        simulation.submit(after: wait.nanoseconds) {
            job.runSynchronously(on: Self.shared.asUnownedTaskExecutor())
        }
    }
}

/// The main actor's executor, which works the same way.
private final class SimulatedMainExecutor: MainExecutor {
    let real = PlatformExecutorFactory.mainExecutor

    func enqueue(_ job: consuming ExecutorJob) {
        guard let simulation = Simulation.current else { return real.enqueue(job) }
        let job = UnownedJob(job)
        simulation.submit { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    var isMainExecutor: Bool { true }
    func run() throws { try real.run() }
    func stop() { real.stop() }
}

private enum SimulatedExecutors: ExecutorFactory {
    static let mainExecutor: any MainExecutor = SimulatedMainExecutor()
    static var defaultExecutor: any TaskExecutor { SimulatedExecutor.shared }
}

/// Called once, before `main`.
@_cdecl("csimulation_take_over") func takeOverExecutors() {
    _createExecutors(factory: SimulatedExecutors.self)
}

extension Duration {
    /// Whole nanoseconds, at most 200 years.
    var nanoseconds: Int64 {
        let most: Int64 = 6_000_000_000
        guard components.seconds < most else { return most * 1_000_000_000 }
        return components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
