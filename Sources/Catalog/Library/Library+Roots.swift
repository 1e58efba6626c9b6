import Database
package import Platform

/// A watched directory tree as the library knows it.
package struct KnownRoot: Hashable, Sendable {
    package let id: Int64
    /// Kept for ever: it begins the key of every object below it.
    package let name: String
    package let path: FilePath
}

/// A directory that cannot become a root beside those that exist.
package struct OverlappingRoot: Error, Hashable, CustomStringConvertible {
    package let path: FilePath
    package let known: KnownRoot

    package var description: String {
        "\(path.display) contains the known root \(known.path.display): "
            + "sync that one, or give the larger one a profile of its own"
    }
}

extension Library {
    package func roots() throws -> [KnownRoot] {
        try database.rows("SELECT id, name, path FROM roots ORDER BY id") {
            KnownRoot(id: $0.integer(0), name: $0.text(1), path: FilePath(bytes: $0.blob(2)))
        }
    }

    /// The root that `path` is or lies in, made when there is none; `name` is wished for, else the directory's.
    ///
    /// Throws `OverlappingRoot` when a known root lies below `path`. A taken name gets `-2`, `-3`, ….
    package func root(at path: FilePath, name: String? = nil) throws -> (root: KnownRoot, below: FilePath) {
        let known = try roots()
        if let root = known.first(where: { $0.path == path }) { return (root, FilePath(bytes: [])) }
        for root in known {
            if let below = path.relative(to: root.path) { return (root, below) }
            if root.path.relative(to: path) != nil { throw OverlappingRoot(path: path, known: root) }
        }
        return (try addRoot(at: path, name: name), FilePath(bytes: []))
    }

    /// A new root at `path`, whatever others are or were there.
    package func addRoot(at path: FilePath, name: String? = nil) throws -> KnownRoot {
        let known = try roots()
        let wish = name ?? FilePath(bytes: path.name).display
        let free = Self.freeName(wish.isEmpty ? "root" : wish, taken: Set(known.map(\.name)))
        try write("INSERT INTO roots (name, path) VALUES (?, ?)", .text(free), .blob(path.bytes))
        let root = KnownRoot(id: database.lastInsertedRow, name: free, path: path)
        try commit()
        rootNames[root.id] = free
        return root
    }

    static func freeName(_ wish: String, taken: Set<String>) -> String {
        guard taken.contains(wish) else { return wish }
        var number = 2
        while taken.contains("\(wish)-\(number)") { number += 1 }
        return "\(wish)-\(number)"
    }
}
