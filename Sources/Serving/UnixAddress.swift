import Glibc
import Platform

/// Addresses of socket files, which have room for a path of 107 bytes.
enum UnixAddress {
    /// `O_PATH`, which Glibc's module lacks.
    private static let onlyName: Int32 = 0o10000000

    /// Calls `body` with an address of `path`; if the path is too long, by its directory's descriptor.
    static func reaching<T>(
        _ path: FilePath, _ body: (inout sockaddr_un) throws(SystemError) -> T
    ) throws(SystemError) -> T {
        var address = sockaddr_un()
        if fill(&address, with: path) { return try body(&address) }
        let directory = open(path.parent.cString, onlyName | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw SystemError(call: "open", code: errno, path: path.parent) }
        defer { close(directory) }
        guard fill(&address, with: FilePath("/proc/self/fd/\(directory)").appending(path.name)) else {
            throw SystemError(call: "bind", code: ENAMETOOLONG, path: path)
        }
        return try body(&address)
    }

    /// Whether `path` and its NUL fit into `address`.
    private static func fill(_ address: inout sockaddr_un, with path: FilePath) -> Bool {
        address.sun_family = sa_family_t(AF_UNIX)
        return withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.bytes.count < room.count else { return false }
            room.copyBytes(from: path.bytes)
            return true
        }
    }
}
