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
    /// Of these, thumbnails.
    package var pictures = Pictures()
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
        if item.role != .original { pictures.count(item.status, step) }
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

extension QueueCounts {
    /// Items of thumbnails by state.
    package struct Pictures: Codable, Hashable, Sendable {
        /// Of the pending items.
        package private(set) var pending = 0
        /// Of the items that are being sent.
        package private(set) var uploading = 0
        /// Of the completed items that the queue still keeps.
        package private(set) var completed = 0
        /// Of the failed items that the queue still keeps.
        package private(set) var failed = 0

        /// The counts of an empty queue.
        package init() {}

        /// Counts `step` items more in one state.
        package mutating func count(_ status: Item.Status, _ step: Int) {
            switch status {
            case .pending: pending += step
            case .uploading: uploading += step
            case .completed: completed += step
            case .failed: failed += step
            }
        }
    }
}
