import CLinux
import Glibc

/// What kind of file system a directory is on, as far as that changes what can be relied on.
package struct FileSystemKind: Hashable, Sendable {
    /// For people, such as `ext4` or `fuse.sshfs`.
    package let name: String
    /// Whether other machines may change it without this kernel noticing.
    package let isNetwork: Bool
    /// Whether a file keeps its inode number across mounts.
    let keepsInodes: Bool

    init(_ name: String, isNetwork: Bool = false, keepsInodes: Bool = true) {
        self.name = name
        self.isNetwork = isNetwork
        self.keepsInodes = keepsInodes
    }
}

extension FileSystemKind {
    /// The kind that `statfs(2)` reports as a number (linux/magic.h); `nil` for FUSE, which is many.
    init?(magic: UInt32) {
        guard magic != Self.fuse else { return nil }
        self = Self.known[magic] ?? FileSystemKind("file system 0x" + String(magic, radix: 16))
    }

    private static let fuse: UInt32 = 0x6573_5546

    private static let known: [UInt32: FileSystemKind] = [
        0x0000_6969: .network("nfs"),
        0x0000_517b: .network("smb"),
        0xff53_4d42: .network("cifs"),
        0xfe53_4d42: .network("smb2"),
        0x00c3_6400: .network("ceph"),
        0x5346_414f: .network("afs"),
        0x6b41_4653: .network("afs"),
        0x0102_1997: .network("9p"),
        0x7375_7245: .network("coda"),
        0x0000_564c: .network("ncp"),
        0x786f_4256: .network("vboxsf"),
        0xbacb_acbc: .network("vmhgfs"),
        0x0bd0_0bd0: .network("lustre"),
        0x0116_1970: .network("gfs2"),
        0x7461_636f: .network("ocfs2"),
        0x0000_4d44: FileSystemKind("vfat", keepsInodes: false),
        0x2011_bab0: FileSystemKind("exfat", keepsInodes: false),
        0x794c_7630: FileSystemKind("overlay", keepsInodes: false),
        0x0000_ef53: FileSystemKind("ext4"),
        0x9123_683e: FileSystemKind("btrfs"),
        0x5846_5342: FileSystemKind("xfs"),
        0x2fc1_2fc1: FileSystemKind("zfs"),
        0xf2f5_2010: FileSystemKind("f2fs"),
        0x0102_1994: FileSystemKind("tmpfs"),
        0xca45_1a4e: FileSystemKind("bcachefs"),
        0x7366_746e: FileSystemKind("ntfs3"),
        0x5346_544e: FileSystemKind("ntfs"),
        0x0000_4244: FileSystemKind("hfs"),
        0x0000_482b: FileSystemKind("hfsplus"),
        0x0000_9660: FileSystemKind("iso9660"),
        0x1501_3346: FileSystemKind("udf", keepsInodes: false),
        0xe0f5_e1e2: FileSystemKind("erofs"),
        0x7371_7368: FileSystemKind("squashfs"),
    ]

    private static func network(_ name: String) -> FileSystemKind {
        FileSystemKind(name, isNetwork: true, keepsInodes: false)
    }

    /// FUSE file systems whose files are on a disk of this machine; every other one may be remote.
    private static let localOverFUSE: Set<String> = [
        "fuseblk", "fuse.ntfs-3g", "fuse.exfat", "fuse.mergerfs", "fuse.bindfs", "fuse.gocryptfs", "fuse.cryfs",
        "fuse.encfs", "fuse.shfs", "fuse.unionfs", "fuse.fuse-overlayfs",
    ]

    /// A FUSE file system with this type in the list of mounts.
    init(mountType: String) {
        self.init(mountType, isNetwork: !Self.localOverFUSE.contains(mountType), keepsInodes: false)
    }

    /// The type of the file system on `device`, read from `/proc/self/mountinfo` (proc_pid_mountinfo(5)).
    static func mountType(ofDevice device: UInt64, in mounts: String) -> String? {
        let number = "\(gnu_dev_major(UInt(device))):\(gnu_dev_minor(UInt(device)))"
        for line in mounts.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 3, words[2] == number, let dash = words.firstIndex(of: "-") else { continue }
            return words.dropFirst(dash + 1).first.map(String.init)
        }
        return nil
    }
}

extension Directory {
    /// The kind of file system that this directory is on.
    package func fileSystem() throws(SystemError) -> FileSystemKind {
        var status = statfs()
        try SystemError.check("fstatfs", path) { fstatfs(descriptor, &status) }
        if let kind = FileSystemKind(magic: UInt32(truncatingIfNeeded: status.f_type)) { return kind }
        let device = try facts().device
        let mounts = try OpenFile(reading: "/proc/self/mountinfo").readAll()
        let type = FileSystemKind.mountType(ofDevice: device, in: String(decoding: mounts, as: UTF8.self))
        return FileSystemKind(mountType: type ?? "fuse")
    }

    /// Bytes that this account may still write to the file system.
    package func availableBytes() throws(SystemError) -> Int64 {
        var status = statfs()
        try SystemError.check("fstatfs", path) { fstatfs(descriptor, &status) }
        return Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_bsize))
    }
}
