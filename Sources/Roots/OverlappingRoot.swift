package import Platform

/// A directory that cannot become a root beside those that exist.
package struct OverlappingRoot: Error, Hashable, CustomStringConvertible {
    /// The directory that was to become a root.
    let path: FilePath
    /// An existing root that lies below it.
    let known: KnownRoot

    /// The error for a new root at `path`, if one of `known` lies below it; else `nil`.
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
