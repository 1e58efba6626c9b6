import Glibc
import Platform
import Simulation
import Synchronization

/// Ends the process if a job of a history never ends, because virtual time then stands still and no task can run.
final class Watchdog: Sendable {
    /// The pulse of the simulations that it watches, one after another.
    let pulse = Pulse()
    /// Real seconds that one job may take.
    private let patience: Int
    private let words = Mutex("")

    init(patience: Int) {
        self.patience = patience
    }

    /// Starts a thread that looks each second.
    func start() throws(SystemError) {
        try Threads.current.start("watchdog") { [self] in watch() }
    }

    /// Notes that a history begins, and the words that play it once more.
    func begins(_ words: String) { self.words.withLock { $0 = words } }

    private func watch() -> Never {
        var (last, seconds) = (pulse.count, 0)
        while seconds < patience {
            sleep(1)
            let now = pulse.count
            (last, seconds) = (now, now == last ? seconds + 1 : 0)
        }
        print("one job has not ended for \(patience) s; the newest lines:")
        for line in pulse.newest { print("    \(line)") }
        print("    once more: \(words.withLock { $0 })")
        fflush(nil)
        _exit(1)
    }
}
