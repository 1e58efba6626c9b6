import Glibc
package import Platform

/// Where a server listens.
package enum Address: Hashable, Sendable {
    /// A TCP port on 127.0.0.1; port 0 means any free one.
    case loopback(port: UInt16)
    /// A socket file that only its owner can read and write; an existing socket there is replaced.
    case unix(FilePath)
}

/// A bound socket that accepts connections; its owner closes it.
struct ListeningSocket {
    let descriptor: Int32
    let address: Address

    init(_ address: Address) throws(SystemError) {
        switch address {
        case .loopback(let port):
            descriptor = try Self.loopback(port)
            self.address = .loopback(port: try Self.port(of: descriptor))
        case .unix(let path):
            descriptor = try Self.unix(path)
            self.address = address
        }
    }

    /// The number of connections that may wait to be accepted.
    private static let backlog: Int32 = 511

    private static func loopback(_ port: UInt16) throws(SystemError) -> Int32 {
        try listening(family: AF_INET, path: nil) { descriptor in
            var on: Int32 = 1
            guard setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout.size(ofValue: on))) == 0
            else { return -1 }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
            return bound(descriptor, to: &address)
        }
    }

    private static func unix(_ path: FilePath) throws(SystemError) -> Int32 {
        var facts = stat()
        if lstat(path.cString, &facts) == 0, facts.st_mode & S_IFMT == S_IFSOCK { unlink(path.cString) }
        return try UnixAddress.reaching(path) { (address: inout sockaddr_un) throws(SystemError) in
            try listening(family: AF_UNIX, path: path) { descriptor in
                // The socket file is created with the mode of the descriptor, so other users can never open it.
                fchmod(descriptor, 0o600) == 0 ? bound(descriptor, to: &address) : -1
            }
        }
    }

    /// A new socket, bound by `bind`, which returns -1 and sets errno on failure.
    private static func listening(
        family: Int32, path: FilePath?, bind: (Int32) -> Int32
    ) throws(SystemError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw SystemError(call: "socket", code: errno, path: path) }
        guard bind(descriptor) == 0, listen(descriptor, backlog) == 0 else {
            let code = errno
            close(descriptor)
            throw SystemError(call: "bind", code: code, path: path)
        }
        return descriptor
    }

    private static func bound<T>(_ descriptor: Int32, to address: inout T) -> Int32 {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<T>.size))
            }
        }
    }

    private static func port(of descriptor: Int32) throws(SystemError) -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout.size(ofValue: address))
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard code == 0 else { throw SystemError(call: "getsockname", code: errno) }
        return UInt16(bigEndian: address.sin_port)
    }
}

extension FilePath {
    /// The bytes followed by a NUL, as C functions expect a path.
    var cString: [CChar] { bytes.map(CChar.init(bitPattern:)) + [0] }
}
