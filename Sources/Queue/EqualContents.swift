/// Which contents are being sent, and which items wait to be copied from them on the server.
///
/// Of equal files that are due together, one is sent; the others wait for its receipt and are copied from it. That
/// holds for every size but zero, because a copy costs only small requests. A file that was renamed while it was sent
/// under its former name waits, too; its object is then moved.
struct EqualContents {
    /// Equal content in the same role: thumbnails are copied from thumbnails only.
    private struct Content: Hashable {
        let sha256: String
        let role: Item.Role
    }

    private var underWay: [Content: Set<ItemIdentifier>] = [:]
    private var contents: [ItemIdentifier: Content] = [:]
    private var parked: [Content: [ItemIdentifier]] = [:]
    /// Items that waited and may be copied now; they do not wait for another copy.
    private var copied: Set<ItemIdentifier> = []

    /// Whether `item` must wait while equal bytes are being sent; `end` returns it when the last of them ends.
    ///
    /// An item that may have arrived waits, too: its object may be the one that is being moved to another name.
    mutating func park(_ item: Item) -> Bool {
        let content = Content(sha256: item.sha256, role: item.role)
        guard item.mayBeCopied, underWay[content] != nil, !copied.contains(item.id) else { return false }
        parked[content, default: []].append(item.id)
        return true
    }

    /// Records that `item` is being sent from now on.
    mutating func begin(_ item: Item) {
        let content = Content(sha256: item.sha256, role: item.role)
        copied.remove(item.id)
        guard item.mayBeCopied else { return }
        underWay[content, default: []].insert(item.id)
        contents[item.id] = content
    }

    /// Records that the item is no longer being sent; returns the items that waited for it and for no other.
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
    /// Whether a copy on the server may replace sending the bytes.
    ///
    /// An empty file gains nothing, and a server moves and copies at most 5 GB (contract, section 5). An item that
    /// failed three times is sent in the usual way, and so is one that the user wants sent, no matter what storage holds.
    package var mayBeCopied: Bool { size > 0 && size <= 5_000_000_000 && retryCount < 3 && forcedAt == nil }
}
