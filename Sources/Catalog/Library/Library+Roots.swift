import Database
package import Platform
package import Roots

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
