import Text

/// Bytes of ours that lie or may lie at a destination, as the library knew them at one moment.
package struct Occupancy: Hashable, Sendable {
    /// Bytes of all objects with a receipt.
    package let stored: Int64
    /// Bytes that no receipt covers.
    package let leftovers: Leftovers
    /// The number of the look at the library that found them: of two, the higher one is newer.
    package let look: Int

    /// What a look has found; nothing before the first one.
    package init(stored: Int64 = 0, leftovers: Leftovers = Leftovers(), look: Int = 0) {
        (self.stored, self.leftovers, self.look) = (stored, leftovers, look)
    }

    /// Bytes in all; the sum stops at the largest number instead of overflowing.
    package var total: Int64 { stored.adding(size: leftovers.total) }
}
