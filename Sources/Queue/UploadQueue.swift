package import FoundationEssentials
import Platform

/// The single writer of the upload queue.
///
/// A change is made in memory and passed to the journal in one step that never suspends; the `async` methods
/// return once that line is durable, so no caller acts on what a crash could undo. After a failed fold, every
/// change throws: the disk then holds what was acknowledged, or more.
///
/// It shares the threads of all tasks, although folding the journal waits for the disk, because it folds once in some
/// 20,000 changes, while a thread of its own would cost five switches for each upload.
package actor UploadQueue {
    private let ladder: RetryLadder
    private var items: QueueWindow
    private var writer: RecordWriter<Item>
    /// What could not be read at start.
    package nonisolated let warnings: [String]
    private let interrupted: Set<ItemIdentifier>

    /// The most items free to run or backing off; blocked ones may be a tenth as many.
    package static let window = 3_000

    /// Loads `store` and makes interrupted items pending again, durably where that changes anything.
    package init(store: QueueStore, ladder: RetryLadder = RetryLadder(), foldSize: Int = 8 << 20, now: Date) throws {
        try self.init(store: store, after: store.load(), ladder: ladder, foldSize: foldSize, now: now)
    }

    /// Does so after `loaded`, which was just read from `store`.
    package init(
        store: QueueStore, after loaded: QueueStore.Loaded, ladder: RetryLadder, foldSize: Int = 8 << 20, now: Date
    ) throws {
        self.ladder = ladder
        warnings = loaded.warnings
        interrupted = Set(loaded.entries.filter { $0.isInDoubt }.map(\.id))
        items = QueueWindow(loaded.entries, at: now)
        writer = try RecordWriter(store, after: loaded, entries: items.all, foldSize: foldSize)
    }
}

// MARK: - What callers await

extension UploadQueue {
    /// What became of an item that was to be added.
    package enum Admission: Hashable, Sendable {
        case added
        /// An open item of the same content is in the queue already.
        case known(ItemIdentifier)
        /// Nothing was done: this item would be replaced, but it is being sent, to the same key.
        case displaces(Item)
        /// Nothing was done: an open item of another file fills the place, beside the key that it had first.
        case occupied
    }

    /// Adds `item` to the queue; it replaces an item of the same place with other content.
    ///
    /// An open item of the same content is kept instead, unless it was made before the user asked for the bytes again.
    /// Returns when the change is durable.
    ///
    /// - Parameter remembered: The item that may be replaced although it is being sent, because the caller has noted
    ///   that its bytes may be stored.
    package nonisolated func add(
        _ item: Item, origin: Asset.Rank.Origin, displacing remembered: Item? = nil, now: Date
    ) async throws -> Admission {
        let (admission, commit) = try await admit(
            item, origin: origin, displacing: remembered?.id, now: now)
        try await commit?.wait()
        return admission
    }

    /// The next due item, durably `uploading`, or `nil` when none is due.
    ///
    /// The caller must `finish` it, even when the item was replaced meanwhile: until then no other caller gets an item
    /// for that place.
    package nonisolated func claim(_ lane: Lane = .any, now: Date) async throws -> Item? {
        try await reserve(lane, now: now)?.item()
    }

    /// The next due item, reserved for the caller; durably `uploading` once the claim's `item()` returns.
    ///
    /// Several claims that are made before the first is awaited share one wait for the disk.
    package nonisolated func reserve(_ lane: Lane = .any, now: Date) async throws -> Claim? {
        try await take(lane, now: now).map(Claim.init)
    }

    /// An item that is about to be sent.
    package struct Claim: Sendable {
        /// The number of bytes to send.
        package var size: Int64 { claimed.size }
        private let claimed: Item
        private let commit: Commit?

        fileprivate init(_ claimed: Item, _ commit: Commit?) {
            self.claimed = claimed
            self.commit = commit
        }

        /// The item, once its state `uploading` is durable.
        package func item() async throws -> Item {
            try await commit?.wait()
            return claimed
        }
    }

    /// Applies the outcome of sending, durably; returns the item, or `nil` when it was removed.
    ///
    /// An item that is not being sent is returned unchanged.
    ///
    /// - Parameter isDurable: Whether to wait for the disk; if not, it becomes durable with the next change that waits.
    @discardableResult
    package nonisolated func finish(
        _ id: ItemIdentifier, _ outcome: UploadOutcome, isDurable: Bool = true, now: Date
    ) async throws -> Item? {
        let (item, commit) = try await apply(outcome, to: id, now: now)
        if isDurable { try await commit?.wait() }
        return item
    }

    /// Applies many outcomes, durably, with one wait for the disk.
    package nonisolated func finish(_ outcomes: [(ItemIdentifier, UploadOutcome)], now: Date) async throws {
        try await applyAll(outcomes, now: now)?.wait()
    }

    /// Records the progress of an item that is being sent; a larger offset resets its `retryCount`.
    ///
    /// Durable on return where `isDurable`; if not, with the next change that waits. An unknown item is ignored.
    package nonisolated func keep(_ resume: Item.Resume?, of id: ItemIdentifier, isDurable: Bool) async throws {
        let commit = try await note(resume, of: id)
        if isDurable { try await commit?.wait() }
    }

