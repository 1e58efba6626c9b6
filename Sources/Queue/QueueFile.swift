/// `queue.json`: the queue's window, one item a line.
package typealias QueueFile = RecordFile<Item>

/// One line of `queue.journal.N.jsonl`.
package typealias QueueChange = RecordChange<Item>

/// The queue on disk: `queue.json`, its journals, and what was unreadable in them.
package typealias QueueStore = RecordStore<Item>

extension Item: Storable {
    package static let storeName = "queue"
    package static let listName = "items"
    package static func summary(of entries: [Item]) -> String? { QueueSnapshot(entries).json }
}
