import Platform
import Synchronization

/// The MD5 of a blob that grows over several requests, and of its parts where eTags have parts.
package final class RunningDigest: Sendable {
    private struct State {
        let md5 = MD5()
        var count: Int64 = 0
        var parts: PartedDigest?
        var eTag: String?
    }

    private let state: Mutex<State>

    /// - Parameter part: The most bytes of a part; `nil` where eTags have no parts.
    init(part: Int64? = nil) {
        state = Mutex(State(parts: part.map { PartedDigest(limit: $0) }))
    }

    /// The number of bytes added so far.
    package var count: Int64 { state.withLock { $0.count } }

    /// The sizes in bytes of the parts that have ended.
    package var partSizes: [Int64] { state.withLock { $0.parts?.sizes ?? [] } }

    func update(_ bytes: [UInt8]) {
        state.withLock { state in
            state.md5.update(bytes)
            state.parts?.update(bytes)
            state.count += Int64(bytes.count)
        }
    }

    /// Records that a request has ended, which may end a part.
    package func endRequest() { state.withLock { $0.parts?.endRequest() } }

    /// Ends a part after the last bytes added, as when they were received.
    func endPart() { state.withLock { $0.parts?.endPart() } }

    /// The eTag of all bytes, with its quotes; no bytes may be added afterwards.
    package var eTag: String {
        state.withLock { state in
            let eTag = state.eTag ?? state.parts?.eTag() ?? state.md5.finish().hexadecimal
            state.eTag = eTag
            return "\"\(eTag)\""
        }
    }
}
