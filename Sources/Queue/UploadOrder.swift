import Platform

/// Which of two due items goes first.
///
/// Retries last; then what the user named, new arrivals, the backlog; of each the small ones, of those the newest.
package struct UploadOrder: Hashable, Comparable, Sendable {
    let isRetry: Bool
    let rank: Asset.Rank
    let modifiedAt: FileTime
    let id: ItemIdentifier

    /// Where `item`, which came in as `origin`, stands.
    package init(_ item: Item, origin: Asset.Rank.Origin) {
        isRetry = item.retryCount > 0 || item.status == .failed
        rank = Asset.Rank(origin, size: item.size)
        modifiedAt = item.modifiedAt
        id = item.id
    }

    var isLarge: Bool { rank.isLarge }

    package static func < (left: UploadOrder, right: UploadOrder) -> Bool {
        if left.isRetry != right.isRetry { return right.isRetry }
        if left.rank != right.rank { return left.rank < right.rank }
        if left.modifiedAt != right.modifiedAt { return left.modifiedAt > right.modifiedAt }
        return left.id.text < right.id.text
    }
}
