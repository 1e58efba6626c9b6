import FoundationEssentials
import Text

/// The open items in the order of sending; entries whose items have changed are skipped.
struct Waiting {
    private var small = Heap<UploadOrder>()
    private var large = Heap<UploadOrder>()
    /// Pending items that back off.
    private var later = Heap<Timed>()
    /// Failed items; no task waits for their daily attempt.
    private var daily = Heap<Timed>()
    /// The date of the last look, which shows whether the clock was set back since.
    private var lookedAt = Date.distantPast

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

    /// What is known of an item now; `nil` where it was removed.
    typealias Lookup = (ItemIdentifier) -> (item: Item, origin: Asset.Rank.Origin)?

    /// Takes out the item to be sent next.
    mutating func popFirst(_ lane: WaitingLane, at now: Date, _ lookup: Lookup) -> Item? {
        advance(to: now, lookup)
        let first =
            switch lane {
            case .any: isLargeNext ? large.popFirst() : small.popFirst()
            case .largeFirst: large.popFirst() ?? small.popFirst()
            case .smallOnly: small.popFirst()
            }
        return first.flatMap { lookup($0.id)?.item }
    }

    /// Whether an item is due at `now`.
    mutating func hasDue(at now: Date, _ lookup: Lookup) -> Bool {
        advance(to: now, lookup)
        return !small.isEmpty || !large.isEmpty
    }

    /// Moves the items that are due at `now` to the due heaps, and makes sure that the first of each is still due.
    private mutating func advance(to now: Date, _ lookup: Lookup) {
        if now + DatedWait.correction < lookedAt { reconsiderTimes(at: now, lookup) }
        lookedAt = now
        while let id = popTimed(at: now) {
            if let (item, origin) = lookup(id), item.isDue(at: now) { insertDue(item, origin: origin) }
        }
        for heap in [\Waiting.small, \Waiting.large] {
            while let first = self[keyPath: heap].first {
                let known = lookup(first.id)
                if let known, known.item.isDue(at: now) { break }
                _ = self[keyPath: heap].popFirst()
                // If it was due until the clock was set back, it waits again.
                if let known { insert(known.item, origin: known.origin, at: now) }
            }
        }
    }

    /// Sorts in again all items that wait for a time, because the clock was set back.
    private mutating func reconsiderTimes(at now: Date, _ lookup: Lookup) {
        for heap in [\Waiting.later, \Waiting.daily] {
            var ids: [ItemIdentifier] = []
            while let timed = self[keyPath: heap].popFirst() { ids.append(timed.id) }
            for (item, origin) in ids.compactMap(lookup) { insert(item, origin: origin, at: now) }
        }
    }

    private mutating func popTimed(at now: Date) -> ItemIdentifier? {
        if let first = later.first, first.date <= now { return later.popFirst()?.id }
        if let first = daily.first, first.date <= now { return daily.popFirst()?.id }
        return nil
    }

    private var isLargeNext: Bool {
        guard let large = large.first else { return false }
        return small.first.map { large < $0 } ?? true
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
