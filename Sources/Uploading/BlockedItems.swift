package import Catalog
package import FoundationEssentials
package import Queue

/// Moves blocked items that are too many for the queue's window to the library, and back.
///
/// An item leaves the queue only once the library holds it durably, and the library only once the queue does:
/// after a crash in between both have it, and the queue's copy counts. Only one loop may call this.
package struct BlockedItems: Sendable {
    let queue: UploadQueue
    let library: Library
    /// As `Destination.name` writes it.
    let destination: String
    /// Items free to run or backing off that the queue is to hold.
    package let window: Int

    /// Shares the blocked items of one destination between `queue` and `library`.
    package init(queue: UploadQueue, library: Library, destination: String, window: Int) {
        self.queue = queue
        self.library = library
        self.destination = destination
        self.window = window
    }

    /// Blocked items that stay in the window.
    var limit: Int { window / 10 }

    /// Items that go back into the queue at once.
    static let batch = 500

    /// Moves all blocked items to the library once they fill more than a tenth of the window.
    package func makeRoom() async throws {
        guard await queue.count().blocked > limit else { return }
        let blocked = await queue.unfinished().filter { $0.blocked != nil }
        let kept = try await library.keep(blocked: blocked, destination: destination)
        let known = Dictionary(blocked.filter { kept.contains($0.id) }.map { ($0.id, $0) }) { $1 }
        // An item that changed meanwhile differs from what the library holds, so it stays in the queue.
        let moved = Set(try await queue.withdraw { known[$0.id] == $0 }.map(\.id))
        try await library.settle(
            blockedBut: known.values.filter { !moved.contains($0.id) }, destination: destination)
    }

    /// Brings back items that may be sent again, as far as the window has room; returns how many.
    package func bringBack(now: Date) async throws -> Int {
        guard library.hasBlocked else { return 0 }
        let room = window - (await queue.count().unblocked)
        guard room > 0 else { return 0 }
        let freed = try await library.freed(min(room, Self.batch))
        guard !freed.isEmpty else { return 0 }
        try await queue.readmit(freed, now: now)
        let unwanted = Set(try await library.forget(freed: freed).map(\.item.id))
        if !unwanted.isEmpty { _ = try await queue.withdraw { unwanted.contains($0.id) } }
        return freed.count
    }

    /// Run at a start: drops from the library what a crash left both there and in the queue.
    package func reconcile() async throws {
        try await library.reconcile(blockedWith: await queue.all(), destination: destination)
    }
}
