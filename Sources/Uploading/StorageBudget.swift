package import Configuration
package import Queue
package import Records
import Text

/// How many bytes may be stored at the destination, and how many are or soon will be.
///
/// Room is reserved before the first byte is sent, and is the receipt's once the item has one; replacing an object takes
/// the difference only.
package struct StorageBudget: Hashable, Sendable {
    /// Bytes in all; `nil` for no limit.
    package let limit: Int64?
    /// What is taken of it, by the newest look at the library.
    package var occupancy: Occupancy

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

    /// A budget without reservations.
    package init(limit: Int64?, occupancy: Occupancy = Occupancy()) {
        self.limit = limit
        self.occupancy = occupancy
    }

    /// Bytes that may still be reserved; `nil` without a limit.
    package var room: Int64? { limit.map { max(0, $0 - used) } }

    /// Bytes that are or may be stored, now or soon.
    var used: Int64 {
        let leftovers = occupancy.leftovers
        let reservedBytes = reserved.values.reduce(Int64(0)) { $0.adding(size: $1.room(over: leftovers)) }
        return occupancy.total.adding(size: reservedBytes)
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

    /// Whether less was reserved for an item than `growth` bytes that are sent.
    func isShort(_ id: ItemIdentifier, of growth: Int64) -> Bool {
        reserved[id].map { $0.growth - $0.moving < growth } ?? false
    }

    /// Whether there is room for `growth` under `key`, in place of the leftovers there.
    ///
    /// Leftovers there do not make it fit, because an earlier run's attempts were not checked against the limit.
    func fits(_ growth: Int64, at key: ObjectKey) -> Bool {
        guard let limit, growth > 0 else { return true }
        return growth <= limit - (used - occupancy.leftovers[key])
    }

    /// Ends the reservation of an item whose attempt is over, as `occupancy` shows.
    mutating func release(_ id: ItemIdentifier) { reserved[id] = nil }
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
        let leftover = occupancy.leftovers[key]
        let size = growth > leftover ? growth - leftover : growth
        let text = "\(Quantity.text(bytes: size)) do not fit into the budget of \(Quantity.text(bytes: limit ?? 0))"
        return Item.Failure(
            code: .limit(.budget), message: "\(text), of which \(Quantity.text(bytes: room ?? 0)) are free",
            retryable: false)
    }
}
