import Glibc
import Platform
import Serving
import StorageServer
import Synchronization

/// The servers that get the bytes, in a folder of this process.
final class FuzzedServers: Sendable {
    static let shared = FuzzedServers()

    /// What a handler got that must never reach it.
    let odd = Mutex<String?>(nil)
    let storage: StorageServer?
    private let socket: FilePath
    private let server = Mutex<Server?>(nil)

    private init() {
        let base = Environment["TMPDIR"] ?? "/tmp"
        let folder = FilePath(base).appending("gallery-sync-fuzz.\(getpid())")
        try? Directory.create(at: folder)
        socket = folder.appending("s")
        storage = try? StorageServer(folder: folder.appending("storage"), listening: [])
        let started = Server(listening: [.unix(socket)]) { [weak self] request in
            self?.look(at: request)
            _ = try? await request.body.collect(limit: 1 << 16)
            return Response(status: 200, headers: ["X": request.headers["Range"] ?? ""], body: .bytes([0x61]))
        }
        try? started.start()
        server.withLock { $0 = started }
    }

    private func look(at request: Request) {
        let texts = request.headers.lines.flatMap { [$0.name, $0.value] } + [request.method, request.target]
        guard let text = texts.first(where: { $0.utf8.contains { [0, 0x0A, 0x0D].contains($0) } }) else { return }
        odd.withLock { $0 = "a handler was given \(text.debugDescription)" }
    }

    /// The answer to these bytes, up to the end of the connection or to a pause.
    func exchange(_ bytes: [UInt8]) -> [UInt8] {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        guard connected(descriptor) else { return [] }
        // A time limit, because the server waits for the rest of a request that this client never sends.
        var patience = timeval(tv_sec: 0, tv_usec: 20_000)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        shutdown(descriptor, Int32(SHUT_WR))
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { return answer }
            answer += piece[..<count]
        }
    }

    private func connected(_ descriptor: Int32) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.bytes.prefix(100)) }
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
