import Synchronization

/// Signs of life of a simulation for a thread beside it; they stop if one job never ends.
package final class Pulse: Sendable {
    private let jobs = Atomic<Int>(0)
    private let lines = Mutex<[String]>([])
    /// How many lines of the trace it keeps.
    private static let kept = 30

    /// The pulse of simulations that have not begun.
    package init() {}

    /// How many jobs have begun so far.
    package var count: Int { jobs.load(ordering: .relaxed) }

    /// The newest lines of the trace.
    package var newest: [String] { lines.withLock { $0 } }

    func beat() { jobs.add(1, ordering: .relaxed) }

    func keep(_ line: String) {
        lines.withLock { lines in
            if lines.count == Self.kept { lines.removeFirst() }
            lines.append(line)
        }
    }
}
