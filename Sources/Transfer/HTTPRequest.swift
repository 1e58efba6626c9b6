package import Platform

/// One HTTP request: what to send, where the answer goes, how long to wait.
package struct HTTPRequest: Sendable {
    /// Sent as it is spelled.
    package var method: HTTPMethod
    /// Absolute and already percent-encoded; the bytes of its path are sent as they are.
    package var url: String
    /// Sent in this order; host, length and user agent are added.
    package var headers: HTTPHeaders
    /// What is sent with the request, and where it is read from.
    package var body: HTTPBody
    /// Where the body of a success is kept.
    package var answer: AnswerSink
    /// The socket to connect to instead of the URL's host; its path may be of any length.
    package var unixSocket: FilePath?
    /// How long the request may take: 20 s to connect and 60 s without a byte, unless changed.
    package var timeouts = Timeouts()
    /// Bytes per second of the body that is sent; `nil` leaves only the client's limit.
    package var sendLimit: Int?
    /// Bytes per second of the body that is received; `nil` leaves only the client's limit.
    package var receiveLimit: Int?
    /// Whether GET and HEAD follow redirects; other methods never do.
    package var followsRedirects = false
    /// Whether an IP address, such as `10.0.0.1` or `fe80::1`, may be connected to.
    ///
    /// Called on the transfer thread before a connection is made, and before the request is sent over a connection,
    /// even a kept one. A Unix socket is not checked.
    package var permitsPeer: (@Sendable (String) -> Bool)?
    /// Whether it must never be sent twice, because each sending costs money; it gets a connection of its own.
    ///
    /// When a kept connection closes without an answer, curl repeats any request, assuming that it never arrived.
    package var isOnce = false
    /// Called at most ten times a second, and once at the end, on the transfer thread.
    package var progress: (@Sendable (TransferProgress) -> Void)?

    /// A request whose answer is kept in memory, at most 1 MiB, unless told otherwise.
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

/// An HTTP method, such as `GET`; sent as it is spelled.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// The method as it is sent; case matters.
    package let rawValue: String

    /// Accepts any text; one with a line break makes the request unsendable.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reads a resource; may be repeated.
    package static let get = HTTPMethod(rawValue: "GET")
    /// Reads only the headers that GET would answer with.
    package static let head = HTTPMethod(rawValue: "HEAD")
    /// Creates, or acts; repeating it may act twice.
    package static let post = HTTPMethod(rawValue: "POST")
    /// Replaces a resource; may be repeated.
    package static let put = HTTPMethod(rawValue: "PUT")
    /// Changes a part of a resource, or sends a chunk of an upload in pieces.
    package static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes a resource; a repetition may find nothing.
    package static let delete = HTTPMethod(rawValue: "DELETE")
    /// Asks what a resource supports.
    package static let options = HTTPMethod(rawValue: "OPTIONS")
}

/// The body of a request.
package enum HTTPBody: Sendable {
    case none
    case bytes([UInt8])
    /// `length` bytes of a file from `offset` on, read while they are sent.
    case file(OpenFile, offset: Int64, length: Int64, observer: (any BodyObserver)? = nil)

    /// Bytes, announced as `Content-Length`; `nil` without a body.
    package var length: Int64? {
        switch self {
        case .none: nil
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, _, let length, _): length
        }
    }
}

/// Sees a file's bytes as they are sent, to hash them without reading the file again.
///
/// Called on the transfer thread, one call at a time.
package protocol BodyObserver: Sendable {
    /// The body is sent again from its first byte, because a kept connection was dead.
    func restarted()
    /// Gets the bytes that follow those of the last call.
    func sent(_ bytes: RawSpan)
}

/// Where the body of a success is kept; a refusal's stays in memory, cut at 64 KiB.
package enum AnswerSink: Sendable {
    /// In memory; more than `limit` bytes are an error.
    case memory(limit: Int)
    /// In a file: the body of a 206 from `at` on, any other from the file's first byte.
    ///
    /// More than `limit` bytes in the file are an error, thrown before the body where the head announces them.
    case file(OpenFile, at: Int64 = 0, limit: Int64 = .max)
}

/// How long a request may take; `nil` waits without limit.
package struct Timeouts: Hashable, Sendable {
    /// From the start until connected, the TLS handshake included.
    package var connect: Duration?
    /// The longest time without a byte in either direction; time under a rate limit does not count.
    package var idle: Duration?
    /// From the start to the last byte of the answer.
    package var total: Duration?

    /// Limits that suit bodies of any size, since the total time is not limited unless given.
    package init(connect: Duration? = .seconds(20), idle: Duration? = .seconds(60), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}

/// How many bytes of the two bodies have moved; headers are not counted.
package struct TransferProgress: Hashable, Sendable {
    /// Bytes of the request's body that were sent.
    package let sent: Int64
    /// Bytes of the answer's body that arrived.
    package let received: Int64

    /// Byte counts since the start of the request.
    package init(sent: Int64, received: Int64) {
        self.sent = sent
        self.received = received
    }
}
