package import FoundationEssentials
package import Platform

/// The queue's figures, read from its files by somebody who does not hold the lock.
package struct QueueGlance: Hashable, Sendable {
    package private(set) var counts = QueueCounts()
    /// When the next item falls due.
    package private(set) var nextAttempt: Date?
    package let blocked: [Report.Blocked]

    /// Reads the queue in a state directory; one that is not there yet is empty.
    package init(state: FilePath) throws {
        self.init(try QueueStore(state: state).load().items)
    }

    init(_ items: [Item]) {
        blocked = Report.Blocked.counted(items)
        for item in items {
            counts.add(item)
            guard item.status == .pending, item.blocked == nil, let date = item.nextAttemptAt else { continue }
            nextAttempt = min(nextAttempt ?? date, date)
        }
    }
}
