package import Serving

/// What a test or a demonstration makes go wrong with one request.
package enum Fault: Sendable {
    /// This answer instead of the right one; the request has no effect.
    case answer(Response)
    /// The connection is cut after so many bytes of the request's body; the request has no effect.
    case drop(afterReading: Int)
    /// The request takes effect, but the connection is cut after so many bytes of the answer's body.
    case cutAnswer(after: Int)
    /// The request takes effect, but sizes in the answer are this much larger than the truth.
    case misreportSize(by: Int64)

    /// 503, to be tried again after so many seconds.
    package static func unavailable(retryAfter seconds: Int) -> Fault {
        var response = Refusal(
            "SlowDown", 503, "The server is busy. Please try again later.", status: 503
        ).response
        response.headers["Retry-After"] = String(seconds)
        return .answer(response)
    }
}

extension Fault {
    /// Reads at most `count` bytes of `request`'s body, then gives no answer.
    static func drop(_ request: Request, afterReading count: Int) async -> Response {
        var left = count
        var pieces = request.body.makeAsyncIterator()
        while left > 0, let piece = try? await pieces.next() { left -= piece.count }
        return .dropped
    }

    /// `response`, ended after `count` bytes of its body; not at all where none are to be sent.
    static func cut(_ response: Response, after count: Int) -> Response {
        guard count > 0, case .bytes(let bytes) = response.body else { return .dropped }
        let pieces = OnePiece(Array(bytes.prefix(count)))
        var cut = response
        cut.body = .stream(length: Int64(bytes.count)) { try await pieces.next() }
        return cut
    }

    /// One piece, then a failure.
    private actor OnePiece {
        private var piece: [UInt8]?
        private struct Cut: Error {}

        init(_ piece: [UInt8]) { self.piece = piece }

        func next() throws -> [UInt8] {
            guard let piece else { throw Cut() }
            self.piece = nil
            return piece
        }
    }
}
