package import Queue
package import Records
import Synchronization

/// The budget of a run: the uploader reserves room here, and the recorder ends that with the receipts.
///
/// What is taken is only ever what the library says, so that no change of it has to be counted here as well.
package final class BudgetReservations: Sendable {
    private struct State {
        var budget: StorageBudget
        /// Whether any item waits for room.
        var hasRefused = false
        /// Whether room has come back for such items.
        var mayFit = false

        mutating func count(_ occupancy: Occupancy) {
            guard occupancy.look >= budget.occupancy.look else { return }
            if occupancy.total < budget.occupancy.total { mayFit = hasRefused }
            budget.occupancy = occupancy
        }

        mutating func release(_ id: ItemIdentifier) {
            if budget.release(id) { mayFit = hasRefused }
        }
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

    /// Starts anew with what is taken now; drops what was reserved.
    package func load(_ occupancy: Occupancy) {
        state.withLock { $0.budget = StorageBudget(limit: $0.budget.limit, occupancy: occupancy) }
    }

    /// Sets what is taken, unless a newer look did.
    package func count(_ occupancy: Occupancy) {
        state.withLock { $0.count(occupancy) }
    }

    /// Ends the reservations of items that have their receipts, which `occupancy` counts.
    ///
    /// Called before anything else looks at the library, so that no bytes are counted twice, and none not at all.
    package func settle(_ stored: [ItemIdentifier], _ occupancy: Occupancy) {
        state.withLock { state in
            state.count(occupancy)
            for id in stored { _ = state.budget.release(id) }
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

    /// Whether less room was reserved for `item` than sending it takes, in place of `replaced` bytes.
    func isShort(_ item: Item, replacing replaced: Int64) -> Bool {
        state.withLock { $0.budget.isShort(item.id, of: item.size - replaced) }
    }

    /// The failure for which `item`, which replaces `replaced` bytes, would have to wait now; `nil` if it fits.
    func failure(fitting item: Item, replacing replaced: Int64) -> Item.Failure? {
        state.withLock { state in
            let growth = item.size - replaced
            guard !state.budget.fits(growth, at: item.objectKey) else { return nil }
            return state.budget.failure(growth, at: item.objectKey)
        }
    }

    /// Frees the room of an item that was not stored.
    package func release(_ id: ItemIdentifier) {
        state.withLock { $0.release(id) }
    }

    /// Whether items that wait for room may fit by what came back since this was last asked.
    func takeRoomNotice() -> Bool {
        state.withLock { state in
            defer { state.mayFit = false }
            return state.mayFit
        }
    }
}
