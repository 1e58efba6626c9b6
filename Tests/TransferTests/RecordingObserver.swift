import Synchronization
import Transfer

/// Records the calls of a body observer.
final class RecordingObserver: BodyObserver {
    private let state = Mutex<(bytes: [UInt8], restarts: Int)>(([], 0))

    var bytes: [UInt8] { state.withLock(\.bytes) }
    var restarts: Int { state.withLock(\.restarts) }

    func restarted() {
        state.withLock { $0 = ([], $0.restarts + 1) }
    }

    func sent(_ bytes: RawSpan) {
        let copy = bytes.withUnsafeBytes(Array.init)
        state.withLock { $0.bytes += copy }
    }
}
