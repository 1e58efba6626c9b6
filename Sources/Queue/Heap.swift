/// A binary heap: the smallest element comes out first.
package struct Heap<Element: Comparable> {
    private var elements: [Element] = []

    /// An empty heap.
    package init() {}

    var isEmpty: Bool { elements.isEmpty }
    var first: Element? { elements.first }

    /// Adds an element in O(log n); equal elements may be added.
    package mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0, elements[child] < elements[(child - 1) / 2] {
            elements.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes and returns the smallest element, or `nil` when the heap is empty.
    package mutating func popFirst() -> Element? {
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
