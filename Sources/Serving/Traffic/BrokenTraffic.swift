import Platform
import Synchronization

// How injected faults change requests and answers.

extension Request {
    /// The same request with another body.
    package func with(_ body: RequestBody) -> Request {
        Request(method: method, target: target, headers: headers, headerSize: headerSize, body: body)
    }
}

extension RequestBody {
    /// The same body, lost after `count` bytes or at its end, once `silence` has passed.
    package func lost(after count: Int, silence: Duration = .zero) -> RequestBody {
        let rest = Budget(count)
        return RequestBody(length: length) { [self] () throws(BodyFailure) in
            if rest.left > 0, let piece = try await next() { return rest.take(piece) }
            try? await Task.sleep(for: silence)
            throw .lost
        }
    }

    /// The same body, arriving no faster than `pace`.
    package func slowed(to pace: Pace) -> RequestBody {
        RequestBody(length: length) { [self] () throws(BodyFailure) in
            guard let piece = try await next() else { return nil }
            await pace.pass(piece.count)
            return piece
        }
    }

    private func next() async throws(BodyFailure) -> [UInt8]? {
        var pieces = makeAsyncIterator()
        return try await pieces.next(isolation: nil)
    }
}

/// A number of bytes that may still be passed on.
private final class Budget: Sendable {
    private let bytes: Mutex<Int>

    init(_ count: Int) { bytes = Mutex(count) }

    var left: Int { bytes.withLock { $0 } }

    func take(_ piece: [UInt8]) -> [UInt8] {
        bytes.withLock { bytes in
            let part = Array(piece.prefix(bytes))
            bytes -= part.count
            return part
        }
    }
}

extension Response {
    private static let pieceSize = 16 << 10

    /// The same answer, cut after `count` bytes of its body; with 0 no answer is sent at all.
    ///
    /// Before the cut there is `silence`.
    package func cut(after count: Int, silence: Duration = .zero) -> Response {
        guard count > 0, let pieces else { return .dropped }
        let rest = Budget(count)
        var cut = self
        cut.body = .stream(length: pieces.length) {
            guard rest.left > 0, let piece = try await pieces.next() else {
                try await Task.sleep(for: silence)
                throw BodyFailure.lost
            }
            return rest.take(piece)
        }
        return cut
    }

    /// The same answer, its body sent no faster than `pace`.
    package func slowed(to pace: Pace) -> Response {
        guard let pieces else { return self }
        var slow = self
        slow.body = .stream(length: pieces.length) {
            guard let piece = try await pieces.next() else { return nil }
            await pace.pass(piece.count)
            return piece
        }
        return slow
    }

    /// The same answer with its body in pieces, so that its bytes are counted even when it is cut.
    package var streamed: Response {
        guard let pieces else { return self }
        var streamed = self
        streamed.body = .stream(length: pieces.length, next: pieces.next)
        return streamed
    }

    private typealias Pieces = (length: Int64?, next: @Sendable () async throws -> [UInt8]?)

    /// The body piece by piece; `nil` if there is none to send.
    private var pieces: Pieces? {
        let place = Place()
        switch body {
        case .none, .announced: return nil
        case .stream(let length, let next): return (length, next)
        case .bytes(let bytes):
            return (
                Int64(bytes.count),
                {
                    let range = place.next(of: Int64(bytes.count), atMost: Self.pieceSize)
                    return range.isEmpty ? nil : Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
                }
            )
        case .file(let file, let offset, let length):
            return (
                length,
                {
                    let range = place.next(of: length, atMost: Self.pieceSize)
                    if range.isEmpty { return nil }
                    return try await Blocking.run { () throws(SystemError) in
                        try file.read(at: offset + range.lowerBound, upTo: range.count)
                    }
                }
            )
        }
    }

    /// The number of bytes of an answer that have been sent.
    private final class Place: Sendable {
        private let bytes = Mutex<Int64>(0)

        func next(of length: Int64, atMost count: Int) -> Range<Int64> {
            bytes.withLock { bytes in
                let start = bytes
                bytes = min(length, start + Int64(count))
                return start..<bytes
            }
        }
    }
}
