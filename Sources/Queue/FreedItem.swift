/// An item on its way back into the queue.
package struct FreedItem: Hashable, Sendable {
    package let row: Int64
    package let item: Item
    let origin: Asset.Rank.Origin

    package init(row: Int64, item: Item, origin: Asset.Rank.Origin) {
        self.row = row
        self.item = item
        self.origin = origin
    }
}
