package import FoundationEssentials
package import Platform

/// The queue's figures, read from its files by somebody who does not hold the lock.
package struct QueueSnapshot: Codable, Hashable, Sendable {
    package private(set) var counts = QueueCounts()
    /// When the next item falls due.
    package private(set) var nextAttempt: Date?
    /// How many items have what in their way, by its cause.
    package private(set) var blocks: [String: Int] = [:]

    /// Reads the queue in a state directory; one that is not there yet is empty.
    ///
    /// The head of `queue.json` sums up the rest; only when a journal has gone on since are items read.
    package init(state: FilePath) throws {
        let store = try QueueStore(state: state)
        if let summary: QueueSnapshot = try store.summary() {
            self = summary
        } else {
            self.init(try store.load().entries)
        }
    }

    init(_ items: [Item]) {
        for item in items {
            counts.add(item)
            if let cause = item.blockedCause { blocks[cause, default: 0] += 1 }
            guard item.status == .pending, item.blocked == nil, let date = item.nextAttemptAt else { continue }
            nextAttempt = min(nextAttempt ?? date, date)
        }
    }

    /// As it stands in the head of `queue.json`, without a line break.
    var json: String {
        // Counts and a date always encode.
        (try? QueueCoding.encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
