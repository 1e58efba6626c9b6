/// The watched directories of one tree, by the number of their watch.
///
/// Watches follow a directory, not its name, so each remembers only its name and where it hangs.
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

    /// Where the directory of that watch lies below the root.
    func path(of watch: Int32) -> FilePath? {
        guard let node = nodes[watch] else { return nil }
        guard let parent = node.parent else { return watch == root ? "" : nil }
        return path(of: parent)?.appending(node.name)
    }

    /// The watch of the directory at `path`.
    func watch(at path: FilePath) -> Int32? {
        path.components.reduce(root) { watch, name in watch.flatMap { nodes[$0]?.children[name] } }
    }

    /// Takes in a watch for `path`, whose parent is watched; returns watches that lost their place by that.
    mutating func insert(_ watch: Int32, at path: FilePath) -> [Int32] {
        guard !path.isEmpty else {
            root = watch
            nodes[watch] = nodes[watch] ?? Node(name: [], parent: nil)
            return []
        }
        guard let parent = self.watch(at: path.parent) else { return [watch] }
        let replaced = nodes[parent]?.children[path.name]
        if replaced == watch { return [] }
        let lost = replaced.map { remove($0) } ?? []
        // A directory that was renamed while we looked: what is below stays below it.
        detach(watch)
        nodes[watch, default: Node(name: path.name)].name = path.name
        nodes[watch]?.parent = parent
        nodes[parent]?.children[path.name] = watch
        return lost
    }

    /// Forgets the directory of that watch and all below it; returns their watches.
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
