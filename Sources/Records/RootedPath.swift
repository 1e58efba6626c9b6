package import Platform
package import Queue

/// A file, named by its root's name and its path below that root.
package struct RootedPath: Hashable, Codable, Sendable {
    /// The name of the root.
    package let root: String
    /// Below the root.
    package let path: FilePath

    /// The file at `path` below the root called `root`.
    package init(root: String, path: FilePath) {
        self.root = root
        self.path = path
    }
}

extension Item {
    /// The file that it is made of.
    package var file: RootedPath { RootedPath(root: root, path: filePath) }
}
