/// What distinguishes a directory from all others, also after its disk was mounted again or elsewhere.
///
/// The device number from `stat` belongs to a mount, not to a disk, so it is not included.
package struct DirectoryIdentity: Codable, Hashable, Sendable {
    /// The type of its file system, such as `ext4` or `nfs`.
    let fileSystem: String
    /// The id from `statfs`; `nil` where that is 0 or only repeats the device number.
    let fsid: UInt64?
    /// UUID or serial number of the file system; `nil` where neither the kernel nor udev knows it.
    let uuid: String?
    /// A network file system's server, and the directory of it that is mounted; `nil` for a local one.
    let source: String?
    /// `nil` where the file system numbers its files differently after each mount.
    package let inode: UInt64?

    /// An identity as read from the system or from saved state; `nil` where a fact is not known.
    package init(
        fileSystem: String, fsid: UInt64? = nil, uuid: String? = nil, source: String? = nil, inode: UInt64? = nil
    ) {
        self.fileSystem = fileSystem
        self.fsid = fsid
        self.uuid = uuid
        self.source = source
        self.inode = inode
    }

    /// How a directory compares with a remembered one.
    package enum Likeness: Hashable, Sendable {
        case same
        case other
        /// Too little is known about one of the two: only their files can tell.
        case uncertain
    }

    /// Whether this is the directory that `known` describes.
    ///
    /// A network file system is recognised by its source, every other by `f_fsid`, which on btrfs also distinguishes
    /// subvolumes. Where that has no meaning (0, or the device number, as on XFS, FAT and exFAT), the UUID decides.
    /// A tmpfs has a random id per mount since Linux 5.18: mounted again, it is a different one, and empty.
    package func likeness(to known: DirectoryIdentity) -> Likeness {
        switch isOnFileSystem(of: known) {
        case true?: inode != nil && known.inode != nil && inode != known.inode ? .other : .same
        case false?: .other
        case nil: .uncertain
        }
    }

    private func isOnFileSystem(of known: DirectoryIdentity) -> Bool? {
        if let source, let other = known.source { return source == other }
        if let fsid, let other = known.fsid { return fsid == other }
        if let uuid, let other = known.uuid { return uuid == other }
        return nil
    }
}

/// Where a directory is at this moment; no other directory mounted at the same time has the same place.
package struct DirectoryPlace: Hashable, Sendable {
    /// The mount's device number, from `stat`.
    package let device: UInt64
    /// The directory's inode number, from `stat`.
    package let inode: UInt64
    /// The kernel's id of the mount; 0 where the kernel does not tell.
    let mount: UInt64

    /// A place as read from the system at one moment.
    package init(device: UInt64, inode: UInt64, mount: UInt64 = 0) {
        self.device = device
        self.inode = inode
        self.mount = mount
    }

    /// Whether a mount point lies between this directory and `parent`.
    ///
    /// A btrfs subvolume is not one, where the kernel tells mount ids.
    package func isMounted(below parent: DirectoryPlace) -> Bool {
        mount != 0 && parent.mount != 0 ? mount != parent.mount : device != parent.device
    }
}
