/// Where code runs that may block: on threads of the system, or on the only thread of a simulation.
package protocol Threading: Sendable {
    /// Runs `body` on a thread of its own; throws if the system has no thread left.
    func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError)
    /// Calls `step` on a thread of its own each time `descriptor` can be read, until it returns `false` or `stop` is
    /// raised, and then `end`; throws if the system has no thread left.
    func follow(
        _ name: String, _ descriptor: Int32, until stop: Wakeup, _ step: @escaping @Sendable () -> Bool,
        end: @escaping @Sendable () -> Void
    ) throws(SystemError)
    /// A queue that runs its jobs one after another, in the order they were added.
    func serialQueue(_ name: String) -> any JobQueue
    /// A queue that runs at most `limit` jobs at once, and starts them in the order they were added.
    func pool(_ name: String, limit: Int) -> any JobQueue
    /// The pool for jobs that need no order and no limit of their own.
    var shared: any JobQueue { get }
}

/// Runs the jobs it is given, away from the thread that adds them.
package protocol JobQueue: Sendable {
    /// Runs `job` later; never blocks.
    func add(_ job: @escaping @Sendable () -> Void)
}

/// The threads that the current task uses.
///
/// A task-local value and not a parameter, because everything from the agent down to each open file needs it.
package enum Threads {
    /// The system's threads, unless a simulation has given its tasks others.
    @TaskLocal package static var current: any Threading = SystemThreads.all
}
