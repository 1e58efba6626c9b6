package import Queue
import Text

/// Bytes that lie or may lie at the destination and that no receipt covers, as the budget counts them.
package struct Leftovers: Hashable, Sendable {
    /// Bytes under each key; if a receipt covers some of them, only the others.
    private var bytes: [String: Int64] = [:]
    /// Bytes in all; the sum stops at the largest number instead of overflowing.
    package private(set) var total: Int64 = 0

    /// No bytes yet.
    package init() {}

    /// Adds bytes under a key that has none yet; a size below zero, which a server may report, counts as 0.
    package mutating func add(_ size: Int64, at key: String) {
        guard size > 0 else { return }
        bytes[key] = size
        total = total.adding(size: size)
    }

    /// Bytes under `key`.
    package subscript(key: ObjectKey) -> Int64 { bytes[key.text] ?? 0 }
}
