import Platform
import Synchronization

/// The MD5 of a blob that grows over several requests, and of its parts where it has some.
final class RunningDigest: Sendable {
    private struct State {
        let md5 = MD5()
        var count: Int64 = 0
        var parts: PartedDigest?
        var eTag: String?
    }

    private let state: Mutex<State>

    /// - Parameter part: Bytes of a part at most; `nil` where there are no parts.
    init(part: Int64? = nil) {
        state = Mutex(State(parts: part.map { PartedDigest(limit: $0) }))
    }

    /// Bytes taken in so far.
    var count: Int64 { state.withLock { $0.count } }

    /// Bytes of the parts that have ended.
    var partSizes: [Int64] { state.withLock { $0.parts?.sizes ?? [] } }

    func update(_ bytes: [UInt8]) {
        state.withLock { state in
            state.md5.update(bytes)
            state.parts?.update(bytes)
            state.count += Int64(bytes.count)
        }
    }

    /// A request has brought all it could.
    func endRequest() { state.withLock { $0.parts?.endRequest() } }

    /// What was taken in last ends a part, as it did when it was received.
    func endPart() { state.withLock { $0.parts?.endPart() } }

    /// The eTag of all bytes, with its quotes; none may follow.
    var eTag: String {
        state.withLock { state in
            let eTag = state.eTag ?? state.parts?.eTag() ?? state.md5.finish().hexadecimal
            state.eTag = eTag
            return "\"\(eTag)\""
        }
    }
}
