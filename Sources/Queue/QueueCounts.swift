/// How many items are in which state, and why pending ones do not move.
package struct QueueCounts: Codable, Hashable, Sendable {
    package var pending = 0
    package var uploading = 0
    package var completed = 0
    package var failed = 0
    /// Pending items in whose way something is.
    package var blocked = 0
    /// Pending items that wait for their next attempt after a failure.
    package var retrying = 0

    package init() {}

    /// Items that are not done.
    package var open: Int { pending + uploading }
    /// Items free to run or backing off: what the window bounds.
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
