package import Catalog
package import Queue
import Records
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

        /// Makes a change, after which items that wait may fit if less is used.
        mutating func free(_ change: (inout StorageBudget) -> Void) {
            let used = budget.used
            change(&budget)
            if budget.used < used { mayFit = hasRefused }
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
    package func load(from library: isolated Library, at destination: String) throws {
        guard isLimited else { return }
        load(try library.occupancy(destination: destination))
    }

    func load(_ occupancy: Occupancy) {
        state.withLock { $0.budget = StorageBudget(limit: $0.budget.limit, occupancy: occupancy) }
    }

    /// Sets what is taken, and ends the reservations of items that are stored by now, or were not stored.
    ///
    /// In the turn of the library that has written their receipts down, or what they may have left, so that no bytes
    /// are counted twice, none not at all, and no older look comes after a newer one.
    package func count(
        in library: isolated Library, at destination: String, ending ended: [ItemIdentifier] = []
    ) throws {
        guard isLimited else { return }
        count(try library.occupancy(destination: destination), ending: ended)
    }

    func count(_ occupancy: Occupancy, ending ended: [ItemIdentifier] = []) {
        state.withLock { state in
            state.free { budget in
                budget.occupancy = occupancy
                for id in ended { budget.release(id) }
            }
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

    /// Whether items that wait for room may fit by what came back since this was last asked.
    func takeRoomNotice() -> Bool {
        state.withLock { state in
            defer { state.mayFit = false }
            return state.mayFit
        }
    }
}
