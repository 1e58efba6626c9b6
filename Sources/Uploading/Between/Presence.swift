package import Catalog
package import Platform
package import Roots

/// Whether files are still there, as far as that can be known.
package struct Presence: Sendable {
    let roots: RootRegistry
    let library: Library

    /// Judges files below `roots`; `library` knows which roots were mount points.
    package init(roots: RootRegistry, library: Library) {
        self.roots = roots
        self.library = library
    }

    /// Whether the file is not there any more, though its root is.
    ///
    /// A root that is away, or looks like the place of an unmounted disk, says nothing about its files.
    package func isGone(_ path: FilePath, root name: String) async throws -> Bool {
        guard let root = roots[name] else { return false }
        let wasMountPoint = try await library.fact(RootState.fact(root)) == RootState.mountPoint
        do {
            return try await Blocking.run { () throws(SystemError) in
                try Self.isGone(path, below: root, wasMountPoint: wasMountPoint)
            }
        } catch {
            return false
        }
    }

    private static func isGone(
        _ path: FilePath, below root: Root, wasMountPoint: Bool
    ) throws(SystemError) -> Bool {
        let state = try RootState(of: root.known.path)
        if state.isEmpty || wasMountPoint && !state.isMountPoint { return false }
        // If a directory has taken the file's name, the file is gone.
        return try root.listedFacts(of: path).map { $0.kind == .directory } ?? true
    }
}
