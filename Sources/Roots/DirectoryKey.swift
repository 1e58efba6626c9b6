package import Platform

/// Identifies a directory among all that are mounted now, by whatever path it was reached.
package struct DirectoryKey: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// The key of an open directory.
    package init(_ place: DirectoryPlace) { (device, inode) = (place.device, place.inode) }
    /// The key of the directory that has these facts.
    package init(_ facts: FileFacts) { (device, inode) = (facts.device, facts.inode) }

    /// The directory at `path`, without symlinks, and all directories above it; empty if it is not there; blocks.
    package static func ancestors(of path: FilePath) -> [(path: FilePath, key: DirectoryKey)] {
        guard var path = try? path.resolved() else { return [] }
        var found: [(FilePath, DirectoryKey)] = []
        while !path.isEmpty {
            if let facts = (try? FileFacts.existing(path)).flatMap({ $0 }) { found.append((path, DirectoryKey(facts))) }
            path = path == "/" ? "" : path.parent
        }
        return found
    }
}
