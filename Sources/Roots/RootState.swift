package import Platform

/// What a root's directory looks like before it is walked.
package struct RootState: Sendable {
    /// Tells the directory's disk from another one at the same place.
    package let identity: DirectoryIdentity
    /// Where it is now: device and mount.
    let place: DirectoryPlace
    /// Whether the directory lies on another disk than the one above it.
    package let isMountPoint: Bool
    /// Whether nothing lies in it, as when a disk is not mounted.
    package let isEmpty: Bool

    /// The value of a root's fact while the root was a mount point at the last look.
    package static let mountPoint = "mount point"
    /// The name of the fact that keeps whether `root` was a mount point.
    package static func fact(_ root: Root) -> String { "root.\(root.name)" }

    /// Looks at the root at `path`.
    package init(of path: FilePath) throws(SystemError) {
        let directory = try Directory(path)
        identity = try directory.identity()
        place = try directory.place()
        let parent = try Directory(path.parent.isEmpty ? FilePath("/") : path.parent).place()
        isMountPoint = place.isMounted(below: parent)
        isEmpty = try directory.isEmpty()
    }
}
