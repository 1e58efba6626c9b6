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

    package init(status: Int, headers: Headers = [:], body: Body = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// No answer: the connection is cut.
    package static let dropped = Response(status: 0)

    var isDropped: Bool { status == 0 }
}
