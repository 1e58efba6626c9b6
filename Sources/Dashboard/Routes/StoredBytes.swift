import Queue
import Records
import Synchronization

/// An original in storage, read piece by piece; pieces that were read before may be kept on this computer.
struct StoredOriginal: Sendable {
    let receipt: Receipt
    let host: any PageHost
    let kept: KeptPieces?

    /// Throws `PageRefusal` if the file's beginning is neither kept on this computer nor available from storage now.
    func check() async throws {
        if await keptPiece(0) != nil { return }
        let first = try await host.reachable(receipt, count: min(1, receipt.size))
        guard let first, first.count == min(1, receipt.size) else {
            throw PageRefusal.absent(
                "The file is not on this computer now.", next: "Mount its disk, or restore it from storage.")
        }
    }

    /// The piece with this number; throws if storage sends less, which cuts the connection.
    func piece(_ number: Int64) async throws -> [UInt8] {
        if let bytes = await keptPiece(number) { return bytes }
        let (offset, count) = (number * KeptPieces.size, count(of: number))
        guard let bytes = try await host.stored(receipt.key, at: offset, count: count), bytes.count == count else {
            throw PageRefusal.noSuchPlace
        }
        await kept?.keep(bytes, as: number, of: receipt.sha256)
        return bytes
    }

    /// The kept piece; `nil` if there is none, or if a power cut left it shorter.
    private func keptPiece(_ number: Int64) async -> [UInt8]? {
        let bytes = await kept?.piece(number, of: receipt.sha256)
        return bytes?.count == count(of: number) ? bytes : nil
    }

    /// The bytes of a piece.
    private func count(of number: Int64) -> Int {
        Int(min(KeptPieces.size, receipt.size - number * KeptPieces.size))
    }
}

extension PageHost {
    /// The first bytes of the object of `receipt`; throws `PageRefusal` if storage cannot be asked now.
    func reachable(_ receipt: Receipt, count: Int64) async throws -> [UInt8]? {
        do {
            return try await stored(receipt.key, at: 0, count: Int(count))
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw PageRefusal(
                status: 503,
                message: "The \(receipt.role == .original ? "file" : "picture") is not at hand: it is only in storage, "
                    + "which cannot be asked now (\(error)).",
                next: "Look again when there is a connection.")
        }
    }
}

/// A range of a stored original, read as the browser takes it.
final class StoredBytes: Sendable {
    private let original: StoredOriginal
    private let left: Mutex<Range<Int64>>

    init(_ range: Range<Int64>, of original: StoredOriginal) {
        self.original = original
        left = Mutex(range)
    }

    /// The part of the remaining range that lies in one piece; `nil` at the end.
    @Sendable func next() async throws -> [UInt8]? {
        let size = KeptPieces.size
        let range = left.withLock { left in
            let end = min(left.upperBound, (left.lowerBound / size + 1) * size)
            defer { left = end..<left.upperBound }
            return left.lowerBound..<end
        }
        guard !range.isEmpty else { return nil }
        let number = range.lowerBound / size
        let piece = try await original.piece(number)
        let (first, last) = (Int(range.lowerBound - number * size), Int(range.upperBound - number * size))
        guard last <= piece.count else { throw PageRefusal.noSuchPlace }
        return Array(piece[first..<last])
    }
}
