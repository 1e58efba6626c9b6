import Database
package import Platform

/// A watched directory tree as the library knows it.
package struct KnownRoot: Hashable, Sendable {
    /// The number of the root's row; it is part of the names of facts.
    package let id: Int64
    /// Never changes, since the key of every object below the root begins with it.
    package let name: String
    /// The absolute path of its directory.
    package let path: FilePath
}

/// A directory that cannot become a root beside those that exist.
package struct OverlappingRoot: Error, Hashable, CustomStringConvertible {
    /// The directory that was to become a root.
    package let path: FilePath
    /// An existing root that lies below it.
    package let known: KnownRoot

    /// What is wrong, and what the user can do instead.
    package var description: String {
        "\(path.display) contains the known root \(known.path.display): "
            + "sync that one, or give the larger one a profile of its own"
    }
}

extension Library {
    /// All roots, in the order in which they were added.
    package func roots() throws -> [KnownRoot] {
        try database.rows("SELECT id, name, path FROM roots ORDER BY id") {
            KnownRoot(id: $0.integer(0), name: $0.text(1), path: FilePath(bytes: $0.blob(2)))
        }
    }

    /// The root that `path` is or lies in, added when there is none, and the part of `path` below it.
    ///
    /// A new root is called `name`, or like its directory; a taken name gets `-2`, `-3`, ….
    /// Throws `OverlappingRoot` when a known root lies below `path`.
    package func root(at path: FilePath, name: String? = nil) throws -> (root: KnownRoot, below: FilePath) {
        let known = try roots()
        if let root = known.first(where: { $0.path == path }) { return (root, FilePath(bytes: [])) }
        for root in known {
            if let below = path.relative(to: root.path) { return (root, below) }
            if root.path.relative(to: path) != nil { throw OverlappingRoot(path: path, known: root) }
        }
        return (try addRoot(at: path, name: name), FilePath(bytes: []))
    }

    /// Adds a root at `path` durably, whatever other roots are or were there.
    package func addRoot(at path: FilePath, name: String? = nil) throws -> KnownRoot {
        let known = try roots()
        let wish = name ?? FilePath(bytes: path.name).display
        let free = Self.freeName(wish.isEmpty ? "root" : wish, taken: Set(known.map(\.name)))
        try write("INSERT INTO roots (name, path) VALUES (?, ?)", .text(free), .blob(path.bytes))
        let root = KnownRoot(id: database.lastInsertedRow, name: free, path: path)
        try commit()
        memory.roots = nil
        return root
    }

    static func freeName(_ wish: String, taken: Set<String>) -> String {
        guard taken.contains(wish) else { return wish }
        var number = 2
        while taken.contains("\(wish)-\(number)") { number += 1 }
        return "\(wish)-\(number)"
    }
}
