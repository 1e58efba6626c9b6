/// The watched directories of one tree, by the number of their watch.
///
/// A watch follows a directory, not its path, so each entry stores only the name and the parent's watch.
struct WatchedDirectories {
    private struct Node {
        var name: [UInt8]
        var parent: Int32?
        var children: [[UInt8]: Int32] = [:]
    }

    private var nodes: [Int32: Node] = [:]

    /// The watch of the root.
    private(set) var root: Int32?

    var count: Int { nodes.count }
    var watches: Set<Int32> { Set(nodes.keys) }

    /// The path of the watched directory below the root; `nil` where it is no longer below it.
    func path(of watch: Int32) -> FilePath? {
        var names: [[UInt8]] = []
        var place = watch
        while let node = nodes[place] {
            guard let parent = node.parent else {
                return place == root ? names.reversed().reduce("") { $0.appending($1) } : nil
            }
            names.append(node.name)
            place = parent
        }
        return nil
    }

    /// Whether the directory of `watch` is that of `top`, or below it.
    private func isWithin(_ watch: Int32, _ top: Int32) -> Bool {
        var place: Int32? = watch
        while let next = place {
            if next == top { return true }
            place = nodes[next]?.parent
        }
        return false
    }

    /// The watch of the directory at `path`.
    func watch(at path: FilePath) -> Int32? {
        path.components.reduce(root) { watch, name in watch.flatMap { nodes[$0]?.children[name] } }
    }

    /// Adds a watch for `path`, whose parent is watched; returns watches that must be ended.
    mutating func insert(_ watch: Int32, at path: FilePath) -> [Int32] {
        guard !path.isEmpty else {
            root = watch
            nodes[watch] = nodes[watch] ?? Node(name: [], parent: nil)
            return []
        }
        guard let parent = self.watch(at: path.parent) else {
            let removed = remove(watch)
            return removed.isEmpty ? [watch] : removed
        }
        let replaced = nodes[parent]?.children[path.name]
        if replaced == watch { return [] }
        // A directory cannot be below itself. Both were renamed, and later events in the queue bring their new paths.
        if isWithin(parent, watch) { return remove(watch) }
        // The directory was renamed since it was opened; its subdirectories stay below it.
        detach(watch)
        let lost = replaced.map { remove($0) } ?? []
        nodes[watch, default: Node(name: path.name)].name = path.name
        nodes[watch]?.parent = parent
        nodes[parent]?.children[path.name] = watch
        return lost
    }

    /// Removes the directory of that watch and all below it; returns their watches.
    mutating func remove(_ watch: Int32) -> [Int32] {
        detach(watch)
        var removed: [Int32] = []
        var waiting = [watch]
        while let next = waiting.popLast() {
            guard let node = nodes.removeValue(forKey: next) else { continue }
            removed.append(next)
            waiting += node.children.values
        }
        if watch == root { root = nil }
        return removed
    }

    private mutating func detach(_ watch: Int32) {
        guard let node = nodes[watch], let parent = node.parent else { return }
        nodes[parent]?.children[node.name] = nil
        nodes[watch]?.parent = nil
    }
}
