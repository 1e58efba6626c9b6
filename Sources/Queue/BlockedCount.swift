/// How many items wait for one cause, and the item that describes it best.
package struct BlockedCount: Codable, Hashable, Sendable {
    /// Items of files, not of thumbnails.
    package private(set) var files = 0
    /// Items of thumbnails.
    package private(set) var pictures = 0
    /// The smallest item's size: nearest to a limit.
    private var size = Int64.max
    /// The file of the smallest item, with its root's name; empty without an item.
    package private(set) var path = ""
    /// The smallest item's last error; empty where none led to the waiting.
    package private(set) var message = ""

    /// The count of no items.
    package init() {}

    /// The count of `items`, of which `files` are originals, told by the smallest.
    package init(items: Int, files: Int, smallest: Item) {
        add(smallest)
        self.files = files
        pictures = items - files
    }

    /// Counts one more item.
    package mutating func add(_ item: Item) {
        if item.role == .original { files += 1 } else { pictures += 1 }
        tell(size: item.size, path: "\(item.root)/\(item.path)", message: item.lastError?.message ?? "")
    }

    /// The count with one more item.
    func counting(_ item: Item) -> BlockedCount {
        var count = self
        count.add(item)
        return count
    }

    /// Both counts together.
    package func adding(_ other: BlockedCount) -> BlockedCount {
        var sum = self
        sum.files += other.files
        sum.pictures += other.pictures
        sum.tell(size: other.size, path: other.path, message: other.message)
        return sum
    }

    /// The count with due items that wait for the same cause; their own last errors do not describe it.
    func with(behind due: BlockedCount) -> BlockedCount {
        var sum = self
        sum.files += due.files
        sum.pictures += due.pictures
        return sum
    }

    private mutating func tell(size: Int64, path: String, message: String) {
        // A message tells more than none; among equals, the smallest item counts.
        guard (message.isEmpty ? 1 : 0, size) < (self.message.isEmpty ? 1 : 0, self.size) else { return }
        (self.size, self.path, self.message) = (size, path, message)
    }
}
