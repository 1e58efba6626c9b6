package import Queue
package import Records
import Synchronization

/// The budget of a run: the uploader reserves room here, and the record loop commits it.
package final class BudgetReservations: Sendable {
    private struct State {
        var budget: StorageBudget
        /// Whether any item waits for room.
        var hasRefused = false
    }

    private let state: Mutex<State>

    /// A budget without a limit, unless the caller names one.
    package init(_ budget: StorageBudget = StorageBudget(limit: nil)) {
        state = Mutex(State(budget: budget))
    }

    /// Whether there is anything to count.
    package var isLimited: Bool { state.withLock { $0.budget.limit != nil } }
    /// Bytes in all; `nil` for no limit.
    package var limit: Int64? { state.withLock { $0.budget.limit } }
    /// Bytes that may still be reserved; `nil` without a limit.
    package var room: Int64? { state.withLock { $0.budget.room } }

    /// Starts anew with `stored` bytes of receipts; drops what was reserved, and the leftovers.
    package func load(stored: Int64) {
        state.withLock { $0.budget = StorageBudget(limit: $0.budget.limit, stored: stored) }
    }

    /// Sets what no receipt covers, unless a newer look did; returns whether items that wait for room may fit now.
    @discardableResult
    package func count(leftovers: Leftovers) -> Bool {
        state.withLock { state in
            guard leftovers.look >= state.budget.leftovers.look else { return false }
            let isLess = leftovers.total < state.budget.leftovers.total
            state.budget.leftovers = leftovers
            return isLess && state.hasRefused
        }
    }

    /// Reserves room for an item that replaces `replaced` bytes; returns the failure for which it has to wait, if any.
    ///
    /// - Parameter moving: Bytes that leave another key, if an object is moved instead of uploading the item.
    func reserve(_ item: Item, replacing replaced: Int64, moving: Int64 = 0) -> Item.Failure? {
        state.withLock { state in
            if state.budget.reserve(item.id, item.size - replaced, moving: moving, at: item.objectKey) { return nil }
            state.hasRefused = true
            return state.budget.failure(item.size - replaced, at: item.objectKey)
        }
    }

    /// Whether room was reserved for the item because an object is to be moved to its key.
    func isMoving(_ id: ItemIdentifier) -> Bool { state.withLock { $0.budget.isMoving(id) } }

    /// The failure for which `item`, which replaces `replaced` bytes, would have to wait now; `nil` if it fits.
    func failure(fitting item: Item, replacing replaced: Int64) -> Item.Failure? {
        state.withLock { state in
            let growth = item.size - replaced
            guard !state.budget.fits(growth, at: item.objectKey) else { return nil }
            return state.budget.failure(growth, at: item.objectKey)
        }
    }

    /// Frees the room of an item that was not stored; returns whether items that wait may fit now.
    package func release(_ id: ItemIdentifier) -> Bool {
        state.withLock { $0.budget.release(id) && $0.hasRefused }
    }

    /// Counts new receipts; `freed` are the bytes under the key that an item's object was moved from.
    package func commit(_ stored: [(id: ItemIdentifier, freed: Int64)]) {
        state.withLock { state in
            for (id, freed) in stored { state.budget.commit(id, freeing: freed) }
        }
    }

    /// Counts deleted objects; returns whether items that wait for room may fit now.
    package func shrink(by bytes: Int64) -> Bool {
        state.withLock { state in
            state.budget.shrink(by: bytes)
            return state.hasRefused
        }
    }
}
