import FoundationEssentials

/// The queue in memory: its items, and the indexes to find them.
///
/// It decides; `UploadQueue` makes the changes durable.
package struct QueueWindow {
    private(set) var items: [ItemIdentifier: Item] = [:]
    private(set) var counts = QueueCounts()
    /// The newest item of each place that is not completed.
    private var places: [String: ItemIdentifier] = [:]
    /// The place that each sender fills, by the item it claimed; that item may have been removed meanwhile.
    private var senders: [ItemIdentifier: String] = [:]
    /// The places of all senders.
    private var busy: Set<String> = []
    /// Items that came up while another sender was filling their place, by that place.
    private var parked: [String: [ItemIdentifier]] = [:]
    private var equals = EqualContents()
    private var origins: [ItemIdentifier: Asset.Rank.Origin] = [:]
    private var waiting = Waiting()
    /// Completed and failed items, oldest first; entries whose items have changed are skipped.
    private var completed = Heap<Timed>()
    private var failed = Heap<Timed>()

    /// The number of completed items that are kept, and of failed ones.
    package static let kept = 1_000

    /// The window over the items loaded at start; those that were being sent are pending again.
    init(_ loaded: [Item], at now: Date) {
        for item in loaded { put(item.recovered, at: now) }
    }
}

// MARK: - Changes

extension QueueWindow {
    /// Adds `item`, unless an open item of the same content, made after its request if there was one, fills its place:
    /// that takes the request over.
    mutating func admit(
        _ item: Item, origin: Asset.Rank.Origin, at now: Date
    ) -> (UploadQueue.Admission, [QueueChange]) {
        var changes: [QueueChange] = []
        var item = item
        if let old = self.item(at: item.place) {
            if old.isOpen, old.hasContent(of: item), old.createdAt >= item.forcedAt ?? .distantPast {
                guard old.forcedAt == nil, item.forcedAt != nil else { return (.known(old.id), []) }
                // Made of what was read before the request.
                var forced = old
                forced.forcedAt = item.forcedAt
                items[old.id] = forced
                return (.known(old.id), [.set(forced)])
            }
            forget(old)
            changes.append(.withdrawn(old.id))
            // The replaced item has the same bytes, which may have arrived.
            if old.sha256 == item.sha256 { item.lastAttemptAt = item.lastAttemptAt ?? old.lastAttemptAt }
            if old.isOpen, old.lastError?.code == .unsteady { item.wait(as: old) }
        }
        origins[item.id] = origin
        put(item, at: now)
        return (.added, changes + [.set(item)])
    }

    /// Adds items from the library, except those that are here already or whose places are filled.
    mutating func readmit(_ freed: [FreedItem], at now: Date) -> [QueueChange] {
        freed.compactMap { entry in
            guard items[entry.item.id] == nil, item(at: entry.item.place) == nil else { return nil }
            origins[entry.item.id] = entry.origin
            put(entry.item, at: now)
            return .set(entry.item)
        }
    }

    /// The next item to send, now `uploading`.
    mutating func claim(_ lane: WaitingLane, at now: Date) -> Item? {
        while let item = waiting.popFirst(lane, at: now, lookup), let claimed = item.claimed(at: now) {
            if equals.park(item) { continue }
            guard busy.insert(item.place).inserted else {
                parked[item.place, default: []].append(item.id)
                continue
            }
            senders[item.id] = item.place
            equals.begin(item)
            put(claimed, at: now)
            return claimed
        }
        return nil
    }

    /// Applies the outcome of sending; returns the item, `nil` where it was removed, and the changes.
    mutating func apply(
        _ outcome: UploadOutcome, to id: ItemIdentifier, at now: Date, ladder: RetryLadder, random: Double
    ) -> (item: Item?, changes: [QueueChange]) {
        guard let item = items[id] else {
            release(id, at: now)
            return (nil, [])
        }
        guard item.status == .uploading else { return (item, []) }
        guard let next = item.after(outcome, at: now, ladder: ladder, random: random), !isDuplicate(next) else {
            forget(item)
            release(id, at: now)
            return (nil, [.withdrawn(id)])
        }
        put(next, at: now)
        if next.status != .uploading { release(id, at: now) }
        return (next, [.set(next)])
    }

    /// Records the progress of an item that is being sent.
    mutating func keep(_ resume: Item.Resume?, of id: ItemIdentifier) -> [QueueChange] {
        guard let item = items[id], item.status == .uploading else { return [] }
        let next = item.keeping(resume)
        items[id] = next
        return [.set(next)]
    }

