package import FoundationEssentials
package import Platform

/// The queue's figures, read from its files by a process that does not hold the lock.
package struct QueueSnapshot: Codable, Hashable, Sendable {
    /// How many items are in which state.
    package private(set) var counts = QueueCounts()
    /// When the next item falls due.
    package private(set) var nextAttempt: Date?
    /// How many items have what in their way, by the text of its cause.
    private var waits: [String: BlockedCount] = [:]
    /// Pending items that nothing of their own keeps from being sent; `nil` in files of earlier versions.
    private var due: BlockedCount?

    /// Reads the queue in a state directory; a missing queue is empty.
    ///
    /// The head of `queue.json` holds the figures; items are read only when a journal continues it.
    package init(state: FilePath) throws {
        let store = try QueueStore(state: state)
        if let summary: QueueSnapshot = try store.summary() {
            self = summary
        } else {
            self.init(try store.load().entries)
        }
    }

    /// The figures of `items`.
    package init(_ items: [Item]) {
        for item in items {
            counts.add(item)
            if let cause = item.blockedCause { waits[cause.text, default: BlockedCount()].add(item) }
            if item.isDue { due = (due ?? BlockedCount()).counting(item) }
            guard item.status == .pending, item.blocked == nil, let date = item.nextAttemptAt else { continue }
            nextAttempt = min(nextAttempt ?? date, date)
        }
    }

    /// The cause that also keeps the due items waiting, which do not name it themselves; `nil` if there is none.
    package var wall: BlockedCause? {
        waits.keys.compactMap { BlockedCause($0) }.filter(\.isOfAll).min { $0.text < $1.text }
    }

    /// How many items each cause keeps waiting.
    ///
    /// A cause that stands in the way of everything also keeps the due items waiting.
    package var causes: [BlockedCause: BlockedCount] {
        var causes = Dictionary(waits.compactMap { text, count in BlockedCause(text).map { ($0, count) } }) {
            $0.adding($1)
        }
        if let wall, let due { causes[wall] = causes[wall]?.with(behind: due) }
        return causes
    }

    /// Whether anything is in the way of any item, so that reading the items tells more.
    package var hasWaits: Bool { !waits.isEmpty }

    /// As it stands in the head of `queue.json`, without a line break.
    var json: String {
        // Counts and a date always encode.
        (try? QueueCoding.encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
