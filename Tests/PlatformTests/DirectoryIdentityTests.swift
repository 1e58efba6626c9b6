import TestSupport
import Testing

@testable import Platform

@Suite struct DirectoryIdentityTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let known: DirectoryIdentity
        let now: DirectoryIdentity
        let likeness: DirectoryIdentity.Likeness

        init(
            _ sentence: String, _ known: DirectoryIdentity, _ now: DirectoryIdentity,
            _ likeness: DirectoryIdentity.Likeness
        ) {
            (testDescription, self.known, self.now, self.likeness) = (sentence, known, now, likeness)
        }
    }

    private static let disk = DirectoryIdentity(fileSystem: "ext4", fsid: 7, uuid: "u-7", inode: 2)

    @Test(arguments: [
        Row("the same disk again", disk, disk, .same),
        Row("another disk", disk, DirectoryIdentity(fileSystem: "ext4", fsid: 8, uuid: "u-8", inode: 2), .other),
        Row("another directory", disk, DirectoryIdentity(fileSystem: "ext4", fsid: 7, uuid: "u-7", inode: 3), .other),
        Row("fsid first: subvolumes", disk, DirectoryIdentity(fileSystem: "btrfs", fsid: 8, uuid: "u-7"), .other),
        Row(
            "UUID where fsid is a device's number", DirectoryIdentity(fileSystem: "xfs", uuid: "x", inode: 128),
            DirectoryIdentity(fileSystem: "xfs", uuid: "x", inode: 128), .same),
        Row(
            "another stick at the same port", DirectoryIdentity(fileSystem: "vfat", uuid: "ABCD-1"),
            DirectoryIdentity(fileSystem: "vfat", uuid: "ABCD-2"), .other),
        Row(
            "another driver for the same disk", DirectoryIdentity(fileSystem: "fuseblk", uuid: "N"),
            DirectoryIdentity(fileSystem: "ntfs3", uuid: "N", inode: 5), .same),
        Row(
            "the same share", DirectoryIdentity(fileSystem: "nfs", fsid: 1, source: "nas:/a /"),
            DirectoryIdentity(fileSystem: "nfs", fsid: 9, source: "nas:/a /"), .same),
        Row(
            "another share", DirectoryIdentity(fileSystem: "nfs", source: "nas:/a /"),
            DirectoryIdentity(fileSystem: "nfs", source: "nas:/b /"), .other),
        Row(
            "nothing to go by", DirectoryIdentity(fileSystem: "fuse.bindfs"),
            DirectoryIdentity(fileSystem: "fuse.bindfs"), .uncertain),
        Row(
            "no fsid before, now one", DirectoryIdentity(fileSystem: "tmpfs", inode: 1),
            DirectoryIdentity(fileSystem: "tmpfs", fsid: 3, inode: 1), .uncertain),
        Row(
            "inodes that are numbered anew", DirectoryIdentity(fileSystem: "exfat", uuid: "E"),
            DirectoryIdentity(fileSystem: "exfat", uuid: "E"), .same),
    ])
    func likeness(_ row: Row) {
        #expect(row.now.likeness(to: row.known) == row.likeness)
    }

    @Test func aDirectoryIsItselfHoweverItIsOpened() async throws {
        try await FileTree(["a": ["x": ""], "b": [:], "link": .symlink(to: "a")]).withDirectory { folder in
            let identity = try Directory(folder.appending("a")).identity()
            #expect(try Directory(folder.appending("link")).identity().likeness(to: identity) != .other)
            #expect(try Directory(folder).open(directory: "a").place() == Directory(folder.appending("link")).place())
            // On a file system with stable inodes, a sibling has another identity.
            let neighbour = try Directory(folder.appending("b")).identity()
            #expect(neighbour.likeness(to: identity) == (identity.inode == nil ? .same : .other))
        }
    }

    @Test func aMountIsToldByItsNumberElseByItsDevice() {
        let parent = DirectoryPlace(device: 1, inode: 2, mount: 10)
        #expect(DirectoryPlace(device: 1, inode: 9, mount: 11).isMounted(below: parent))
        #expect(!DirectoryPlace(device: 5, inode: 256, mount: 10).isMounted(below: parent))
        #expect(DirectoryPlace(device: 5, inode: 2).isMounted(below: DirectoryPlace(device: 1, inode: 2)))
    }

    @Test func linesOfTheMountListAreRead() {
        let text = """
            36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
            40 36 0:50 / /srv/a\\040b rw - nfs4 nas:/export/photos rw,vers=4.2
            torn
            """
        let mounts = Mount.all(in: text)
        #expect(mounts.map(\.id) == [36, 40])
        #expect(mounts.map(\.root) == ["/mnt1", "/"])
        #expect(mounts.map(\.type) == ["ext3", "nfs4"])
        #expect(mounts.map(\.source) == ["/dev/root", "nas:/export/photos"])
    }
}
