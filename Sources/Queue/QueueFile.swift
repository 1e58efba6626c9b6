/// `queue.json`: the queue's window, one item a line.
package typealias QueueFile = RecordFile<Item>

/// One line of `queue.journal.N.jsonl`.
package typealias QueueChange = RecordChange<Item>

/// The queue on disk: `queue.json`, its journals, and the quarantine for unreadable parts.
package typealias QueueStore = RecordStore<Item>

extension Item: Storable {
    /// The files are `queue.json` and `queue.journal.N.jsonl`.
    package static let storeName = "queue"
    /// The items are the list under `items`.
    package static let listName = "items"
    /// The counts and the next attempt, so that `status` need not read every item.
    package static func summary(of entries: [Item]) -> String? { QueueSnapshot(entries).json }
}
