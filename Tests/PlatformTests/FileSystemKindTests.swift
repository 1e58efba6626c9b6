import TestSupport
import Testing

@testable import Platform

@Suite struct FileSystemKindTests {
    @Test(
        arguments: [
            (0xef53, "ext4", false, true), (0x6969, "nfs", true, false), (0xff53_4d42, "cifs", true, false),
            (0x4d44, "vfat", false, false), (0x9123_683e, "btrfs", false, true),
            (0x1234, "file system 0x1234", false, true),
        ] as [(UInt32, String, Bool, Bool)])
    func kindsByNumber(magic: UInt32, name: String, isNetwork: Bool, keepsInodes: Bool) throws {
        let kind = try #require(FileSystemKind(magic: magic))
        #expect(kind == FileSystemKind(name, isNetwork: isNetwork, keepsInodes: keepsInodes))
    }

    @Test(arguments: [
        ("fuse.sshfs", true), ("fuse.rclone", true), ("fuse.something-new", true), ("virtiofs", true), ("fuse", true),
        ("fuseblk", false), ("fuse.mergerfs", false),
    ])
    func kindsOverFUSEByTheirMount(type: String, isNetwork: Bool) {
        #expect(FileSystemKind(magic: 0x6573_5546) == nil)
        #expect(FileSystemKind(mountType: type) == FileSystemKind(type, isNetwork: isNetwork, keepsInodes: false))
    }

    static let mounts = """
        22 28 0:20 / /sys rw,nosuid shared:7 - sysfs sysfs rw
        28 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
        91 28 0:52 / /mnt/a\\040b rw - fuse.sshfs user@host:/ rw,user_id=0
        92 28 0:53 / /mnt/c rw shared:2 master:3 propagate_from:4 - fuseblk /dev/sdb1 rw
        broken line
        """

    @Test(
        arguments: [
            (52, "fuse.sshfs"), (53, "fuseblk"), (254 << 8, "ext4"), (99, nil),
        ] as [(UInt64, String?)])
    func mountsAreFoundByDevice(device: UInt64, type: String?) {
        #expect(FileSystemKind.mountType(ofDevice: device, in: Self.mounts) == type)
    }

    @Test func realDirectoriesHaveKindsAndRoom() async throws {
        try await FileTree().withDirectory { root in
            let directory = try Directory(root)
            #expect(try !directory.fileSystem().name.isEmpty)
            #expect(try directory.availableBytes() > 0)
            let size = try Directory("/proc").availableBytes()
            #expect(size == 0)
        }
    }
}
