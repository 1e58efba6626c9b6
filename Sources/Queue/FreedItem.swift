/// An item that moves from the library back into the queue.
package struct FreedItem: Hashable, Sendable {
    /// Its row in the library's table of blocked items, deleted once the queue has it.
    package let row: Int64
    /// The item as it enters the queue, already unblocked.
    package let item: Item
    let origin: Asset.Rank.Origin

    /// An item as the library read it, with the `origin` of its asset.
    package init(row: Int64, item: Item, origin: Asset.Rank.Origin) {
        self.row = row
        self.item = item
        self.origin = origin
    }
}
