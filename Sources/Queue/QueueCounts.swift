/// How many items are in which state, and how many of the pending ones are blocked or backing off.
package struct QueueCounts: Codable, Hashable, Sendable {
    /// Pending items, the blocked ones included.
    package var pending = 0
    /// Items that are being sent.
    package var uploading = 0
    /// Completed items that the queue still keeps.
    package var completed = 0
    /// Failed items that the queue still keeps.
    package var failed = 0
    /// Pending items that are blocked.
    package var blocked = 0
    /// Pending items that wait for their next attempt after a failure.
    package var retrying = 0

    /// The counts of an empty queue.
    package init() {}

    /// Items that are pending or uploading.
    package var open: Int { pending + uploading }
    /// Items free to run or backing off, whose number the window limits.
    package var unblocked: Int { open - blocked }

    mutating func add(_ item: Item) { count(item, 1) }
    mutating func remove(_ item: Item) { count(item, -1) }

    private mutating func count(_ item: Item, _ step: Int) {
        switch item.status {
        case .pending:
            pending += step
            if item.blocked != nil { blocked += step }
            if item.blocked == nil, item.nextAttemptAt != nil { retrying += step }
        case .uploading: uploading += step
        case .completed: completed += step
        case .failed: failed += step
        }
    }
}