    /// Returns once every change so far is durable.
    package nonisolated func synchronize() async throws {
        try await lastCommit()?.wait()
    }

    /// Applies `change` to pending and failed items, durably; returns how many it changed.
    @discardableResult
    package nonisolated func update(now: Date, _ change: @Sendable @escaping (Item) -> Item?) async throws -> Int {
        let (count, commit) = try await rewrite(now: now, change)
        try await commit?.wait()
        return count
    }

    /// Removes pending and failed items that `isUnwanted` selects, durably, and returns them.
    package nonisolated func withdraw(_ isUnwanted: @Sendable @escaping (Item) -> Bool) async throws -> [Item] {
        let (items, commit) = try await remove(isUnwanted)
        try await commit?.wait()
        return items
    }

    /// Takes items back from the library, durably; those whose places are already filled are left out.
    package nonisolated func readmit(_ freed: [FreedItem], now: Date) async throws {
        try await takeBack(freed, now: now)?.wait()
    }

    /// Which items a claim takes.
    package typealias Lane = WaitingLane
}

// MARK: - Changes, none of which suspends

extension UploadQueue {
    private func admit(
        _ item: Item, origin: Asset.Rank.Origin, displacing remembered: ItemIdentifier?, now: Date
    ) throws -> (Admission, Commit?) {
        if let old = items.item(at: item.place) {
            if old.isOpen, !old.isOfSameFile(as: item) { return (.occupied, nil) }
            if old.id != remembered, old.hasUnproven(otherThan: item) { return (.displaces(old), nil) }
        }
        let (admission, changes) = items.admit(item, origin: origin, at: now)
        return (admission, try record(changes))
    }

    private func take(_ lane: Lane, now: Date) throws -> (Item, Commit?)? {
        guard let item = items.claim(lane, at: now) else { return nil }
        return (item, try record([.set(item)]))
    }

    private func apply(_ outcome: UploadOutcome, to id: ItemIdentifier, now: Date) throws -> (Item?, Commit?) {
        let (item, changes) = items.apply(
            outcome, to: id, at: now, ladder: ladder, random: .random(in: 0..<1))
        return (item, try record(changes))
    }

    private func applyAll(_ outcomes: [(ItemIdentifier, UploadOutcome)], now: Date) throws -> Commit? {
        for (id, outcome) in outcomes { _ = try apply(outcome, to: id, now: now) }
        return writer.last
    }

    private func note(_ resume: Item.Resume?, of id: ItemIdentifier) throws -> Commit? {
        try record(items.keep(resume, of: id))
    }

    private func rewrite(now: Date, _ change: (Item) -> Item?) throws -> (Int, Commit?) {
        let changes = items.rewrite(at: now, change)
        return (changes.count, try record(changes))
    }

    private func takeBack(_ freed: [FreedItem], now: Date) throws -> Commit? {
        try record(items.readmit(freed, at: now))
    }

    private func remove(_ isUnwanted: (Item) -> Bool) throws -> ([Item], Commit?) {
        let removed = items.remove(where: isUnwanted)
        return (removed, try record(removed.map { .withdrawn($0.id) }))
    }

    /// Passes changes, already made in memory, to the journal; returns what to wait for until all is durable.
    private func record(_ changes: [QueueChange]) throws -> Commit? {
        try writer.record(changes) { items.all }
    }

    private func lastCommit() -> Commit? { writer.last }

    /// Folds the journal into `queue.json`; for a clean stop.
    package func close() throws { try writer.close { items.all } }
}

// MARK: - Looks

extension UploadQueue {
    /// How many items are in which state.
    package func count() -> QueueCounts { items.counts }

    /// When the next pending item falls due; `nil` when none waits for a time.
    package func nextAttempt() -> Date? { items.nextAttempt() }

    /// What the queue waits for, all at one moment.
    package struct Rest: Sendable {
        /// How many items are in which state.
        package let counts: QueueCounts
        /// Whether an item is due that no sender has claimed.
        package let hasDue: Bool
        /// When the next pending item falls due; `nil` when none waits for a time.
        package let nextAttempt: Date?
    }

    /// The counts and what the queue waits for at `now`; changes no item.
    package func rest(at now: Date) -> Rest {
        Rest(counts: items.counts, hasDue: items.hasDue(at: now), nextAttempt: items.nextAttempt())
    }

    /// The item with that identifier, as long as the queue keeps it.
    package func item(_ id: ItemIdentifier) -> Item? { items.items[id] }

    /// The item that is to fill `place`, if it is not completed.
    package func item(at place: String) -> Item? { items.item(at: place) }

    /// The items that are to fill `places`; places without an item that is not completed are left out.
    package func items(at places: [String]) -> [Item] { places.compactMap(items.item) }

    /// All items in the order they were made.
    package func all() -> [Item] { items.all }

    /// The items that an earlier run was sending when it ended, or had not proven; they are not completed yet.
    package func interruptedItems() -> [Item] {
        interrupted.isEmpty ? [] : items.unfinished.filter { interrupted.contains($0.id) }
    }

    /// All items but completed ones, in the order they were made.
    package func unfinished() -> [Item] { items.unfinished }
}
