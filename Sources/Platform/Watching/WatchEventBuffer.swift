import Synchronization

/// Events on their way from the thread that empties the kernel's queue to the task that handles them.
///
/// Adding an event never blocks the thread. Duplicates are left out, such as the second of two writes to one
/// file, and too many events become one `overflow`.
final class WatchEventBuffer: Sendable {
    private struct State {
        var waiting: [WatchEvent] = []
        /// The index of the first event in `waiting` that was not taken.
        var next = 0
        /// The last waiting event of each path.
        var last: [FilePath: WatchEvent] = [:]
        var receiver: CheckedContinuation<WatchEvent?, Never>?
        var isFinished = false

        mutating func take() -> WatchEvent? {
            guard next < waiting.count else { return nil }
            let event = waiting[next]
            next += 1
            if let path = event.path, last[path] == event { last[path] = nil }
            if next == waiting.count { clear() }
            return event
        }

        mutating func clear() {
            waiting.removeAll(keepingCapacity: next < 1024)
            last.removeAll(keepingCapacity: next < 1024)
            next = 0
        }

        mutating func append(_ event: WatchEvent) {
            if let path = event.path { last[path] = event }
            waiting.append(event)
        }
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int = 1 << 16) {
        self.capacity = capacity
    }

    /// Adds `event`, or gives it to the task that waits.
    func send(_ event: WatchEvent) {
        let receiver = state.withLock { state -> CheckedContinuation<WatchEvent?, Never>? in
            if let receiver = state.receiver {
                state.receiver = nil
                return receiver
            }
            if let path = event.path, state.last[path] == event { return nil }
            if state.waiting.count - state.next >= capacity {
                let kept = state.waiting[state.next...].filter(Self.isToldOnce).prefix(capacity / 2)
                state.clear()
                state.append(.overflow)
                kept.forEach { state.append($0) }
            }
            state.append(event)
            return nil
        }
        receiver?.resume(returning: event)
    }

    /// Whether a later scan cannot find out what the event says, namely that no more directories can be watched.
    private static func isToldOnce(_ event: WatchEvent) -> Bool {
        if case .unwatched(_, let error) = event { error.isDiskFull } else { false }
    }

    /// Ends the buffer: `next` returns `nil` after the events that are queued.
    func finish() {
        let receiver = state.withLock { state in
            state.isFinished = true
            return exchange(&state.receiver, with: nil)
        }
        receiver?.resume(returning: nil)
    }

    /// The next event; `nil` after the last one, or when the task is cancelled, which ends the buffer.
    func next() async -> WatchEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (event, isReady) = state.withLock { state -> (WatchEvent?, Bool) in
                    if let event = state.take() { return (event, true) }
                    if state.isFinished { return (nil, true) }
                    state.receiver = continuation
                    return (nil, false)
                }
                if isReady { continuation.resume(returning: event) }
            }
        } onCancel: {
            finish()
        }
    }
}

extension WatchEvent {
    /// The path that the event is about; `nil` where it is about the whole tree.
    fileprivate var path: FilePath? {
        switch self {
        case .written(let path), .modified(let path), .removed(let path), .directoryAppeared(let path),
            .directoryVanished(let path), .unwatched(let path, _):
            path
        case .overflow, .rootVanished: nil
        }
    }
}
