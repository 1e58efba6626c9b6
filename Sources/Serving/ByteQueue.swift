/// Bytes on their way from one thread to another, kept in the pieces in which they arrived.
struct ByteQueue {
    private var pieces: [[UInt8]] = []
    /// The number of pieces at the front that have been taken.
    private var taken = 0
    /// The number of bytes taken from the first remaining piece.
    private var offset = 0
    private(set) var count = 0

    mutating func append(_ piece: [UInt8]) {
        guard !piece.isEmpty else { return }
        pieces.append(piece)
        count += piece.count
    }

    /// Removes the first piece whole; `nil` when the queue is empty.
    mutating func removeFirst() -> [UInt8]? {
        guard taken < pieces.count else { return nil }
        let piece = pieces[taken]
        let rest = offset == 0 ? piece : Array(piece[offset...])
        advance(past: rest.count)
        return rest
    }

    /// Moves as many bytes to `buffer` as fit; returns how many.
    mutating func move(to buffer: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < buffer.count, taken < pieces.count {
            let part = pieces[taken][offset...].prefix(buffer.count - filled)
            part.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: $0) }
            filled += part.count
            advance(past: part.count)
        }
        return filled
    }

    /// Discards all bytes.
    mutating func removeAll() { self = ByteQueue() }

    private mutating func advance(past bytes: Int) {
        count -= bytes
        offset += bytes
        guard offset == pieces[taken].count else { return }
        pieces[taken] = []
        taken += 1
        offset = 0
        if taken == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            taken = 0
        } else if taken == 64 {
            pieces.removeFirst(taken)
            taken = 0
        }
    }
}
