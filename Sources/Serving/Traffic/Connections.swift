import CMicroHTTPD
import Glibc
import Synchronization

/// The connections of a server, limited so that a new one always finds a place.
///
/// Beyond the limit, the connection that has waited longest for a request is ended, whether it never sent one or was
/// kept after an answer. A connection with a running request is never ended for another.
final class Connections: Sendable {
    private struct Place {
        /// Lower numbers have been waiting longer.
        var order: Int
        var isBusy = false
        var isEnding = false
        /// Whether its client may ask; `nil` before its first request.
        var isWelcome: Bool?
    }

    private struct State {
        /// The places of connections, by descriptor.
        var places: [Int32: Place] = [:]
        var lastOrder = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// A part of the limit for open files, up to 512, because handlers need descriptors, too.
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
            // The connection's thread notices this and closes it; until `closed` it still owns the descriptor.
            shutdown(longest, Int32(SHUT_RDWR))
        }
    }

    /// Whether the client of that connection may ask; `look` finds out at its first request.
    func isWelcome(_ descriptor: Int32, _ look: () -> Bool) -> Bool {
        if let known = state.withLock({ $0.places[descriptor]?.isWelcome }) { return known }
        let found = look()
        state.withLock { $0.places[descriptor]?.isWelcome = found }
        return found
    }

    /// A request has begun, so the connection must not be ended in favour of another.
    func began(_ descriptor: Int32) { state.withLock { $0.places[descriptor]?.isBusy = true } }

    /// The request has ended; the connection waits for its next one from now on.
    func ended(_ descriptor: Int32) {
        state.withLock { state in
            state.lastOrder += 1
            state.places[descriptor]?.isBusy = false
            state.places[descriptor]?.order = state.lastOrder
        }
    }

    /// Forgets a connection; must be called before its descriptor is closed, because the number is then reused.
    func closed(_ descriptor: Int32) { state.withLock { $0.places[descriptor] = nil } }
}
