import Platform

/// Which of two due items goes first.
///
/// First attempts before retries; among them what the user named, then new arrivals, then the backlog; in each
/// small files before large ones, and the newest first.
package struct UploadOrder: Hashable, Comparable, Sendable {
    let isRetry: Bool
    let rank: Asset.Rank
    let modifiedAt: FileTime
    let id: ItemIdentifier

    /// The place of `item`, which was added as `origin`, in the order.
    package init(_ item: Item, origin: Asset.Rank.Origin) {
        isRetry = item.retryCount > 0 || item.status == .failed
        rank = Asset.Rank(origin, size: item.size)
        modifiedAt = item.modifiedAt
        id = item.id
    }

    var isLarge: Bool { rank.isLarge }

    /// Whether `left` is sent first; never equal for different items.
    package static func < (left: UploadOrder, right: UploadOrder) -> Bool {
        if left.isRetry != right.isRetry { return right.isRetry }
        if left.rank != right.rank { return left.rank < right.rank }
        if left.modifiedAt != right.modifiedAt { return left.modifiedAt > right.modifiedAt }
        return left.id.text < right.id.text
    }
}
