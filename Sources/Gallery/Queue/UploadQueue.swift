package import FoundationEssentials
import Platform

/// The single writer of the upload queue.
///
/// A change is made in memory and handed to the journal in one step that never suspends; the `async`
/// methods return once that line is durable, so nobody acts on what a crash could take back.
package actor UploadQueue {
    private let thread = SerialThread(name: "queue")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    private let store: QueueStore
    private let ladder: RetryLadder
    private var journal: Journal
    private var journalNumber: Int
    private(set) var items: [ItemIdentifier: Item] = [:]
    /// The newest item of each place that is not completed.
    private var places: [String: ItemIdentifier] = [:]
    /// Who is being sent to a place now; a newer item of the place waits for it.
    private var active: [String: ItemIdentifier] = [:]
    private var activePlaces: [ItemIdentifier: String] = [:]
    private var origins: [ItemIdentifier: Asset.Rank.Origin] = [:]
    private var waiting = Waiting()
    /// Completed and failed items, oldest first; `items` tells which still are.
    private var completed: [ItemIdentifier] = []
    private var failed: [ItemIdentifier] = []
    private var counts = QueueCounts()
    /// What could not be read at start.
    package let warnings: [String]

    /// Bytes of a journal at which it is folded into `queue.json`.
    static let foldSize = 8 << 20
    /// Items free to run or backing off that the window holds.
    package static let window = 10_000
    /// Completed and failed items that stay readable in `queue.json`, each.
    package static let kept = 1_000

    /// Loads what `store` holds, makes interrupted work pending again, and starts a fresh journal.
    package init(store: QueueStore, ladder: RetryLadder = RetryLadder(), now: Date) throws {
        let loaded = try store.load()
        self.store = store
        self.ladder = ladder
        warnings = loaded.warnings
        journalNumber = loaded.nextJournal
        let recovered = Self.trimmed(loaded.items.map(\.recovered))
        journal = try store.fold(recovered, journal: loaded.nextJournal)
        for item in recovered {
            items[item.id] = item
            counts.add(item)
            if item.status == .completed { completed.append(item.id) } else { places[item.place] = item.id }
            if item.status == .failed { failed.append(item.id) }
            waiting.insert(item, origin: .backlog, at: now)
        }
    }

    /// All open items, and the newest of those that are done.
    private static func trimmed(_ items: [Item]) -> [Item] {
        var surplus = [
            Item.Status.completed: items.count { $0.status == .completed } - kept,
            .failed: items.count { $0.status == .failed } - kept,
        ]
        return items.filter { item in
            guard let left = surplus[item.status], left > 0 else { return true }
            surplus[item.status] = left - 1
            return false
        }
    }
}

// MARK: - What callers await

extension UploadQueue {
    /// What became of an item that was offered.
    package enum Admission: Hashable, Sendable {
        case added
        /// An open item of the same content is on its way already.
        case known(ItemIdentifier)
    }

    /// Puts `item` into the queue; an item of the same place with other content gives way to it.
    ///
    /// An open item of the same content stands, unless it was made before `notOlderThan`. Returns when that is durable.
    package nonisolated func add(
        _ item: Item, origin: Asset.Rank.Origin, notOlderThan date: Date? = nil, now: Date
    ) async throws -> Admission {
        let (admission, commit) = try await admit(item, origin: origin, notOlderThan: date, now: now)
        try await commit?.wait()
        return admission
    }

    /// The next due item, durably `uploading`, or `nil` when none is due.
    package nonisolated func claim(_ lane: Lane = .any, now: Date) async throws -> Item? {
        guard let (item, commit) = try await take(lane, now: now) else { return nil }
        try await commit.wait()
        return item
    }

    /// Applies how sending ended, durably; the item as it is now, or `nil` when it is gone.
    @discardableResult
    package nonisolated func finish(
        _ id: ItemIdentifier, _ outcome: UploadOutcome, now: Date
    ) async throws -> Item? {
        guard let (item, commit) = try await apply(outcome, to: id, now: now) else { return nil }
        try await commit.wait()
        return item
    }

    /// Applies the ends of many, durably, with one wait for the disk.
    package nonisolated func finish(_ outcomes: [(ItemIdentifier, UploadOutcome)], now: Date) async throws {
        try await applyAll(outcomes, now: now)?.wait()
    }

    /// Changes every item that `change` returns something new for, durably; how many those were.
    @discardableResult
    package nonisolated func update(now: Date, _ change: @Sendable @escaping (Item) -> Item?) async throws -> Int {
        let (count, commit) = try await rewrite(now: now, change)
        try await commit?.wait()
        return count
    }

    /// Removes open and failed items that `isUnwanted` names, durably, unless they are being sent; those removed.
    package nonisolated func withdraw(_ isUnwanted: @Sendable @escaping (Item) -> Bool) async throws -> [Item] {
        let (items, commit) = try await remove(isUnwanted)
        try await commit?.wait()
        return items
    }

    package typealias Lane = WaitingLane
}

// MARK: - Changes, none of which suspends

extension UploadQueue {
    private func admit(
        _ item: Item, origin: Asset.Rank.Origin, notOlderThan date: Date?, now: Date
    ) throws -> (Admission, Commit?) {
        if let id = places[item.place], let open = items[id] {
            if open.isOpen, open.sha256 == item.sha256, open.size == item.size, open.modifiedAt == item.modifiedAt,
                open.createdAt >= date ?? .distantPast
            {
                return (.known(id), nil)
            }
            forget(open)
            _ = try append(.withdrawn(id))
        }
        origins[item.id] = origin
        let commit = try put(item, now: now)
        return (.added, commit)
    }

