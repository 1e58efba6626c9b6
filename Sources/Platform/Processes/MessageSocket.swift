import CLinux
import Glibc

/// One end of a connection between two processes that carries whole messages and open files.
///
/// On the wire a message is its length (4 bytes, big-endian) and its bytes; an open file is sent with the
/// first of them. After any failure the stream may be out of step, and the socket must not be used again.
/// At any time at most one thread or task sends and one receives.
package final class MessageSocket: Sendable {
    /// One whole message.
    package struct Message: Sendable {
        /// The payload, without its length.
        package let bytes: [UInt8]
        /// The open file that was sent with it, if any.
        package let file: OpenFile?
    }

    private let socket: OpenFile
    private let limit: Int
    private let acceptsFiles: Bool
    let sending = Blocking("send", limit: 1)
    let receiving = Blocking("receive", limit: 1)

    /// Takes ownership of an inherited end of a connection.
    ///
    /// - Parameters:
    ///   - limit: Bytes; a longer message fails with `EMSGSIZE`.
    ///   - acceptsFiles: Whether the other end is trusted to open files in this process.
    package init(descriptor: Int32, limit: Int = 64 << 20, acceptsFiles: Bool) {
        socket = OpenFile(descriptor: descriptor)
        self.limit = limit
        self.acceptsFiles = acceptsFiles
    }

    /// Two connected ends: one to keep, which accepts no files, and one for a child, which does.
    package static func pair(limit: Int = 64 << 20) throws(SystemError) -> (kept: MessageSocket, child: MessageSocket) {
        var ends: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try SystemError.check("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
        return (
            MessageSocket(descriptor: ends[0], limit: limit, acceptsFiles: false),
            MessageSocket(descriptor: ends[1], limit: limit, acceptsFiles: true)
        )
    }

    /// Valid as long as this object exists; never close it.
    package var descriptor: Int32 { socket.descriptor }

    /// Ends the connection for both sides; threads and tasks that wait on it wake up.
    package func disconnect() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}

extension MessageSocket {
    /// Sends `bytes`, and `file` with them; blocks until all is sent, or throws `ETIMEDOUT`.
    package func send(
        _ bytes: [UInt8], passing file: OpenFile? = nil, by deadline: ContinuousClock.Instant? = nil
    ) throws(SystemError) {
        guard bytes.count <= limit else { throw SystemError(call: "sendmsg", code: EMSGSIZE) }
        let frame = withUnsafeBytes(of: UInt32(bytes.count).bigEndian, Array.init) + bytes
        var sent = 0
        while sent < frame.count {
            let passed = sent == 0 ? file?.descriptor ?? -1 : -1
            sent += try repeated("sendmsg", when: POLLOUT, by: deadline) {
                frame[sent...].withUnsafeBytes { rest in
                    clinux_send(descriptor, rest.baseAddress, rest.count, passed, Int32(MSG_NOSIGNAL) | Self.atOnce)
                }
            }
        }
    }

    /// The next message, or `nil` when the other end closed between messages; blocks until the deadline.
    package func receive(by deadline: ContinuousClock.Instant? = nil) throws(SystemError) -> Message? {
        var file: OpenFile?
        let length = try receive(4, by: deadline, file: &file)
        if length.isEmpty { return nil }
        let count = length.reduce(0) { $0 << 8 | Int($1) }
        guard length.count == 4 else { throw SystemError(call: "recvmsg", code: ECONNRESET) }
        guard count <= limit else { throw SystemError(call: "recvmsg", code: EMSGSIZE) }
        let bytes = try receive(count, by: deadline, file: &file)
        guard bytes.count == count else { throw SystemError(call: "recvmsg", code: ECONNRESET) }
        return Message(bytes: bytes, file: file)
    }

    /// `count` bytes; fewer only when the other end closed.
    private func receive(
        _ count: Int, by deadline: ContinuousClock.Instant?, file: inout OpenFile?
    ) throws(SystemError) -> [UInt8] {
        // Grows as bytes arrive: an announced length alone must not make us allocate.
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(count, 256 << 10))
        while bytes.count < count {
            var passed: Int32 = -1
            let wanted = min(piece.count, count - bytes.count)
            let received = try repeated("recvmsg", when: POLLIN, by: deadline) {
                acceptsFiles
                    ? clinux_receive(descriptor, &piece, wanted, &passed, Self.atOnce)
                    : clinux_receive(descriptor, &piece, wanted, nil, Self.atOnce)
            }
            if passed >= 0 { file = OpenFile(descriptor: passed) }
            if received == 0 { break }
            bytes += piece[..<received]
        }
        return bytes
    }

    private static let atOnce = Int32(MSG_DONTWAIT)

    /// The result of `body` once it does not block; waits for `events` between attempts.
    private func repeated(
        _ call: String, when events: Int32, by deadline: ContinuousClock.Instant?, _ body: () -> Int
    ) throws(SystemError) -> Int {
        while true {
            do {
                return try SystemError.check(call, nil, body)
            } catch  where error.code != EAGAIN {
                throw error
            } catch {
                var source = pollfd(fd: descriptor, events: Int16(events), revents: 0)
                let ready = try SystemError.check("poll") { poll(&source, 1, Self.milliseconds(until: deadline)) }
                if ready == 0 { throw SystemError(call: call, code: ETIMEDOUT) }
            }
        }
    }

    /// The timeout for `poll`: rounded up, and -1 to wait without limit.
    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
        return Int32(min(max(0, left.rounded(.up)), Double(Int32.max)))
    }
}
