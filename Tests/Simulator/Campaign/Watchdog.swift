import Glibc
import Platform
import Simulation
import Synchronization

/// Ends the process where one job of a history does not end, since virtual time stands then and nothing else could.
final class Watchdog: Sendable {
    /// Of all simulations that it watches, one after another.
    let pulse = Pulse()
    /// Real seconds that one job may take.
    private let patience: Int
    private let words = Mutex("")

    init(patience: Int) {
        self.patience = patience
    }

    /// Looks each second, on a thread of its own.
    func start() throws(SystemError) {
        try Threads.current.start("watchdog") { [self] in watch() }
    }

    /// A history begins; `words` play it once more.
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
