package import FoundationEssentials
import Queue
import Records
import Synchronization
package import Text

/// Counts what becomes of files while the agent runs, and tells the log and a listener of each.
package final class EventCounter: Sendable {
    private struct State {
        var tally = Tally()
        var changedAt: Date?
    }

    private let state = Mutex(State())
    private let log: Log
    private let clock: @Sendable () -> Date
    private let listener: @Sendable (FileEvent) -> Void

    /// An empty one; each event is a line of detail in `log`.
    ///
    /// - Parameter listener: Called on any thread, once for each event.
    package init(
        log: Log = .silent, clock: @escaping @Sendable () -> Date = { Date() },
        listener: @escaping @Sendable (FileEvent) -> Void = { _ in }
    ) {
        self.log = log
        self.clock = clock
        self.listener = listener
    }

    /// What happened since the start.
    package var tally: Tally { state.withLock { $0.tally } }

    /// When the last event came; `nil` before the first.
    package var changedAt: Date? { state.withLock { $0.changedAt } }

    /// Takes in what became of a file.
    package func note(_ event: FileEvent) {
        let now = clock()
        state.withLock { state in
            state.tally.note(event)
            state.changedAt = now
        }
        tell(event)
        listener(event)
    }

    /// Counts one file of a provider that got its receipt.
    package func noteRescued() { state.withLock { $0.tally.rescued += 1 } }

    private func tell(_ event: FileEvent) {
        let size = "\(event.size)"
        let role = event.role.rawValue
        switch event.fate {
        case .stored(let standing, let proof):
            log.debug(
                standing == .moved ? "Moved" : standing == .found ? "Found" : "Stored",
                [
                    "path": event.path, "role": role, "size": size, "standing": standing.rawValue,
                    "proof": proof.rawValue,
                ])
        case .failed(let failure): log.debug("Failed", Self.details(event, failure))
        case .held(_, let failure): log.debug("Refused", Self.details(event, failure))
        case .withdrawn: log.debug("Withdrawn", ["path": event.path, "role": role, "size": size])
        }
    }

    private static func details(_ event: FileEvent, _ failure: Item.Failure) -> KeyValuePairs<String, String> {
        [
            "path": event.path, "role": event.role.rawValue, "size": "\(event.size)", "code": failure.code.text,
            "reason": failure.message,
        ]
    }
}
