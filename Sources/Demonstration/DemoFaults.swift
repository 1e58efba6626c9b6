import Serving
import StorageServer
import Synchronization

/// The faults of the demo's server: a few refusals and cut connections, then none.
final class DemoFaults: Sendable {
    private struct State {
        var uploads = 0
        var refused = 0
        var dropped = 0
        var isOn = true
    }

    private let state = Mutex(State())

    /// Every fourth upload fails: 503 with `Retry-After`, or a connection cut in the middle of the body.
    func fault(for request: Request) -> Fault? {
        guard request.method == "POST", request.path.contains("/object/media/") else { return nil }
        return state.withLock { state in
            guard state.isOn else { return nil }
            state.uploads += 1
            guard state.uploads.isMultiple(of: 4), state.refused + state.dropped < 6 else { return nil }
            if state.dropped * 2 < state.refused {
                state.dropped += 1
                return .drop(afterReading: 1_000)
            }
            state.refused += 1
            return .unavailable(retryAfter: 1)
        }
    }

    /// The refusals and cut connections so far.
    var count: (refused: Int, dropped: Int) { state.withLock { ($0.refused, $0.dropped) } }

    /// Injects no more faults from now on.
    func stop() { state.withLock { $0.isOn = false } }
}
