package import Platform

/// A handler's answer to a request.
package struct Response: Sendable {
    /// The bytes after the header.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A range of a file, sent by the kernel without passing through memory.
        case file(OpenFile, offset: Int64, length: Int64)
        /// Pieces produced while the client reads them, ended by `nil`; a thrown error cuts the connection.
        ///
        /// The body is sent chunked if `length` is `nil`.
        case stream(length: Int64?, next: @Sendable () async throws -> [UInt8]?)
        /// A body for answers to HEAD: announces `length` bytes and sends none.
        case announced(length: Int64)
    }

    /// The HTTP status; 0 cuts the connection.
    package var status: Int
    /// Header lines, without length and transfer encoding, which are added.
    package var headers: Headers
    /// What is sent after the header.
    package var body: Body
    /// Whether the answer is sent even while the request's body is arriving, which ends the connection.
    ///
    /// Only an answer without a body can be urgent.
    package var isUrgent = false

    /// Uses the connection once it has left HTTP, after an answer of 101.
    package var conversation: (@Sendable (Conversation) async -> Void)?

    /// An answer that is sent after the request's body was received or discarded.
    package init(status: Int, headers: Headers = [:], body: Body = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// No answer: the connection is cut without a byte.
    package static let dropped = Response(status: 0)

    var isDropped: Bool { status == 0 }

    /// The answer without its body, as HTTP/1.1, after which the connection closes.
    var lastWords: [UInt8] {
        let lines = headers.lines.filter { $0.name.lowercased() != "connection" }.map { "\($0.name): \($0.value)\r\n" }
        // Clients ignore the reason phrase (RFC 9112, section 4).
        return Array("HTTP/1.1 \(status) -\r\n\(lines.joined())Connection: close\r\n\r\n".utf8)
    }
}
