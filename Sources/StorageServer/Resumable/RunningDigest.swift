import Platform
import Synchronization

/// The MD5 of a blob that grows over several requests.
final class RunningDigest: Sendable {
    private struct State {
        let md5 = MD5()
        var count: Int64 = 0
        var result: [UInt8]?
    }

    private let state = Mutex(State())

    /// Bytes taken in so far.
    var count: Int64 { state.withLock { $0.count } }

    func update(_ bytes: [UInt8]) {
        state.withLock { state in
            state.md5.update(bytes)
            state.count += Int64(bytes.count)
        }
    }

    /// The digest of all bytes; none may follow.
    var result: [UInt8] {
        state.withLock { state in
            let result = state.result ?? state.md5.finish()
            state.result = result
            return result
        }
    }
}
