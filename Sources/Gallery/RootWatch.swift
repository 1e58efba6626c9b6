import FoundationEssentials
import Platform
import Queue
import Sync
import Synchronization
import Text

/// The state of one root's watch between events.
final class RootWatch: Sendable {
    private struct State {
        var settling: Settling
        /// Settled files that are on their way into the library.
        var merging = 0
        var hasLooked = false
    }

    private let state: Mutex<State>
    private let tell: @Sendable (Int) -> Void
    let wake: WakeEvent

    /// - Parameter tell: Is told after each change how many files have not settled yet.
    init(settle: Duration, clock: DateClock, hasLooked: Bool, tell: @escaping @Sendable (Int) -> Void) {
        self.tell = tell
        wake = WakeEvent(clock: clock)
        state = Mutex(State(settling: Settling(settle: settle), hasLooked: hasLooked))
    }

    /// How to rank what a scan finds: as backlog in the first scan, as arrivals later.
    var origin: Asset.Rank.Origin { state.withLock { $0.hasLooked ? .arrival : .backlog } }
    var next: Date? { state.withLock { $0.settling.next } }

    func hasLooked() { state.withLock { $0.hasLooked = true } }

    func touch(_ path: FilePath, isOpen: Bool = false, at now: Date) {
        change { $0.settling.touch(path, isOpen: isOpen, at: now) }
        wake.notify()
    }

    func touch(removed path: FilePath, at now: Date) {
        change { $0.settling.touch(removed: path, at: now) }
        wake.notify()
    }

    /// The files that have settled by `now`; they count until `merged()`, so that no report misses them meanwhile.
    func settled(by now: Date) -> [Settling.Settled] {
        change { state in
            let ready = state.settling.settled(by: now)
            state.merging = ready.count
            return ready
        }
    }

    /// Notes that the files that had settled are in the library.
    func merged() { change { $0.merging = 0 } }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            defer { tell(state.settling.count + state.merging) }
            return body(&state)
        }
    }
}
