/// Which bytes are being sent right now, and who waits for them to be stored, to become a copy on the server.
///
/// Of equal files that come up together one is sent; the others wait for its receipt and are copied from it. This
/// is for any size that has bytes: a copy costs small requests, and bytes never less than they weigh.
struct EqualContents {
    /// Equal content in the same role: pictures are copied from pictures.
    private struct Content: Hashable {
        let sha256: String
        let role: Item.Role
    }

    private var senders: [Content: ItemIdentifier] = [:]
    private var contents: [ItemIdentifier: Content] = [:]
    private var parked: [Content: [ItemIdentifier]] = [:]
    /// Items that waited and may be copied now: they wait for no other copy.
    private var copied: Set<ItemIdentifier> = []

    /// Whether `item` has to wait because another one is sending its bytes; it is given back by that one's end.
    mutating func park(_ item: Item) -> Bool {
        let content = Content(sha256: item.sha256, role: item.role)
        guard item.mayBeCopied, !item.mayHaveArrived, senders[content] != nil, !copied.contains(item.id) else {
            return false
        }
        parked[content, default: []].append(item.id)
        return true
    }

    /// `item` is being sent from now on.
    mutating func begin(_ item: Item) {
        let content = Content(sha256: item.sha256, role: item.role)
        guard item.mayBeCopied, copied.remove(item.id) == nil, senders[content] == nil else { return }
        senders[content] = item.id
        contents[item.id] = content
    }

    /// The item is not being sent any more; those that waited for it.
    mutating func end(_ id: ItemIdentifier, isStored: Bool) -> [ItemIdentifier] {
        guard let content = contents.removeValue(forKey: id) else { return [] }
        senders[content] = nil
        let waited = parked.removeValue(forKey: content) ?? []
        if isStored { copied.formUnion(waited) }
        return waited
    }
}
