/// Which bytes are being sent right now, and who waits for them to be stored, to become a copy on the server.
///
/// Of equal files that come up together one is sent; the others wait for its receipt and are copied from it. This
/// is for any size that has bytes: a copy costs small requests, and bytes never less than they weigh. A file that is
/// renamed while its object is on its way to the former name waits like that, too, and takes the object on with it.
struct EqualContents {
    /// Equal content in the same role: pictures are copied from pictures.
    private struct Content: Hashable {
        let sha256: String
        let role: Item.Role
    }

    private var underWay: [Content: Set<ItemIdentifier>] = [:]
    private var contents: [ItemIdentifier: Content] = [:]
    private var parked: [Content: [ItemIdentifier]] = [:]
    /// Items that waited and may be copied now: they wait for no other copy.
    private var copied: Set<ItemIdentifier> = []

    /// Whether `item` has to wait while others of its bytes are under way; it is given back by the last one's end.
    ///
    /// One that may have arrived waits, too: its object may be the very one that is being moved to another name.
    mutating func park(_ item: Item) -> Bool {
        let content = Content(sha256: item.sha256, role: item.role)
        guard item.mayBeCopied, underWay[content] != nil, !copied.contains(item.id) else { return false }
        parked[content, default: []].append(item.id)
        return true
    }

    /// `item` is being sent from now on.
    mutating func begin(_ item: Item) {
        let content = Content(sha256: item.sha256, role: item.role)
        copied.remove(item.id)
        guard item.mayBeCopied else { return }
        underWay[content, default: []].insert(item.id)
        contents[item.id] = content
    }

    /// The item is not being sent any more; those that waited for it, unless they wait for others still.
    mutating func end(_ id: ItemIdentifier, isStored: Bool) -> [ItemIdentifier] {
        guard let content = contents.removeValue(forKey: id) else { return [] }
        underWay[content]?.remove(id)
        guard underWay[content]?.isEmpty == true else { return [] }
        underWay[content] = nil
        let waited = parked.removeValue(forKey: content) ?? []
        if isStored { copied.formUnion(waited) }
        return waited
    }
}

extension Item {
    /// Whether the server may put equal bytes that it holds already under the item's key.
    ///
    /// Nothing is gained where there are none, and a server moves and copies 5 GB at most (contract, section 5).
    /// An item that failed three times is sent like any other.
    package var mayBeCopied: Bool { size > 0 && size <= 5_000_000_000 && retryCount < 3 }
}
