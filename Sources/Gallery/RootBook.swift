package import Platform
import Synchronization

/// The roots of this run, by name; one may join while the agent runs.
package final class RootBook: Sendable {
    private let roots: Mutex<[String: Root]>

    package init(_ roots: [Root] = []) {
        self.roots = Mutex(Dictionary(roots.map { ($0.name, $0) }) { $1 })
    }

    package subscript(_ name: String) -> Root? { roots.withLock { $0[name] } }

    /// All roots in the order the library met them.
    package var all: [Root] { roots.withLock { $0.values.sorted { $0.known.id < $1.known.id } } }

    package func add(_ root: Root) {
        roots.withLock { $0[root.name] = root }
    }

    /// The root that `path` is or lies in, and what of the path is below it.
    package func root(holding path: FilePath) -> (root: Root, below: FilePath)? {
        for root in all {
            if path == root.known.path { return (root, FilePath(bytes: [])) }
            if let below = path.relative(to: root.known.path) { return (root, below) }
        }
        return nil
    }
}
