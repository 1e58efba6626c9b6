package import Platform

/// The threads of a simulation, which has none: its own thread runs each job after a wait like that for a disk.
package struct SimulatedThreads: Threading {
    private let isDead: Simulated<Bool>?

    /// The threads of the calling thread's simulation, and of one process in it, which may die before its tasks notice.
    package init(isDead: Simulated<Bool>? = nil) {
        self.isDead = isDead
    }

    /// Whether the running code belongs to a simulated process that is dead.
    package static var areDead: Bool { (Threads.current as? Self)?.isDead?.value == true }

    /// Starts nothing: code that needs a thread must do without one, as on a machine that has none left.
    package func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        throw SystemError(call: "pthread_create", code: 11)  // EAGAIN
    }

    /// Calls `step` as a job that waits like others.
    package func follow(
        _ name: String, _ descriptor: Int32, until stop: Wakeup, _ step: @escaping @Sendable () -> Bool,
        end: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        Simulation.current?.followers.append(
            Follower(descriptor: descriptor, stop: stop, step: SimulatedPool.staying(step), end: end))
    }

    /// A queue that runs jobs in their order, each as a step of its own.
    package func serialQueue(_ name: String) -> any JobQueue { SimulatedQueue(name) }

    /// A queue that runs jobs in any order.
    package func pool(_ name: String, limit: Int) -> any JobQueue { limit == 1 ? SimulatedQueue(name) : shared }

    /// A queue that runs jobs in any order.
    package var shared: any JobQueue { SimulatedPool() }
}

/// Runs jobs in the order they were added.
///
/// Safe without a lock, because one thread runs a simulation.
private final class SimulatedQueue: JobQueue, @unchecked Sendable {
    private let name: String
    private var waiting: [@Sendable () -> Void] = []

    init(_ name: String) { self.name = name }

    func add(_ job: @escaping @Sendable () -> Void) {
        waiting.append(SimulatedPool.staying(job))
        if waiting.count == 1 { next() }
    }

    private func next() {
        SimulatedPool.wait(in: name) { [self] in
            waiting[0]()
            waiting.removeFirst()
            if !waiting.isEmpty { next() }
        }
    }
}

/// Runs each job by itself.
struct SimulatedPool: JobQueue {
    func add(_ job: @escaping @Sendable () -> Void) {
        Self.wait(Self.staying(job))
    }

    /// The same job, run on behalf of the process that added it.
    static func staying<Result>(_ job: @escaping @Sendable () -> Result) -> @Sendable () -> Result {
        let threads = Threads.current as? SimulatedThreads ?? SimulatedThreads()
        return { Threads.$current.withValue(threads, operation: job) }
    }

    /// Most jobs do not wait, so that only their order varies; a few wait as for a disk that wakes up.
    static func wait(in queue: String? = nil, _ job: @escaping @Sendable () -> Void) {
        guard let simulation = Simulation.current else { return job() }
        let slowness = queue != nil && queue == simulation.stalled ? 400 : simulation.slowness
        let kind = simulation.random.next() % 1000
        let microseconds: Int64 =
            switch kind {
            case (1000 - min(slowness, 400))...: Int64(simulation.random.next() % 8_000_000)
            case ..<600: 0
            default: Int64(simulation.random.next() % 20_000)
            }
        simulation.submit(after: microseconds * 1000) {
            simulation.beforeCall?()
            job()
        }
    }
}
