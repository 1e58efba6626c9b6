import FoundationEssentials

/// The open items in the order of sending; entries whose items have changed are skipped.
struct Waiting {
    private var small = Heap<UploadOrder>()
    private var large = Heap<UploadOrder>()
    /// Pending items that back off.
    private var later = Heap<Timed>()
    /// Failed items; no task waits for their daily attempt.
    private var daily = Heap<Timed>()

    /// Adds an item that is due now, or will be at its `nextAttemptAt`.
    mutating func insert(_ item: Item, origin: Asset.Rank.Origin, at now: Date) {
        if item.isDue(at: now) { return insertDue(item, origin: origin) }
        guard item.blocked == nil, let date = item.nextAttemptAt else { return }
        let timed = Timed(date: date, id: item.id)
        if item.status == .failed { daily.insert(timed) } else { later.insert(timed) }
    }

    private mutating func insertDue(_ item: Item, origin: Asset.Rank.Origin) {
        let order = UploadOrder(item, origin: origin)
        if order.isLarge { large.insert(order) } else { small.insert(order) }
    }

    /// Moves the items that are due at `now` to the due ones.
    mutating func advance(to now: Date, _ lookup: (ItemIdentifier) -> (Item, Asset.Rank.Origin)?) {
        while let id = popDue(at: now) {
            if let (item, origin) = lookup(id), item.isDue(at: now) { insertDue(item, origin: origin) }
        }
    }

    private mutating func popDue(at now: Date) -> ItemIdentifier? {
        if let first = later.first, first.date <= now { return later.popFirst()?.id }
        if let first = daily.first, first.date <= now { return daily.popFirst()?.id }
        return nil
    }

    /// The identifier of the item to be sent next.
    mutating func popFirst(_ lane: WaitingLane) -> ItemIdentifier? {
        switch lane {
        case .any: isLargeNext ? large.popFirst()?.id : small.popFirst()?.id
        case .largeFirst: (large.popFirst() ?? small.popFirst())?.id
        case .smallOnly: small.popFirst()?.id
        }
    }

    private var isLargeNext: Bool {
        guard let large = large.first else { return false }
        return small.first.map { large < $0 } ?? true
    }

    /// Whether an item is due at `now`; entries that were, before the clock was set back, wait again.
    mutating func hasDue(at now: Date, _ lookup: (ItemIdentifier) -> (Item, Asset.Rank.Origin)?) -> Bool {
        for heap in [\Waiting.small, \Waiting.large] {
            while let first = self[keyPath: heap].first {
                let known = lookup(first.id)
                if let (item, _) = known, item.isDue(at: now) { return true }
                _ = self[keyPath: heap].popFirst()
                if let (item, origin) = known { insert(item, origin: origin, at: now) }
            }
        }
        return false
    }

    /// When the next pending item falls due; `date` gives the current date of an item.
    mutating func nextDate(_ date: (ItemIdentifier) -> Date?) -> Date? {
        while let first = later.first {
            if date(first.id) == first.date { return first.date }
            // The entry is outdated; if the item waits again, it has another entry.
            _ = later.popFirst()
        }
        return nil
    }
}

/// An item and a date, ordered by the date.
struct Timed: Comparable {
    let date: Date
    let id: ItemIdentifier

    static func < (left: Timed, right: Timed) -> Bool {
        (left.date, left.id.text) < (right.date, right.id.text)
    }
}

/// Which items a sender takes.
package enum WaitingLane: Sendable {
    /// The first in the upload order.
    case any
    /// A large one first, so that one is always being sent.
    case largeFirst
    /// Small ones only, because enough large ones are being sent.
    case smallOnly
}
