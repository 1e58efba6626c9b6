package import Configuration
package import Platform
import Synchronization

/// The roots of this run, by name; roots may join while the agent runs.
package final class RootRegistry: Sendable {
    private let roots: Mutex<[String: Root]>
    /// The names of roots that this run was asked for, whatever the settings say.
    private let asked = Mutex<Set<String>>([])

    /// A registry that begins with `roots`; if two have the same name, the last one counts.
    package init(_ roots: [Root] = []) {
        self.roots = Mutex(Dictionary(roots.map { ($0.name, $0) }) { $1 })
    }

    /// The root called `name`, if it takes part in this run.
    package subscript(_ name: String) -> Root? { roots.withLock { $0[name] } }

    /// All roots in the order in which they were added to the library.
    package var all: [Root] { roots.withLock { $0.values.sorted { $0.known.id < $1.known.id } } }

    /// Adds a root, in place of another one of its name; returns the root that takes part from now on.
    ///
    /// If two tasks add the same root, both get the first one, so that its copies share what is seen of its disk.
    @discardableResult
    package func add(_ root: Root) -> Root {
        roots.withLock { roots in
            if let present = roots[root.name], present.known == root.known { return present }
            roots[root.name] = root
            return root
        }
    }

    /// Takes the root called `name` out of this run.
    package func remove(_ name: String) {
        roots.withLock { $0[name] = nil }
    }

    /// Has the root called `name` looked at, whatever the settings say; returns whether it was not asked for before.
    @discardableResult
    package func ask(for name: String) -> Bool {
        asked.withLock { $0.insert(name).inserted }
    }

    /// The roots that nothing asks for any more: their stored files stay, and nothing looks at them.
    package var dropped: [Root] {
        let asked = asked.withLock { $0 }
        return all.filter { !$0.isConfigured && !asked.contains($0.name) }
    }

    /// The roots that wait for their disks while another root is at their place, so that nothing is amiss.
    ///
    /// - Parameter isHere: Whether a root is at its place now; asked only if several roots have the same place.
    package func replaced(where isHere: (Root) -> Bool) -> [Root] {
        let sharing = Dictionary(grouping: all, by: \.known.path).values.filter { $0.count > 1 }
        return sharing.flatMap { roots in
            let isHere = roots.map { (root: $0, isHere: isHere($0)) }
            return isHere.contains(where: \.isHere) ? isHere.filter { !$0.isHere }.map(\.root) : []
        }
    }

    /// The root that `path` is or lies in, and the part of `path` below it.
    ///
    /// If several disks were seen at one place, it is the root on the disk that is there now.
    package func root(holding path: FilePath) -> (root: Root, below: FilePath)? {
        let found = roots(holding: path)
        guard found.count > 1 else { return found.first }
        return found.first { (try? $0.root.open()) != nil } ?? found.first
    }

    /// All roots that `path` is or lies in by name, including those whose disks were replaced by others.
    package func roots(holding path: FilePath) -> [(root: Root, below: FilePath)] {
        all.compactMap { root in
            if path == root.known.path { return (root, FilePath(bytes: [])) }
            return path.relative(to: root.known.path).map { (root, $0) }
        }
    }

    /// The roots, or parts of roots, of a pass that names none: the configured ones, else every known one.
    package func usual(_ settings: Settings) -> [(root: Root, below: FilePath)] {
        guard settings.roots.isEmpty else { return settings.roots.compactMap { root(holding: $0.path) } }
        // If several disks were seen at one path, the root on the disk that is there now.
        return Set(all.map(\.known.path)).sorted().compactMap(root(holding:))
    }

    /// Why roots are away, by the root's name.
    package var absences: [String: RootAbsence] {
        Dictionary(all.compactMap { root in root.sight.absence.map { (root.name, $0) } }) { $1 }
    }
}
