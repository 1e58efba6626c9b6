/// What tells a directory from all others, also after its disk was mounted again or elsewhere.
///
/// The number that `stat` gives a device belongs to a mount, not to a disk, so it is no part of this.
package struct DirectoryIdentity: Codable, Hashable, Sendable {
    /// The type of its file system, such as `ext4` or `nfs`.
    package let fileSystem: String
    /// What `statfs` calls the file system; `nil` where that is 0 or only the number of the device.
    package let fsid: UInt64?
    /// UUID or serial number, where the kernel or udev tells it.
    package let uuid: String?
    /// Of a network file system: where it comes from, and which directory of it is mounted.
    package let source: String?
    /// `nil` where the file system numbers its files anew at each mount.
    package let inode: UInt64?

    package init(
        fileSystem: String, fsid: UInt64? = nil, uuid: String? = nil, source: String? = nil, inode: UInt64? = nil
    ) {
        self.fileSystem = fileSystem
        self.fsid = fsid
        self.uuid = uuid
        self.source = source
        self.inode = inode
    }

    /// How a directory compares to one that is remembered.
    package enum Likeness: Hashable, Sendable {
        case same
        case other
        /// Neither of the two says enough: its files have to tell.
        case uncertain
    }

    /// Whether this is the directory that `known` describes.
    ///
    /// A network file system is known by its source; every other by `f_fsid`, which of btrfs tells subvolumes
    /// apart, too. Where that says nothing (0, or the device's number, as of XFS, FAT and exFAT), the UUID does.
    /// A tmpfs has a random one per mount since Linux 5.18: mounted anew, it is another one, and empty.
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

/// Where a directory is just now: what it has in common with nothing else that is mounted at the same time.
package struct DirectoryPlace: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
    /// 0 where the kernel does not tell.
    package let mount: UInt64

    package init(device: UInt64, inode: UInt64, mount: UInt64 = 0) {
        self.device = device
        self.inode = inode
        self.mount = mount
    }

    /// Whether a mount lies between this directory and `parent`; a btrfs subvolume is none where the kernel tells.
    package func isMounted(below parent: DirectoryPlace) -> Bool {
        mount != 0 && parent.mount != 0 ? mount != parent.mount : device != parent.device
    }
}
