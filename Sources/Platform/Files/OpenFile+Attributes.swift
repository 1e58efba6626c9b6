import CLinux
import Glibc

extension OpenFile {
    /// Sets the extended attribute `name`, such as `user.colour`; durable after `synchronizeAll`.
    ///
    /// Fails with an error that `refusesAttribute` where the file system keeps none, or none so long.
    package func setAttribute(_ name: String, to value: [UInt8]) throws(SystemError) {
        try SystemError.check("fsetxattr") { fsetxattr(descriptor, name, value, value.count, 0) }
    }

    /// The extended attribute `name`; `nil` where the file has none, or the file system keeps none.
    package func attribute(_ name: String) throws(SystemError) -> [UInt8]? {
        for room in Self.rooms {
            do throws(SystemError) {
                var value = [UInt8](repeating: 0, count: room)
                let count = try SystemError.check("fgetxattr") { fgetxattr(descriptor, name, &value, room) }
                return Array(value[..<count])
            } catch {
                if error.code == ENODATA || error.code == ENOTSUP { return nil }
                guard error.code == ERANGE else { throw error }
            }
        }
        return nil
    }

    /// Bytes that most attributes fit into, and those that none exceeds (`XATTR_SIZE_MAX`).
    private static let rooms = [4 << 10, 64 << 10]
}

extension SystemError {
    /// The file system keeps no extended attributes, or has no room for one so long: ext4 has 4 KiB for all of a file.
    package var refusesAttribute: Bool { [ENOTSUP, ENOSYS, EPERM, E2BIG, ERANGE, ENOSPC].contains(code) }
}

extension Directory {
    /// Returns when everything on its file system is on the disk itself: cheaper than many files one by one.
    package func synchronizeFileSystem() throws(SystemError) {
        try SystemError.check("syncfs", path) { syncfs(descriptor) }
    }
}
