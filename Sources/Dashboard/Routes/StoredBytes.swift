import Queue
import Synchronization

/// A range of a stored object, read piece by piece as the browser takes it.
final class StoredBytes: Sendable {
    private let key: ObjectKey
    private let host: any PageHost
    private let left: Mutex<Range<Int64>>

    /// Bytes of one piece.
    private static let piece: Int64 = 1 << 20

    init(_ range: Range<Int64>, of key: ObjectKey, at host: any PageHost) {
        self.key = key
        self.host = host
        left = Mutex(range)
    }

    /// The next piece, and `nil` at the end; throws where storage sends less, which cuts the connection.
    @Sendable func next() async throws -> [UInt8]? {
        let range = left.withLock { left in
            let end = min(left.upperBound, left.lowerBound + Self.piece)
            defer { left = end..<left.upperBound }
            return left.lowerBound..<end
        }
        guard !range.isEmpty else { return nil }
        let bytes = try await host.stored(key, at: range.lowerBound, count: range.count)
        guard let bytes, bytes.count == range.count else { throw PageRefusal.noSuchPlace }
        return bytes
    }
}
