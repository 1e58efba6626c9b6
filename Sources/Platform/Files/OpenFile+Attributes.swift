import CLinux
import Glibc

extension OpenFile {
    /// Sets the extended attribute `name`, such as `user.colour`; durable after `synchronizeAll`.
    ///
    /// Throws an error that `refusesAttribute` where the file system keeps none, or none of this size.
    package func setAttribute(_ name: String, to value: [UInt8]) throws(SystemError) {
        try SystemError.check("fsetxattr") { fsetxattr(descriptor, name, value, value.count, 0) }
    }

    /// The value of the extended attribute `name`; `nil` where the file or the file system has none.
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

    /// Bytes that suffice for most attributes, and bytes that no attribute exceeds (`XATTR_SIZE_MAX`).
    private static let rooms = [4 << 10, 64 << 10]
}

extension SystemError {
    /// The file system keeps no extended attributes, or none of this size.
    ///
    /// ext4, for one, has 4 KiB for all attributes of a file.
    package var refusesAttribute: Bool { [ENOTSUP, ENOSYS, EPERM, E2BIG, ERANGE, ENOSPC].contains(code) }
}

extension Directory {
    /// Returns when all data of its file system is durable: cheaper than synchronizing many files.
    package func synchronizeFileSystem() throws(SystemError) {
        try SystemError.check("syncfs", path) { syncfs(descriptor) }
    }
}
