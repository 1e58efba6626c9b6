import Dispatch
import Glibc
import Platform
import TestSupport

@testable import Serving

/// A client that sends raw bytes, so that tests see exactly what a server does with them.
final class Wire: Sendable {
    struct Answer: Equatable {
        var status: Int
        var headers: Headers
        var body: String
    }

    struct Failed: Error, Equatable { let call: String }

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "Wire")
    private let noSignal: Int32 = 0x4000  // MSG_NOSIGNAL

    init(port: UInt16?) throws {
        descriptor = Self.socket(AF_INET)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = (port ?? 0).bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        try connect(to: &address)
        // Pieces leave as they are sent, and wait for no acknowledgement.
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    init(path: FilePath) throws {
        descriptor = Self.socket(AF_UNIX)
        try UnixAddress.reaching(path) { (address: inout sockaddr_un) throws(SystemError) in
            do { try connect(to: &address) } catch { throw SystemError(call: "connect", code: errno) }
        }
    }

    deinit { close(descriptor) }

    /// A socket whose calls end after `patience`, so that a silent server fails a test and blocks no thread.
    private static func socket(_ family: Int32) -> Int32 {
        let descriptor = Glibc.socket(family, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        return descriptor
    }

    private func connect<T>(to address: inout T) throws {
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<T>.size))
            }
        }
        guard code == 0 else { throw Failed(call: "connect") }
    }

    /// Runs a blocking call off the pool that handlers run on.
    private func blocking<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { done in
            queue.async { done.resume(with: Result { try body() }) }
        }
    }

    /// How many bytes a call moved; throws where it moved none within the socket's limit.
    private static func moved(_ count: Int, _ what: String) throws -> Int {
        guard count < 0, errno == EAGAIN else { return count }
        throw LimitReached(patience, what)
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        let isSent = try await blocking { [descriptor, noSignal] in
            var sent = 0
            while sent < bytes.count {
                let count = try Self.moved(
                    bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, noSignal) },
                    "the server takes what is sent")
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
        guard isSent else { throw Failed(call: "send") }
    }

    /// Ends sending; the server's bytes can still be read.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Up to `count` bytes; fewer only at the end.
    private func read(_ count: Int) async throws -> [UInt8] {
        try await blocking { [descriptor] in
            var all: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while all.count < count {
                let got = try Self.moved(
                    recv(descriptor, &buffer, min(buffer.count, count - all.count), 0),
                    "the server says more, or closes; it said \(all.count) bytes")
                guard got > 0 else { break }
                all += buffer[..<got]
            }
            return all
        }
    }

    /// Everything until the server closes.
    func readToEnd() async throws -> String { String(decoding: try await read(.max), as: UTF8.self) }

    /// The next header block, without the empty line.
    func readHead() async throws -> [String] {
        var head: [UInt8] = []
        while !head.ends(with: [13, 10, 13, 10]) {
            let byte = try await read(1)
            guard !byte.isEmpty else { throw Failed(call: "recv") }
            head += byte
        }
        return String(decoding: head.dropLast(4), as: UTF8.self).components(by: "\r\n")
    }

    /// The next answer; `hasBody` is false after HEAD.
    func readAnswer(hasBody: Bool = true) async throws -> Answer {
        var lines = try await readHead()[...]
        let status = lines.removeFirst().split(separator: " ")[1]
        var headers = Headers()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers.append(String(parts[0]), String(parts[1].drop { $0 == " " }))
        }
        var body: [UInt8] = []
        if hasBody, headers["transfer-encoding"] == "chunked" {
            body = try await readChunks()
        } else if hasBody {
            let length = Int(headers["content-length"] ?? "0") ?? 0
            body = try await read(length)
            guard body.count == length else { throw Failed(call: "recv") }
        }
        return Answer(status: Int(status) ?? 0, headers: headers, body: String(decoding: body, as: UTF8.self))
    }

    private func readChunks() async throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            var line: [UInt8] = []
            while !line.ends(with: [13, 10]) {
                let byte = try await read(1)
                guard !byte.isEmpty else { throw Failed(call: "recv") }
                line += byte
            }
            let count = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) ?? 0
            all += try await read(count)
            _ = try await read(2)
            if count == 0 { return all }
        }
    }

    /// Sends a request without a body and reads the answer.
    func get(_ target: String, _ headers: String = "", method: String = "GET") async throws -> Answer {
        try await send("\(method) \(target) HTTP/1.1\r\nHost: x\r\n\(headers)\r\n")
        return try await readAnswer(hasBody: method != "HEAD")
    }

    /// Sends a request with a body of known length and reads the answer.
    func post(_ target: String, _ body: String, _ headers: String = "") async throws -> Answer {
        try await send(
            "POST \(target) HTTP/1.1\r\nHost: x\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return try await readAnswer()
    }
}

extension [UInt8] {
    fileprivate func ends(with suffix: [UInt8]) -> Bool { self.suffix(suffix.count) == suffix[...] }
}

extension String {
    fileprivate func components(by separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
