import Formats

/// An HTTP/1 answer that was still unread in a socket when sending failed.
///
/// A server that refuses a body may answer, close and thereby reset the connection while the body is
/// still being sent; curl then reports the failed send and never reads the answer that had arrived.
struct EarlyAnswer {
    let status: Int
    let head: [UInt8]
    let body: [UInt8]
    let isWhole: Bool

    /// The first answer in `bytes` that is not merely a `100 Continue`.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let end = rest.endOfHead {
            let head = Array(rest[..<end])
            rest = rest[end...]
            guard let status = Self.status(of: head) else { return nil }
            guard status >= 200 else { continue }
            let length = HTTPHeaders(block: head)["content-length"].flatMap { Int(digits: $0) }
            self.status = status
            self.head = head
            body = Array(rest.prefix(length ?? 0))
            isWhole = body.count == length
            return
        }
        return nil
    }

    /// The number after `HTTP/1.1 `.
    private static func status(of head: [UInt8]) -> Int? {
        guard head.starts(with: "HTTP/1.".utf8), head.count > 12 else { return nil }
        return Int(digits: String(decoding: head[9..<12], as: UTF8.self))
    }
}

extension ArraySlice<UInt8> {
    /// The index after the first empty line.
    fileprivate var endOfHead: Index? {
        let end = Array("\r\n\r\n".utf8)
        return indices.first { self[$0...].starts(with: end) }.map { $0 + end.count }
    }
}
