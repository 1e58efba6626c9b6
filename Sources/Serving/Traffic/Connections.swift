import CMicroHTTPD
import Glibc
import Synchronization

/// The connections of a server, at most so many that whoever comes last still finds room.
///
/// Beyond the limit the one that has waited longest for a request is ended: half-open ones, and those that were
/// kept after an answer. One whose request is under way is never ended for another.
final class Connections: Sendable {
    private struct Place {
        /// Grows with the time from which it waits.
        var order: Int
        var isBusy = false
        var isEnding = false
    }

    private struct State {
        /// By descriptor.
        var places: [Int32: Place] = [:]
        var lastOrder = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// What the limit for open files leaves, up to 512; the rest of the files are the handlers'.
    static var defaultLimit: Int {
        var files = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return 128 }
        return max(32, min(512, (Int(clamping: files.rlim_cur) - 128) / 4))
    }

    func opened(_ descriptor: Int32) {
        state.withLock { state in
            state.lastOrder += 1
            state.places[descriptor] = Place(order: state.lastOrder)
            let living = state.places.count { !$0.value.isEnding }
            guard living > limit else { return }
            let waiting = state.places.filter { !$0.value.isBusy && !$0.value.isEnding }
            guard let longest = waiting.min(by: { $0.value.order < $1.value.order })?.key else { return }
            state.places[longest]?.isEnding = true
            // Its thread sees the end and closes it; until `closed` the descriptor is still this connection's.
            shutdown(longest, Int32(SHUT_RDWR))
        }
    }

    /// A request has begun, so that it stays.
    func began(_ descriptor: Int32) { state.withLock { $0.places[descriptor]?.isBusy = true } }

    /// The request is over, and the next one may take its time.
    func ended(_ descriptor: Int32) {
        state.withLock { state in
            state.lastOrder += 1
            state.places[descriptor]?.isBusy = false
            state.places[descriptor]?.order = state.lastOrder
        }
    }

    /// To be called before the descriptor is closed.
    func closed(_ descriptor: Int32) { state.withLock { $0.places[descriptor] = nil } }
}
