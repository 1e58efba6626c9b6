package import Platform

/// One HTTP request: what to send, where the answer goes, how long to wait.
package struct HTTPRequest: Sendable {
    package var method: HTTPMethod
    /// Absolute and already percent-encoded; the bytes of its path are sent as they stand here.
    package var url: String
    package var headers: HTTPHeaders
    package var body: HTTPBody
    package var answer: AnswerSink
    /// The socket to connect to instead of the URL's host; its path may be of any length.
    package var unixSocket: FilePath?
    package var timeouts = Timeouts()
    /// Bytes per second at most, bodies only; `nil` for no limit of this request's own.
    package var sendLimit: Int?
    package var receiveLimit: Int?
    /// Whether GET and HEAD go on to where a redirect points; other methods never do.
    package var followsRedirects = false
    /// Whether an IP address, such as `10.0.0.1` or `fe80::1`, may be connected to; asked on the transfer thread.
    ///
    /// Asked before a connection is made and before the request goes out over one, kept ones too; a Unix socket is
    /// not judged.
    package var permitsPeer: (@Sendable (String) -> Bool)?
    /// Whether it must never be sent twice, because it costs: it gets a connection of its own.
    ///
    /// On a kept connection that ends without a word curl sends any request again, as one that surely never arrived.
    package var isOnce = false
    /// Told at most ten times a second, and once at the end; called on the transfer thread.
    package var progress: (@Sendable (TransferProgress) -> Void)?

    package init(
        _ method: HTTPMethod, _ url: String, headers: HTTPHeaders = HTTPHeaders(), body: HTTPBody = .none,
        answer: AnswerSink = .memory(limit: 1 << 20)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.answer = answer
    }
}

/// What a request asks for, such as `GET`; sent as it is spelled.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let get = HTTPMethod(rawValue: "GET")
    package static let head = HTTPMethod(rawValue: "HEAD")
    package static let post = HTTPMethod(rawValue: "POST")
    package static let put = HTTPMethod(rawValue: "PUT")
    package static let patch = HTTPMethod(rawValue: "PATCH")
    package static let delete = HTTPMethod(rawValue: "DELETE")
    package static let options = HTTPMethod(rawValue: "OPTIONS")
}

/// The bytes that go with a request.
package enum HTTPBody: Sendable {
    case none
    case bytes([UInt8])
    /// `length` bytes of a file from `offset` on, read while they are sent.
    case file(OpenFile, offset: Int64, length: Int64, observer: (any BodyObserver)? = nil)

    /// Bytes announced as `Content-Length`; `nil` without a body.
    package var length: Int64? {
        switch self {
        case .none: nil
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, _, let length, _): length
        }
    }
}

/// Sees a file's bytes as they are sent, to hash them without a second read.
///
/// Called on the transfer thread, one call at a time.
package protocol BodyObserver: Sendable {
    /// The body starts again from its first byte, because the connection had gone stale.
    func restarted()
    /// These bytes follow the ones seen before.
    func sent(_ bytes: RawSpan)
}

/// Where the body of a success goes; a refusal's stays in memory, cut at 64 KiB.
package enum AnswerSink: Sendable {
    /// Kept whole; beyond `limit` bytes it is an error.
    case memory(limit: Int)
    /// Written to a file: 206 from `at` on, any other from the file's first byte.
    ///
    /// A file that would grow beyond `limit` bytes is an error, at the answer's head where that tells.
    case file(OpenFile, at: Int64 = 0, limit: Int64 = .max)
}

/// How long a request may take; `nil` waits for ever.
package struct Timeouts: Hashable, Sendable {
    /// From the start until connected, the TLS handshake included.
    package var connect: Duration?
    /// While no byte moves in either direction; time spent held back by a rate limit does not count.
    package var idle: Duration?
    /// From the start to the last byte of the answer.
    package var total: Duration?

    package init(connect: Duration? = .seconds(20), idle: Duration? = .seconds(60), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}

/// How far a request has come: bytes of the two bodies.
package struct TransferProgress: Hashable, Sendable {
    package let sent: Int64
    package let received: Int64

    package init(sent: Int64, received: Int64) {
        self.sent = sent
        self.received = received
    }
}
