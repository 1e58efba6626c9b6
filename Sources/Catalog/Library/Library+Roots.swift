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

extension KnownRoot {
    /// A root at `path` as the library would name it beside `others`; its number is 0, which no row has.
    package init(new path: FilePath, name: String? = nil, beside others: [KnownRoot]) {
        let wish = name ?? FilePath(bytes: path.name).display
        self.init(
            id: 0, name: Self.freeName(wish.isEmpty ? "root" : wish, taken: Set(others.map(\.name))), path: path)
    }

    private static func freeName(_ wish: String, taken: Set<String>) -> String {
        guard taken.contains(wish) else { return wish }
        var number = 2
        while taken.contains("\(wish)-\(number)") { number += 1 }
        return "\(wish)-\(number)"
    }
}

/// A directory that cannot become a root beside those that exist.
package struct OverlappingRoot: Error, Hashable, CustomStringConvertible {
    /// The directory that was to become a root.
    package let path: FilePath
    /// An existing root that lies below it.
    package let known: KnownRoot

    /// That of a new root at `path` with one of `known`; `nil` where none lies below it.
    package init?(_ path: FilePath, among known: [KnownRoot]) {
        guard let below = known.first(where: { $0.path.relative(to: path) != nil }) else { return nil }
        (self.path, self.known) = (path, below)
    }

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
        }
        if let overlap = OverlappingRoot(path, among: known) { throw overlap }
        return (try addRoot(at: path, name: name), FilePath(bytes: []))
    }

    /// Adds a root at `path` durably, whatever other roots are or were there.
    package func addRoot(at path: FilePath, name: String? = nil) throws -> KnownRoot {
        let new = KnownRoot(new: path, name: name, beside: try roots())
        try write("INSERT INTO roots (name, path) VALUES (?, ?)", .text(new.name), .blob(path.bytes))
        let root = KnownRoot(id: database.lastInsertedRow, name: new.name, path: path)
        try commit()
        memory.roots = nil
        return root
    }
}
