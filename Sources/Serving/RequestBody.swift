/// Why a request's body cannot be read completely.
package enum BodyFailure: Error, Hashable {
    /// The client left, the server is stopping, or the reading task was cancelled.
    case lost
    /// More bytes arrived than the reader allows.
    case tooLarge
}

/// The bytes that a client sends, read piece by piece while they arrive.
///
/// A slow reader slows the client down, because only a fixed number of bytes is buffered. A body can be read
/// once; bytes that a handler leaves unread are discarded.
package struct RequestBody: Sendable, AsyncSequence {
    /// Bytes announced by the client; `nil` for a chunked body.
    package let length: Int64?
    private let next: @Sendable () async throws(BodyFailure) -> [UInt8]?

    /// A body whose pieces come from `next`, ended by `nil`.
    package init(length: Int64?, next: @escaping @Sendable () async throws(BodyFailure) -> [UInt8]?) {
        self.length = length
        self.next = next
    }

    /// A body of no bytes, as of most GET requests.
    package static let empty = RequestBody(length: 0) { () throws(BodyFailure) in nil }

    /// Reads the pieces of a body; a second iterator continues where the first one stopped.
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let body: RequestBody

        /// The next piece; `nil` at the end; throws a `BodyFailure` if the rest is lost.
        package mutating func next() async throws -> [UInt8]? { try await body.next() }
        /// The next piece, with the error typed; `nil` at the end.
        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(BodyFailure) -> [UInt8]? {
            try await body.next()
        }
    }

    /// Lets `for try await` read the pieces.
    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }

    /// All bytes at once; throws `tooLarge` if they are more than `limit`.
    package func collect(limit: Int) async throws(BodyFailure) -> [UInt8] {
        if let length, length > Int64(limit) { throw .tooLarge }
        var all: [UInt8] = []
        while let piece = try await next() {
            guard all.count + piece.count <= limit else { throw .tooLarge }
            all += piece
        }
        return all
    }
}
