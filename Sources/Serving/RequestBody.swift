/// Why a request's body cannot be read to its end.
package enum BodyFailure: Error, Hashable {
    /// The client went away, the server is stopping, or the reading task was cancelled.
    case lost
    /// More bytes came than the reader allowed.
    case tooLarge
}

/// The bytes a client sends, read piece by piece while they arrive.
///
/// A reader that waits holds the client back: at most a fixed amount is kept for it. To be read
/// once; what a handler leaves unread is discarded.
package struct RequestBody: Sendable, AsyncSequence {
    /// Bytes announced by the client; `nil` for a chunked body.
    package let length: Int64?
    private let next: @Sendable () async throws(BodyFailure) -> [UInt8]?

    /// A body whose pieces come from `next`, ended by `nil`.
    package init(length: Int64?, next: @escaping @Sendable () async throws(BodyFailure) -> [UInt8]?) {
        self.length = length
        self.next = next
    }

    package static let empty = RequestBody(length: 0) { () throws(BodyFailure) in nil }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let body: RequestBody

        package mutating func next() async throws -> [UInt8]? { try await body.next() }
        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(BodyFailure) -> [UInt8]? {
            try await body.next()
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }

    /// All bytes at once, at most `limit` of them.
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
