package import Configuration
package import Queue
package import Records
import Text

/// How many bytes may be stored at the destination, and how many are or soon will be.
///
/// Room is reserved before the first byte is sent, and becomes stored with the receipt; replacing an object
/// takes the difference only.
package struct StorageBudget: Hashable, Sendable {
    /// Bytes in all; `nil` for no limit.
    package let limit: Int64?
    /// Bytes of all receipts.
    package private(set) var stored: Int64
    /// Bytes of ours that no receipt covers.
    package var leftovers = Leftovers()

    /// What storing an item changes at the destination.
    private struct Reservation: Hashable {
        let key: ObjectKey
        /// What it adds to the bytes of all receipts.
        let growth: Int64
        /// How many of these leave another key, because an object is moved.
        let moving: Int64

        /// Room needed beyond what lies under its key; an object that shrinks gives room back with the receipt.
        func room(over leftovers: Leftovers) -> Int64 { max(0, growth - moving - leftovers[key]) }
    }

    private var reserved: [ItemIdentifier: Reservation] = [:]

    /// A budget without reservations; `stored` is the sum of all receipts.
    package init(limit: Int64?, stored: Int64 = 0) {
        self.limit = limit
        self.stored = stored
    }

    /// Bytes that may still be reserved; `nil` without a limit.
    package var room: Int64? { limit.map { max(0, $0 - used) } }

    /// Bytes that are or may be stored, now or soon.
    private var used: Int64 {
        let reservedBytes = reserved.values.reduce(Int64(0)) { $0.adding(size: $1.room(over: leftovers)) }
        return stored.adding(size: leftovers.total).adding(size: reservedBytes)
    }

    /// Reserves room for an item that adds `growth` bytes under `key` to those of all receipts; `false` where it does
    /// not fit.
    ///
    /// An item that makes an object smaller, or keeps its size, always fits. Idempotent for one item.
    ///
    /// - Parameter moving: Bytes of `growth` that leave another key, because an object is moved.
    package mutating func reserve(
        _ id: ItemIdentifier, _ growth: Int64, moving: Int64 = 0, at key: ObjectKey
    ) -> Bool {
        release(id)
        guard fits(growth - moving, at: key) else { return false }
        reserved[id] = Reservation(key: key, growth: growth, moving: moving)
        return true
    }

    /// Whether the room of an item was reserved because an object is to be moved to its key.
    func isMoving(_ id: ItemIdentifier) -> Bool { reserved[id].map { $0.moving > 0 } ?? false }

    /// Whether there is room for `growth` under `key`, in place of the leftovers there.
    ///
    /// Leftovers there do not make it fit, because an earlier run's attempts were not checked against the limit.
    func fits(_ growth: Int64, at key: ObjectKey) -> Bool {
        guard let limit, growth > 0 else { return true }
        return growth <= limit - (used - leftovers[key])
    }

    /// Frees the room of an item that was not stored; returns whether it had any.
    @discardableResult
    package mutating func release(_ id: ItemIdentifier) -> Bool {
        guard let reservation = reserved.removeValue(forKey: id) else { return false }
        return reservation.room(over: leftovers) > 0
    }

    /// Counts an item that has its receipt; `freed` bytes left another key, because its object was moved.
    package mutating func commit(_ id: ItemIdentifier, freeing freed: Int64 = 0) {
        guard let growth = reserved[id]?.growth else { return }
        release(id)
        stored = max(0, stored + growth - freed)
    }

    /// Counts deleted objects of `bytes` in all.
    package mutating func shrink(by bytes: Int64) {
        stored = max(0, stored - bytes)
    }
}

extension StorageBudget {
    /// The limit in bytes on hosted storage until the user says what the plan allows.
    ///
    /// A Free organisation over 1 GB answers 402 to everything, reads and deletes included.
    package static let unknownPlan: Int64 = 900_000_000

    /// The limit for a destination at `url`, as the settings have it.
    package static func limit(_ allowance: StorageAllowance?, url: String) -> Int64? {
        switch allowance {
        case .bytes(let bytes): return Int64(bytes)
        case .unlimited: return nil
        case nil: return isHosted(url) ? unknownPlan : nil
        }
    }

    /// Whether a URL is that of a project of the hosted platform.
    package static func isHosted(_ url: String) -> Bool {
        let host = (url.split(separator: "://", maxSplits: 1).last ?? "").prefix { $0 != "/" && $0 != ":" }
        return host.lowercased().hasSuffix(".supabase.co")
    }

    /// Why an item waits that adds `growth` bytes under `key`, which is more than fits.
    func failure(_ growth: Int64, at key: ObjectKey) -> Item.Failure {
        let size = growth > leftovers[key] ? growth - leftovers[key] : growth
        let text = "\(Quantity.text(bytes: size)) do not fit into the budget of \(Quantity.text(bytes: limit ?? 0))"
        return Item.Failure(
            code: .limit(.budget), message: "\(text), of which \(Quantity.text(bytes: room ?? 0)) are free",
            retryable: false)
    }
}
