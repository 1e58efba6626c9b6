import Text

/// Bytes of ours that lie or may lie at a destination, as the library knew them at one moment.
package struct Occupancy: Hashable, Sendable {
    /// Bytes of all objects with a receipt.
    package let stored: Int64
    /// Bytes that no receipt covers.
    package let leftovers: Leftovers

    /// What a look at the library has found; nothing before the first one.
    package init(stored: Int64 = 0, leftovers: Leftovers = Leftovers()) {
        (self.stored, self.leftovers) = (stored, leftovers)
    }

    /// Bytes in all; the sum stops at the largest number instead of overflowing.
    package var total: Int64 { stored.adding(size: leftovers.total) }
}
