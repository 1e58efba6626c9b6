package import Queue
import Synchronization
import Transfer

/// What the stages are doing now, for progress displays and to know when nothing is under way.
package final class Activity: Sendable {
    /// A file on its way.
    package struct Current: Hashable, Sendable {
        /// The item's path below its root, for people.
        package let path: String
        /// Bytes to send.
        package let size: Int64
        /// Bytes of them that this attempt has sent.
        package var sent: Int64
    }

    /// Stages that count what they have in hand.
    package enum Stage: Hashable, Sendable, CaseIterable {
        case scan, identify, thumbnail, record
    }

    private struct State {
        var inHand: [Stage: Int] = [:]
        var done: [Stage: Int] = [:]
        var current: [ItemIdentifier: Current] = [:]
        var bytesSent: Int64 = 0
        var sent = 0
    }

    private let state = Mutex(State())
    private let wake: WakeEvent
    /// What became of files since the start.
    package let events: EventCounter

    /// Nothing is in hand yet; `wake` is notified whenever a stage is done with something.
    ///
    /// While other files are under way, only the sender is told that a file was read, because it has to send it.
    package init(wake: WakeEvent, events: EventCounter = EventCounter()) {
        self.wake = wake
        self.events = events
    }

    /// Runs `body`, during which one more counts as in hand of `stage`.
    package func counting<Value>(
        _ stage: Stage, _ body: () async throws -> Value
    ) async rethrows -> Value {
        begin(stage)
        defer { end(stage) }
        return try await body()
    }

    /// Counts `count` more as in hand of `stage`, until `end` is called for as many.
    package func begin(_ stage: Stage, count: Int = 1) {
        state.withLock { $0.inHand[stage, default: 0] += count }
    }

    /// Counts `count` as done instead of in hand, and notifies whatever waits.
    package func end(_ stage: Stage, count: Int = 1) {
        let isQuiet = state.withLock { state in
            state.inHand[stage, default: 0] -= count
            state.done[stage, default: 0] += count
            return state.current.isEmpty && state.inHand.values.allSatisfy { $0 == 0 }
        }
        switch stage {
        case .identify where !isQuiet, .thumbnail where !isQuiet: wake.notify(.sending)
        default: wake.notify()
        }
    }

    /// Runs one attempt at `item`, which is shown as current meanwhile.
    func sending(
        _ item: Item, _ body: (@escaping @Sendable (TransferProgress) -> Void) async throws -> Sending
    ) async rethrows -> Sending {
        state.withLock { $0.current[item.id] = Current(path: item.path, size: item.size, sent: 0) }
        defer {
            state.withLock { state in
                let last = state.current.removeValue(forKey: item.id)
                state.bytesSent += last?.sent ?? 0
                state.sent += 1
            }
        }
        let sending = try await body { progress in
            self.state.withLock { $0.current[item.id]?.sent = progress.sent }
        }
        if case .accepted(let accepted) = sending, accepted.isUploaded {
            state.withLock { $0.current[item.id]?.sent = item.size }
        }
        return sending
    }

    /// A look at everything at once.
    package struct Snapshot: Hashable, Sendable {
        /// Walks under way.
        package let scanning: Int
        /// Assets that are being read.
        package let identifying: Int
        /// Assets whose pictures are being made.
        package let thumbnailing: Int
        /// Items whose attempt has ended, but is not yet recorded.
        package let recording: Int
        /// Assets read since the start.
        package let identified: Int
        /// Assets whose pictures were dealt with since the start.
        package let thumbnailed: Int
        /// Attempts that ended, with whatever outcome.
        package let attempts: Int
        /// Body bytes of all attempts so far, running ones included.
        package let bytesSent: Int64
        /// Files that are being sent, the largest first.
        package let current: [Current]

        /// Whether no stage has anything in hand.
        package var isQuiet: Bool {
            scanning == 0 && identifying == 0 && thumbnailing == 0 && recording == 0 && current.isEmpty
        }
    }

    /// Whether a file is being sent.
    package var isSending: Bool { state.withLock { !$0.current.isEmpty } }

    /// Whether a walk is under way.
    package var isScanning: Bool { state.withLock { $0.inHand[.scan, default: 0] > 0 } }

    /// All counts as they are at this moment.
    package var snapshot: Snapshot {
        state.withLock { state in
            Snapshot(
                scanning: state.inHand[.scan, default: 0], identifying: state.inHand[.identify, default: 0],
                thumbnailing: state.inHand[.thumbnail, default: 0], recording: state.inHand[.record, default: 0],
                identified: state.done[.identify, default: 0], thumbnailed: state.done[.thumbnail, default: 0],
                attempts: state.sent, bytesSent: state.current.values.reduce(state.bytesSent) { $0 + $1.sent },
                current: state.current.values.sorted { $0.size > $1.size })
        }
    }
}
