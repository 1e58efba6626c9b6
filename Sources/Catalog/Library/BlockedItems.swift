package import FoundationEssentials
package import Queue

/// What is blocked and too much for the queue's window: it lives in the library, whole and with its reason.
///
/// An item leaves the queue only once the library holds it durably, and the library only once the queue does:
/// after a crash in between both have it, and the queue's word counts. One loop calls this, nobody beside it.
package struct BlockedItems: Sendable {
    let queue: UploadQueue
    let library: Library
    /// As `Destination.name` writes it.
    let destination: String
    /// Items free to run or backing off that the queue is to hold.
    package let window: Int

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

    /// Moves all that is blocked out of the window, where it is too much.
    package func makeRoom() async throws {
        guard await queue.count().blocked > limit else { return }
        let blocked = await queue.all().filter { $0.blocked != nil }
        let kept = try await library.keep(blocked: blocked, destination: destination)
        let known = Dictionary(blocked.filter { kept.contains($0.id) }.map { ($0.id, $0) }) { $1 }
        // What changed meanwhile is not what the library holds: it stays.
        let moved = Set(try await queue.withdraw { known[$0.id] == $0 }.map(\.id))
        try await library.settle(
            blockedBut: known.values.filter { !moved.contains($0.id) }, destination: destination)
    }

    /// Brings back what may be sent again, as far as the window has room; how many items.
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

    /// After a start: what a crash left in both is the queue's alone.
    package func reconcile() async throws {
        try await library.reconcile(blockedWith: await queue.all(), destination: destination)
    }
}
