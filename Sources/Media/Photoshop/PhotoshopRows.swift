import Facts
import Frames

/// The rows of a document's merged picture, each channel by itself.
struct PhotoshopRows {
    /// Bytes of an unpacked row.
    let length: Int
    private let document: PhotoshopDocument
    /// Where each packed row begins, channel by channel, and the end of the last; empty if rows are not packed.
    private var starts: [Int] = []
    private let start: Int

    /// `nil` for a coding that is not read, or if the table of packed rows is incomplete.
    init?(_ document: PhotoshopDocument) {
        (self.document, length) = (document, (document.width * document.depth + 7) / 8)
        guard let coding = document.number(at: document.picture, 2), coding <= 1 else { return nil }
        start = document.picture + 2
        guard coding == 1 else { return }
        let width = document.isLarge ? 4 : 2
        let count = document.channels * document.height
        guard count <= (document.bytes.count - start) / width else { return nil }
        var place = start + count * width
        starts.reserveCapacity(count + 1)
        for row in 0..<count {
            starts.append(place)
            guard let packed = document.number(at: start + row * width, width) else { return nil }
            place += packed
        }
        starts.append(place)
    }

    /// Unpacks row `y` of a channel; `false` if the file has no such row.
    func read(_ channel: Int, _ y: Int, into row: inout [UInt8]) -> Bool {
        let index = channel * document.height + y
        let bytes = document.bytes
        guard !starts.isEmpty else {
            let place = start + index * length
            guard place <= bytes.count - length else { return false }
            row.withUnsafeMutableBufferPointer { _ = $0.update(fromContentsOf: bytes[place..<place + length]) }
            return true
        }
        guard starts[index + 1] <= bytes.count else { return false }
        unpack(bytes[starts[index]..<starts[index + 1]], into: &row)
        return true
    }

    /// Unpacks PackBits (TIFF 6.0, section 9); bytes that a packed row lacks stay as they are in `row`.
    private func unpack(_ packed: Slice<UnsafeBufferPointer<UInt8>>, into row: inout [UInt8]) {
        let packed = UnsafeBufferPointer(rebasing: packed)
        row.withUnsafeMutableBufferPointer { row in
            guard let source = packed.baseAddress, let target = row.baseAddress else { return }
            var (from, to) = (0, 0)
            while from + 1 < packed.count, to < length {
                let head = Int(Int8(bitPattern: source[from]))
                if head >= 0 {
                    let count = min(head + 1, packed.count - from - 1, length - to)
                    (target + to).update(from: source + from + 1, count: count)
                    (from, to) = (from + 2 + head, to + count)
                } else if head > -128 {
                    let count = min(1 - head, length - to)
                    (target + to).update(repeating: source[from + 1], count: count)
                    (from, to) = (from + 2, to + count)
                } else {
                    from += 1
                }
            }
        }
    }
}
