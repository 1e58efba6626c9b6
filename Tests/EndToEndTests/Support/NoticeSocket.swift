import Glibc
import Platform

/// The socket on which systemd hears its services: a datagram socket of the test (sd_notify(3)).
final class NoticeSocket: Sendable {
    let path: FilePath
    private let descriptor: Int32

    /// Binds a socket file at `path`, which has to be short.
    init(_ path: FilePath) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isShort = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.bytes.count < room.count else { return false }
            room.copyBytes(from: path.bytes)
            return true
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard isShort, result == 0 else { throw NotThere(what: "a socket at \(path)") }
    }

    deinit { close(descriptor) }

    /// The notices that came since the last call, each a datagram.
    func take() -> [String] {
        var notices: [String] = []
        var room = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &room, room.count, 0)
            guard count > 0 else { return notices }
            notices.append(String(decoding: room.prefix(count), as: UTF8.self))
        }
    }
}
