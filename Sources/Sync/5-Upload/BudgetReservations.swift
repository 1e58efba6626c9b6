import Queue
import Synchronization

/// The budget of a run: whoever sends reserves here, whoever records commits.
package final class BudgetReservations: Sendable {
    private struct State {
        var budget: StorageBudget
        /// Whether something waits for room.
        var hasRefused = false
    }

    private let state: Mutex<State>

    package init(_ budget: StorageBudget = StorageBudget(limit: nil)) {
        state = Mutex(State(budget: budget))
    }

    /// Whether there is anything to count.
    package var isLimited: Bool { state.withLock { $0.budget.limit != nil } }
    /// Bytes that may still be reserved; `nil` without a limit.
    package var room: Int64? { state.withLock { $0.budget.room } }

    /// Begins with what the receipts say; reservations of sent items are counted by them.
    package func load(stored: Int64) {
        state.withLock { $0.budget = StorageBudget(limit: $0.budget.limit, stored: stored) }
    }

    /// Counts objects of ours that no receipt speaks of; whether what waits for room may look again.
    @discardableResult
    package func count(leftovers: Int64) -> Bool {
        state.withLock { state in
            let isLess = leftovers < state.budget.leftovers
            state.budget.leftovers = leftovers
            return isLess && state.hasRefused
        }
    }

    /// Takes room for an item in place of what its key holds; the reason where it has to wait.
    func reserve(_ item: Item, replacing held: (receipt: Int64, leftover: Int64)) -> Item.Failure? {
        state.withLock { state in
            if state.budget.reserve(item.id, item.size, replacing: held.receipt, over: held.leftover) { return nil }
            state.hasRefused = true
            return state.budget.failure(item.size - held.receipt - held.leftover)
        }
    }

    /// Why `growth` more bytes have to wait now; `nil` where there is room for them.
    func failure(_ growth: Int64) -> Item.Failure? {
        state.withLock { state in
            guard let room = state.budget.room, growth > room else { return nil }
            return state.budget.failure(growth)
        }
    }

    /// Whether what waits for room may look again, now that `id` was not stored.
    func release(_ id: ItemIdentifier) -> Bool {
        state.withLock { $0.budget.release(id) && $0.hasRefused }
    }

    /// Counts receipts: each item's, and the bytes of the key that it was moved from.
    func commit(_ stored: [(id: ItemIdentifier, freed: Int64)]) {
        state.withLock { state in
            for (id, freed) in stored { state.budget.commit(id, freeing: freed) }
        }
    }

    /// Objects are there no more; whether what waits for room may look again.
    package func shrink(by bytes: Int64) -> Bool {
        state.withLock { state in
            state.budget.shrink(by: bytes)
            return state.hasRefused
        }
    }
}
