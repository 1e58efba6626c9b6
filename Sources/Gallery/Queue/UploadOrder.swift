import Platform

/// Which of two due items goes first: named by the user, new arrivals, the backlog, retries; then the newest.
package struct UploadOrder: Hashable, Comparable, Sendable {
    let isRetry: Bool
    let origin: Asset.Rank.Origin
    let modifiedAt: FileTime
    let id: ItemIdentifier

    package init(_ item: Item, origin: Asset.Rank.Origin) {
        isRetry = item.retryCount > 0 || item.status == .failed
        self.origin = origin
        modifiedAt = item.modifiedAt
        id = item.id
    }

    package static func < (left: UploadOrder, right: UploadOrder) -> Bool {
        if left.isRetry != right.isRetry { return right.isRetry }
        if left.origin != right.origin { return left.origin.rawValue < right.origin.rawValue }
        if left.modifiedAt != right.modifiedAt { return left.modifiedAt > right.modifiedAt }
        return left.id.text < right.id.text
    }
}

/// A binary heap: the smallest element comes out first.
struct Heap<Element: Comparable> {
    private var elements: [Element] = []

    var isEmpty: Bool { elements.isEmpty }
    var first: Element? { elements.first }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0, elements[child] < elements[(child - 1) / 2] {
            elements.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func popFirst() -> Element? {
        guard let first = elements.first, let last = elements.popLast() else { return nil }
        guard !elements.isEmpty else { return first }
        elements[0] = last
        var parent = 0
        while let child = smallestChild(of: parent), elements[child] < elements[parent] {
            elements.swapAt(parent, child)
            parent = child
        }
        return first
    }

    private func smallestChild(of parent: Int) -> Int? {
        let left = 2 * parent + 1
        guard left < elements.count else { return nil }
        let right = left + 1
        return right < elements.count && elements[right] < elements[left] ? right : left
    }
}
