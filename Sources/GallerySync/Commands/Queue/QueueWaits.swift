import Queue
import Reporting

/// What keeps items waiting that do not say so themselves.
struct QueueWaits: Sendable {
    /// The cause that stands in the way of everything, as an unreachable storage does; `nil` if there is none.
    let wall: BlockedCause?
    /// Whether the user has paused the queue.
    let isPaused: Bool

    /// What an item waits for, in the words of a status, or its own state.
    func state(of item: Item) -> String {
        // Only the items that were tried are marked, and each row must say by itself why it waits.
        if let cause = item.blockedCause ?? (item.isDue ? wall : nil) {
            return BlockedTitle.of(cause.reason.rawValue, code: cause.code)
        }
        // Items that are being sent when the queue is paused go on to their end.
        let waits = isPaused && item.status == .pending
        return waits ? BlockedTitle.of(Item.Blocked.paused.rawValue) : item.status.rawValue
    }
}
