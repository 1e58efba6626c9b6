import FoundationEssentials

/// The open items in the order they are to be sent; entries of items that moved on are skipped.
struct Waiting {
    private struct Timed: Comparable {
        let date: Date
        let id: ItemIdentifier

        static func < (left: Timed, right: Timed) -> Bool {
            (left.date, left.id.text) < (right.date, right.id.text)
        }
    }

    private var small = Heap<UploadOrder>()
    private var large = Heap<UploadOrder>()
    private var later = Heap<Timed>()

    /// Adds an item that is due now, or will be at its `nextAttemptAt`.
    mutating func insert(_ item: Item, origin: Asset.Rank.Origin, at now: Date) {
        if item.isDue(at: now) {
            insertDue(item, origin: origin)
        } else if item.blocked == nil, let date = item.nextAttemptAt {
            later.insert(Timed(date: date, id: item.id))
        }
    }

    private mutating func insertDue(_ item: Item, origin: Asset.Rank.Origin) {
        let order = UploadOrder(item, origin: origin)
        if item.size >= Asset.Rank.largeSize { large.insert(order) } else { small.insert(order) }
    }

    /// Moves what has fallen due by `now` among the due.
    mutating func advance(to now: Date, _ lookup: (ItemIdentifier) -> (Item, Asset.Rank.Origin)?) {
        while let first = later.first, first.date <= now {
            _ = later.popFirst()
            if let (item, origin) = lookup(first.id), item.isDue(at: now) { insertDue(item, origin: origin) }
        }
    }

    /// The identifier of the item to be sent next.
    mutating func popFirst(_ lane: WaitingLane) -> ItemIdentifier? {
        switch lane {
        case .any: (small.popFirst() ?? large.popFirst())?.id
        case .largeFirst: (large.popFirst() ?? small.popFirst())?.id
        case .smallOnly: small.popFirst()?.id
        }
    }

    /// When the next item falls due; may be an item that has moved on.
    mutating func nextDate(isCurrent: (ItemIdentifier) -> Bool) -> Date? {
        while let first = later.first {
            if isCurrent(first.id) { return first.date }
            _ = later.popFirst()
        }
        return nil
    }
}

/// Which items a sender takes.
package enum WaitingLane: Sendable {
    /// Small ones first; a large one when there is no small one.
    case any
    /// A large one first, so that one is always under way.
    case largeFirst
    /// Small ones only, because enough large ones are under way.
    case smallOnly
}
