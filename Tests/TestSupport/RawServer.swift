import Foundation
import Glibc
package import Platform
import Synchronization

/// A server that sends exactly the bytes that a test wants: early, late, partial, or none.
///
/// Each connection has a thread of its own, on which the handler may block.
package final class RawServer: Sendable {
    private let listener: Int32
    private let accepted: Accepted
    private let isStopped = Mutex(false)
    /// The port on 127.0.0.1; 0 for a Unix socket.
    package let port: UInt16

    /// Listens on a free port of 127.0.0.1.
    package convenience init(_ handler: @escaping @Sendable (RawConnection) -> Void) throws(SystemError) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        try self.init(AF_INET, &address, size: socklen_t(MemoryLayout<sockaddr_in>.size), handler)
    }

    /// Listens on a Unix socket that is to appear at `path`, of at most 107 bytes.
    package convenience init(
        unix path: FilePath, _ handler: @escaping @Sendable (RawConnection) -> Void
    ) throws(SystemError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes.prefix(107)) }
        try self.init(AF_UNIX, &address, size: socklen_t(MemoryLayout<sockaddr_un>.size), handler)
    }

    private init(
        _ family: Int32, _ address: UnsafeRawPointer, size: socklen_t,
        _ handler: @escaping @Sendable (RawConnection) -> Void
    ) throws(SystemError) {
        let listener = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let name = address.assumingMemoryBound(to: sockaddr.self)
        guard bind(listener, name, size) == 0, listen(listener, 512) == 0 else {
            throw SystemError(call: "bind", code: errno)
        }
        var bound = sockaddr_in()
        var boundSize = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &bound) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &boundSize) }
        }
        self.listener = listener
        port = family == AF_INET ? UInt16(bigEndian: bound.sin_port) : 0
        accepted = Accepted(listener, handler)
    }

    deinit {
        stop()
    }

    /// The base URL, without a slash at its end.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// How many connections were accepted so far.
    package var connectionCount: Int { accepted.connections.withLock(\.count) }

    /// Ends every connection and accepts no more.
    package func stop() {
        guard
            isStopped.withLock({ was in
                defer { was = true }
                return !was
            })
        else { return }
        // Only once, because the thread then closes the listener, and its number may become that of another file.
        shutdown(listener, Int32(SHUT_RDWR))
        accepted.connections.withLock { $0.forEach { $0.end() } }
    }
}

/// Accepts connections on a thread until the listener is shut down.
private final class Accepted: Sendable {
    let connections = Mutex<[RawConnection]>([])

    init(_ listener: Int32, _ handler: @escaping @Sendable (RawConnection) -> Void) {
        Thread.detachNewThread { [self] in
            defer { Glibc.close(listener) }
            for number in 0... {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                let connection = RawConnection(descriptor, number: number)
                connections.withLock { $0.append(connection) }
                Thread.detachNewThread {
                    handler(connection)
                    connection.close()
                }
            }
        }
    }
}