    private func take(_ lane: Lane, now: Date) throws -> (Item, Commit)? {
        waiting.advance(to: now) { id in items[id].map { ($0, origins[id] ?? .backlog) } }
        while let id = waiting.popFirst(lane) {
            guard let item = items[id], let claimed = item.claimed(at: now) else { continue }
            // Somebody still sends to this place; its `apply` brings the item back.
            guard active[item.place] == nil else { continue }
            active[item.place] = id
            activePlaces[id] = item.place
            return (claimed, try put(claimed, now: now))
        }
        return nil
    }

    private func apply(_ outcome: UploadOutcome, to id: ItemIdentifier, now: Date) throws -> (Item?, Commit)? {
        guard let item = items[id] else {
            release(id, now: now)
            return nil
        }
        let next = item.after(outcome, at: now, ladder: ladder, random: .random(in: 0..<1))
        guard let next else {
            forget(item)
            release(id, now: now)
            return (nil, try append(.withdrawn(id)))
        }
        let commit = try put(next, now: now)
        if next.status != .uploading { release(id, now: now) }
        return (next, commit)
    }

    private func applyAll(_ outcomes: [(ItemIdentifier, UploadOutcome)], now: Date) throws -> Commit? {
        var last: Commit?
        for (id, outcome) in outcomes {
            if let (_, commit) = try apply(outcome, to: id, now: now) { last = commit }
        }
        return last
    }

    /// Lets the newest item of the place that `id` was sent to have its turn.
    private func release(_ id: ItemIdentifier, now: Date) {
        guard let place = activePlaces.removeValue(forKey: id) else { return }
        active[place] = nil
        if let next = places[place], next != id, let item = items[next] {
            waiting.insert(item, origin: origins[next] ?? .backlog, at: now)
        }
    }

    private func rewrite(now: Date, _ change: (Item) -> Item?) throws -> (Int, Commit?) {
        var count = 0
        var last: Commit?
        for item in items.values.sorted(by: { $0.id.text < $1.id.text }) where item.status != .completed {
            guard item.status != .uploading, let next = change(item), next != item else { continue }
            last = try put(next, now: now)
            count += 1
        }
        return (count, last)
    }

    private func remove(_ isUnwanted: (Item) -> Bool) throws -> ([Item], Commit?) {
        var removed: [Item] = []
        var last: Commit?
        for item in items.values where item.status == .pending || item.status == .failed {
            guard isUnwanted(item) else { continue }
            forget(item)
            removed.append(item)
            last = try append(.withdrawn(item.id))
        }
        return (removed, last)
    }

    /// Makes `item` what memory holds, and hands it to the journal.
    private func put(_ item: Item, now: Date) throws -> Commit {
        if let old = items.updateValue(item, forKey: item.id) { counts.remove(old) }
        counts.add(item)
        switch item.status {
        case .completed:
            if places[item.place] == item.id { places[item.place] = nil }
            origins[item.id] = nil
            completed.append(item.id)
            trim(&completed, .completed)
        case .failed:
            failed.append(item.id)
            trim(&failed, .failed)
            places[item.place] = item.id
        case .pending, .uploading:
            places[item.place] = item.id
        }
        waiting.insert(item, origin: origins[item.id] ?? .backlog, at: now)
        return try append(.set(item))
    }

    private func forget(_ item: Item) {
        guard let old = items.removeValue(forKey: item.id) else { return }
        counts.remove(old)
        origins[item.id] = nil
        if places[old.place] == old.id { places[old.place] = nil }
    }

    /// Drops the oldest done items beyond what `queue.json` keeps; the library knows them all.
    private func trim(_ done: inout [ItemIdentifier], _ status: Item.Status) {
        guard done.count > Self.kept + Self.kept / 4 else { return }
        var seen: Set<ItemIdentifier> = []
        let current = done.reversed().filter { items[$0]?.status == status && seen.insert($0).inserted }
        for id in current.dropFirst(Self.kept) {
            if let item = items[id] { forget(item) }
        }
        done = current.prefix(Self.kept).reversed()
    }

    private func append(_ change: QueueChange) throws -> Commit {
        if journal.byteCount > Self.foldSize { try fold() }
        return journal.append(try change.encoded())
    }

    private func fold() throws {
        let ordered = items.values.sorted { $0.id.text < $1.id.text }
        journal = try store.fold(ordered, journal: journalNumber + 1)
        journalNumber += 1
    }

    /// Folds the journal into `queue.json`; for a clean stop.
    package func close() throws {
        try fold()
    }
}

// MARK: - Looks

extension UploadQueue {
    /// How many items are in which state.
    package func count() -> QueueCounts { counts }

    /// When the next item falls due; `nil` when none waits for a time.
    package func nextAttempt() -> Date? {
        waiting.nextDate { id in
            guard let item = items[id], item.status == .pending else { return false }
            return item.blocked == nil && item.nextAttemptAt != nil
        }
    }

    package func item(_ id: ItemIdentifier) -> Item? { items[id] }

    /// The item that is to fill `place`, if it is not completed.
    package func item(at place: String) -> Item? { places[place].flatMap { items[$0] } }

    /// All items in the order they were made.
    package func all() -> [Item] { items.values.sorted { $0.id.text < $1.id.text } }
}
