/// The pixels of a GIF's picture as numbers of colours, unpacked one after the other (GIF89a, appendix F).
struct GIFCodes {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The byte that is read next, and where its block ends.
    private var place: Int
    private var end: Int
    /// Bits that have been read and not used, the first one lowest.
    private var bits: UInt32 = 0
    private var bitCount = 0

    private let clear: Int
    private var length: Int
    private var next: Int
    private var previous: Int?
    /// For each code: the number of its last pixel, and the code of the pixels before that.
    private var last = [UInt8](repeating: 0, count: 4096)
    private var before = [UInt16](repeating: 0, count: 4096)
    /// The pixels of a code that are still to be handed out, the last one first.
    private var pending: [UInt8] = []
    private var isOver = false

    /// - Parameter start: The place of the least length of a code; the result is `nil` if there is no valid one.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, start: Int) {
        guard start < bytes.count, (1...8).contains(bytes[start]) else { return nil }
        self.bytes = bytes
        (place, end) = (start + 1, start + 1)
        clear = 1 << Int(bytes[start])
        (length, next) = (Int(bytes[start]) + 1, clear + 2)
        for colour in 0..<clear { last[colour] = UInt8(colour) }
        pending.reserveCapacity(4096)
    }

    /// Fills `row` with the next pixels; `false` if the file has fewer.
    mutating func fill(_ row: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        var x = 0
        while x < row.count {
            while let pixel = pending.popLast() {
                row[x] = pixel
                x += 1
                if x == row.count { return true }
            }
            guard !isOver, unpack() else { return false }
        }
        return true
    }

    /// Makes the pixels of the next code pending; `false` at the end and at an invalid code.
    private mutating func unpack() -> Bool {
        guard let code = code(), code != clear + 1 else {
            isOver = true
            return false
        }
        if code == clear {
            (length, next, previous) = ((clear - 1).bitWidth - (clear - 1).leadingZeroBitCount + 1, clear + 2, nil)
            return true
        }
        guard code < next || code == next && previous != nil, previous != nil || code < clear else {
            isOver = true
            return false
        }
        // The code that this one defines stands for the previous code's pixels, and the first of these once more.
        var at = code == next ? previous ?? 0 : code
        if code == next { pending.append(0) }
        while at >= clear {
            pending.append(last[at])
            at = Int(before[at])
        }
        pending.append(last[at])
        if code == next { pending[0] = last[at] }
        if let previous, next < 4096 {
            (last[next], before[next]) = (last[at], UInt16(previous))
            next += 1
            if next == 1 << length, length < 12 { length += 1 }
        }
        previous = code
        return true
    }

    private mutating func code() -> Int? {
        while bitCount < length {
            if place == end {
                guard place < bytes.count, bytes[place] > 0 else { return nil }
                (place, end) = (place + 1, min(bytes.count, place + 1 + Int(bytes[place])))
                guard place < end else { return nil }
            }
            bits |= UInt32(bytes[place]) << UInt32(bitCount)
            bitCount += 8
            place += 1
        }
        defer {
            bits >>= UInt32(length)
            bitCount -= length
        }
        return Int(bits & (1 << UInt32(length) - 1))
    }
}
