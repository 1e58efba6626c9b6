/// What `destination.storageBudget` says.
package enum StorageAllowance: Hashable, Sendable {
    case unlimited
    case bytes(Int)
}
