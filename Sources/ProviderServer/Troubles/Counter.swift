import Synchronization

/// The number of bytes sent so far.
final class Counter: Sendable {
    private let bytes = Mutex<Int64>(0)

    /// As much of `piece` as still fits into `length`; `nil` when nothing does.
    func take(_ piece: [UInt8], of length: Int64) -> [UInt8]? {
        bytes.withLock { bytes in
            let part = Array(piece.prefix(Int(min(Int64(piece.count), length - bytes))))
            bytes += Int64(part.count)
            return part.isEmpty ? nil : part
        }
    }
}
