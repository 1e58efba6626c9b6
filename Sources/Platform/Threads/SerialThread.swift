/// A serial executor for an actor whose methods block, such as one that owns a database.
///
/// Its jobs run one after another on a queue of their own, so a call that waits for the disk
/// does not block a thread of the shared pool.
package final class SerialThread: SerialExecutor {
    private let queue: any JobQueue

    /// An executor without jobs; debuggers show its `name`.
    package init(name: String) {
        queue = Threads.current.serialQueue(name)
    }

    /// Runs `job` after all jobs enqueued before it.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.add { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// What an actor returns as its `unownedExecutor`; valid as long as the actor keeps this object.
    @safe package var executor: UnownedSerialExecutor { asUnownedSerialExecutor() }
}
