import CLinux
import Glibc

extension Directory {
    /// Where the directory is mounted at this moment.
    package func place() throws(SystemError) -> DirectoryPlace {
        let facts = try facts()
        return DirectoryPlace(device: facts.device, inode: facts.inode, mount: clinux_mount_id(descriptor))
    }

    /// The id that `statfs` gives its file system now, even a meaningless one.
    package func fileSystemNumber() throws(SystemError) -> UInt64 {
        var status = statfs()
        try SystemError.check("fstatfs", path) { fstatfs(descriptor, &status) }
        return withUnsafeBytes(of: status.f_fsid) { $0.loadUnaligned(as: UInt64.self) }
    }

    /// What distinguishes it from every other directory, also after its disk was mounted again.
    package func identity() throws(SystemError) -> DirectoryIdentity {
        let facts = try facts()
        let kind = try fileSystem()
        let number = try fileSystemNumber()
        return DirectoryIdentity(
            fileSystem: kind.name, fsid: number == 0 || number == facts.device ? nil : number,
            uuid: kind.isNetwork ? nil : try uuid(ofDevice: facts.device),
            source: kind.isNetwork ? try mountedSource(device: facts.device) : nil,
            inode: kind.keepsInodes ? facts.inode : nil)
    }

    /// The server of a network file system, with the directory of it that is mounted.
    private func mountedSource(device: UInt64) throws(SystemError) -> String? {
        let text = try OpenFile(reading: "/proc/self/mountinfo").readAll()
        let mounts = Mount.all(in: String(decoding: text, as: UTF8.self))
        let id = clinux_mount_id(descriptor)
        let number = "\(gnu_dev_major(UInt(device))):\(gnu_dev_minor(UInt(device)))"
        let mount = mounts.first { $0.id == id } ?? mounts.first { $0.device == number }
        return mount.map { "\($0.source) \($0.root)" }
    }

    private func uuid(ofDevice device: UInt64) throws(SystemError) -> String? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let length = clinux_file_system_uuid(descriptor, &bytes)
        if length > 0, bytes.contains(where: { $0 != 0 }) { return Self.text(uuid: bytes.prefix(Int(length))) }
        return Self.uuid(ofDevice: device, named: "/dev/disk/by-uuid")
    }

    /// As udev writes it: 16 bytes in five groups, any other length as plain digits.
    private static func text(uuid: ArraySlice<UInt8>) -> String {
        let digits = Array(Array(uuid).hexadecimal)
        guard digits.count == 32 else { return String(digits) }
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    /// The name of the link in udev's `folder` that leads to the device; `nil` without such a folder.
    private static func uuid(ofDevice device: UInt64, named folder: FilePath) -> String? {
        guard let names = try? Directory(folder).names() else { return nil }
        return names.first { name in
            var status = stat()
            let isThere = folder.appending(name).withCString { stat($0, &status) == 0 }
            return isThere && UInt64(status.st_rdev) == device
        }?.string
    }
}
