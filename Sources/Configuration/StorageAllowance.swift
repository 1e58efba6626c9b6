/// The value of `destination.storageBudget`.
package enum StorageAllowance: Hashable, Sendable {
    case unlimited
    case bytes(Int)
}
