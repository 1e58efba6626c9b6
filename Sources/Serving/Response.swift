package import Platform

/// What a handler answers.
package struct Response: Sendable {
    /// The bytes behind the header.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A range of a file, sent by the kernel without passing through memory.
        case file(OpenFile, offset: Int64, length: Int64)
        /// Pieces made while the client takes them, ended by `nil`; a thrown error cuts the connection.
        ///
        /// Sent chunked where `length` is `nil`.
        case stream(length: Int64?, next: @Sendable () async throws -> [UInt8]?)
        /// For answers to HEAD: as `length` bytes would be announced.
        case announced(length: Int64)
    }

    package var status: Int
    package var headers: Headers
    package var body: Body
    /// Whether it is sent even in the middle of the request's body, which ends the connection.
    ///
    /// Only an answer without a body can be.
    package var isUrgent = false

    /// What the connection is used for once it has left HTTP behind an answer of 101.
    package var conversation: (@Sendable (Conversation) async -> Void)?

    package init(status: Int, headers: Headers = [:], body: Body = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// No answer: the connection is cut.
    package static let dropped = Response(status: 0)

    var isDropped: Bool { status == 0 }

    /// The answer without a body as bytes of HTTP/1.1, after which the connection closes.
    var lastWords: [UInt8] {
        let lines = headers.lines.filter { $0.name.lowercased() != "connection" }.map { "\($0.name): \($0.value)\r\n" }
        // The reason's words mean nothing to clients (RFC 9112, section 4).
        return Array("HTTP/1.1 \(status) -\r\n\(lines.joined())Connection: close\r\n\r\n".utf8)
    }
}
