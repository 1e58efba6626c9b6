import Glibc
import Synchronization

/// One connection to a `RawServer`, read and written in whatever order a test needs.
package final class RawConnection: Sendable {
    /// Counts the server's connections from 0.
    package let number: Int
    private let descriptor: Int32
    private let state = Mutex(State())

    private struct State {
        var unread: [UInt8] = []
        var isOpen = true
    }

    init(_ descriptor: Int32, number: Int) {
        self.descriptor = descriptor
        self.number = number
    }

    /// A request's head.
    package struct Head: Sendable {
        package let method: String
        package let target: String
        /// The lines after the first, as sent.
        package let fields: [String]

        /// The value of a field, its name compared without case.
        package func value(of name: String) -> String? {
            for field in fields where field.lowercased().hasPrefix(name.lowercased() + ":") {
                return String(field.dropFirst(name.count + 1).drop { $0 == " " })
            }
            return nil
        }

        package var contentLength: Int { value(of: "content-length").flatMap { Int($0) } ?? 0 }
    }

    /// The next request's head; `nil` at the end of the connection.
    package func head() -> Head? {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = read(upTo: 1).first else { return nil }
            bytes.append(byte)
        }
        let lines = String(decoding: bytes.dropLast(4), as: UTF8.self).split(separator: "\r\n").map(String.init)
        let words = lines[0].split(separator: " ").map(String.init)
        return Head(method: words[0], target: words[1], fields: Array(lines.dropFirst()))
    }

    /// The next `count` bytes, fewer only at the end of the connection.
    package func body(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = read(upTo: count - bytes.count)
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    package func write(_ text: String) {
        write(Array(text.utf8))
    }

    /// Writes all of `bytes`; `false` if the peer is gone.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// A whole answer with its `Content-Length`.
    package func answer(_ status: Int = 200, fields: [String] = [], _ body: String = "") {
        let lines = ["HTTP/1.1 \(status) Status", "Content-Length: \(body.utf8.count)"] + fields
        write(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Reads one request with its body after another, and answers each.
    package func serve(_ answer: (Head, [UInt8]) -> Void) {
        while let head = head() { answer(head, body(head.contentLength)) }
    }

    /// Returns when the peer or the test has ended the connection.
    package func stall() {
        while !read(upTo: 65536).isEmpty {}
    }

    /// Breaks the connection so that the peer sees a reset.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close()
    }

    package func close() {
        state.withLock { state in
            if state.isOpen { Glibc.close(descriptor) }
            state.isOpen = false
        }
    }

    /// Ends the connection, which wakes a blocked reader.
    func end() {
        state.withLock { state in
            if state.isOpen { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Reads some bytes, none at the end; called on the connection's thread only.
    private func read(upTo count: Int) -> [UInt8] {
        let unread = state.withLock { state in
            let taken = state.unread.prefix(count)
            state.unread.removeFirst(taken.count)
            return Array(taken)
        }
        guard unread.isEmpty else { return unread }
        let fresh = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, size in
            size = max(recv(descriptor, buffer.baseAddress, buffer.count, 0), 0)
        }
        state.withLock { $0.unread = Array(fresh.dropFirst(count)) }
        return Array(fresh.prefix(count))
    }
}
