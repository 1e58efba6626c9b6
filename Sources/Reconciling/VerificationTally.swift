import Queue
import Records
package import Sync
import Synchronization

/// How far a verification is, for progress displays.
package final class VerificationTally: Sendable {
    private struct State {
        let volume: VerifyVolume
        var checked = 0
        var downloaded = VerifyVolume()
        /// Bytes of each object that is being downloaded, in the order they began.
        var current: [(receipt: Receipt, bytes: Int64)] = []
    }

    private let state = Mutex<State?>(nil)

    /// No verification is under way.
    package init() {}

    /// Runs `body`, a verification of that volume: how far it is can be asked for until it ends.
    func following<Value>(_ volume: VerifyVolume, _ body: () async throws -> Value) async rethrows -> Value {
        state.withLock { $0 = State(volume: volume) }
        defer { state.withLock { $0 = nil } }
        return try await body()
    }

    /// Counts receipts that were compared with the listing.
    func check(_ count: Int) { state.withLock { $0?.checked += count } }

    /// Notes that `bytes` of an object have come; another attempt at it begins with 0.
    func note(_ receipt: Receipt, bytes: Int64) {
        state.withLock { state in
            let index = state?.current.firstIndex { $0.receipt.key == receipt.key }
            if let index { state?.current[index].bytes = bytes } else { state?.current.append((receipt, bytes)) }
        }
    }

    /// Counts an object whose download has ended, with whatever result.
    func finish(_ receipt: Receipt) {
        state.withLock { state in
            state?.current.removeAll { $0.receipt.key == receipt.key }
            state?.downloaded.objects += 1
            state?.downloaded.bytes += receipt.size
        }
    }

    /// How far it is; `nil` while no verification is under way.
    package var progress: Progress? {
        state.withLock { state in
            guard let state else { return nil }
            let (volume, done) = (state.volume, state.downloaded)
            var counts = [Progress.Count(.record, done: min(state.checked, volume.total), of: volume.total)]
            if volume.objects > 0 {
                counts.append(.init(.download, done: min(done.objects, volume.objects), of: volume.objects))
            }
            return Progress(
                counts: counts, bytesDone: done.bytes + state.current.reduce(0) { $0 + $1.bytes },
                bytesTotal: volume.bytes,
                current: state.current.map {
                    .init(path: $0.receipt.key.text, step: .download, done: $0.bytes, size: $0.receipt.size)
                })
        }
    }
}