    /// Whether an open item of the same file already fills the place that `item` has moved to.
    private func isDuplicate(_ item: Item) -> Bool {
        guard let other = self.item(at: item.place), other.id != item.id else { return false }
        return other.isOpen && other.isOfSameFile(as: item) && other.hasContent(of: item)
    }

    /// Applies `change` to pending and failed items; `nil` leaves an item as it is.
    mutating func rewrite(at now: Date, _ change: (Item) -> Item?) -> [QueueChange] {
        var changes: [QueueChange] = []
        for item in unfinished where item.status != .uploading {
            guard let next = change(item), next != item else { continue }
            put(next, at: now)
            changes.append(.set(next))
        }
        return changes
    }

    /// Removes pending and failed items that `isUnwanted` selects, and returns them.
    mutating func remove(where isUnwanted: (Item) -> Bool) -> [Item] {
        let removed = unfinished.filter { $0.status != .uploading && isUnwanted($0) }
        for item in removed { forget(item) }
        return removed
    }
}

// MARK: - Indexes

extension QueueWindow {
    private mutating func put(_ item: Item, at now: Date) {
        if let old = items.updateValue(item, forKey: item.id) {
            counts.remove(old)
            if old.place != item.place { leave(old) }
        }
        counts.add(item)
        if item.status == .completed {
            leave(item)
            origins[item.id] = nil
        } else {
            places[item.place] = item.id
        }
        waiting.insert(item, origin: origins[item.id] ?? .backlog, at: now)
        switch item.status {
        case .completed: completed.insert(Timed(date: item.endedAt, id: item.id))
        case .failed: failed.insert(Timed(date: item.endedAt, id: item.id))
        case .pending, .uploading: return
        }
        trim()
    }

    /// Removes the oldest completed and failed items beyond those kept; the library has them all.
    private mutating func trim() {
        while counts.completed > Self.kept, let oldest = completed.popFirst() { forget(oldest, if: .completed) }
        while counts.failed > Self.kept, let oldest = failed.popFirst() { forget(oldest, if: .failed) }
    }

    private mutating func forget(_ entry: Timed, if status: Item.Status) {
        guard let item = items[entry.id], item.status == status, item.endedAt == entry.date else { return }
        forget(item)
    }

    private mutating func forget(_ item: Item) {
        guard let old = items.removeValue(forKey: item.id) else { return }
        counts.remove(old)
        origins[item.id] = nil
        leave(old)
    }

    private mutating func leave(_ item: Item) {
        if places[item.place] == item.id { places[item.place] = nil }
    }

    /// Frees the place of a sender that is done; the items that waited for it are due again.
    private mutating func release(_ id: ItemIdentifier, at now: Date) {
        guard let place = senders.removeValue(forKey: id) else { return }
        busy.remove(place)
        let isStored = items[id]?.status == .completed
        for id in (parked.removeValue(forKey: place) ?? []) + equals.end(id, isStored: isStored) {
            if let item = items[id] { waiting.insert(item, origin: origins[id] ?? .backlog, at: now) }
        }
    }
}

// MARK: - Looks

extension QueueWindow {
    /// All items in the order they were made.
    var all: [Item] { ordered(items.keys) }

    /// All items but completed ones, in the order they were made.
    var unfinished: [Item] { ordered(items.values.lazy.filter { $0.status != .completed }.map(\.id)) }

    private func ordered(_ ids: some Sequence<ItemIdentifier>) -> [Item] {
        ids.sorted { $0.text < $1.text }.compactMap { items[$0] }
    }

    /// The item that is to fill `place`, if it is not completed.
    func item(at place: String) -> Item? { places[place].flatMap { items[$0] } }

    /// Whether an item is due that no sender has claimed.
    mutating func hasDue(at now: Date) -> Bool {
        waiting.hasDue(at: now, lookup)
    }

    private var lookup: Waiting.Lookup {
        { [items, origins] id in items[id].map { ($0, origins[id] ?? .backlog) } }
    }

    /// When the next item falls due; `nil` when none waits for a time.
    mutating func nextAttempt() -> Date? {
        waiting.nextDate { [items] id in
            guard let item = items[id], item.status == .pending, item.blocked == nil else { return nil }
            return item.nextAttemptAt
        }
    }
}

extension Item {
    /// Whether both have the same bytes and modification time.
    fileprivate func hasContent(of other: Item) -> Bool {
        sha256 == other.sha256 && size == other.size && modifiedAt == other.modifiedAt
    }

    /// When a completed or failed item reached that state.
    fileprivate var endedAt: Date { completedAt ?? lastAttemptAt ?? createdAt }
}
