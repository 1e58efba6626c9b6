/// The pixels of a GIF's picture as numbers of colours, unpacked one after the other (GIF89a, appendix F).
struct GIFCodes: ~Copyable {
    /// What a code stands for: the pixels of another code, and one more.
    private struct Entry {
        let before: UInt16
        /// Pixels, at most 4,096.
        let count: UInt16
        let first: UInt8
        let last: UInt8
        /// Whether all its pixels are the same, as in the long runs of what a picture leaves as it was.
        let isOfOneColour: Bool
    }

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
    private let entries: UnsafeMutablePointer<Entry>
    /// The pixels of a code that did not fit into the row before, and those of them that are still to be handed out.
    private let kept: UnsafeMutablePointer<UInt8>
    private var pending = 0..<0
    private var isOver = false

    /// The least lengths of codes in bits.
    static let lengths: ClosedRange<UInt8> = 1...8

    /// The most codes, and so the most pixels of one.
    private static let limit = 4096

    /// - Parameter start: The place of the least length of a code; the result is `nil` if there is no valid one.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, start: Int) {
        guard start < bytes.count, Self.lengths.contains(bytes[start]) else { return nil }
        self.bytes = bytes
        (entries, kept) = (.allocate(capacity: Self.limit), .allocate(capacity: Self.limit))
        (place, end) = (start + 1, start + 1)
        clear = 1 << Int(bytes[start])
        (length, next) = (Int(bytes[start]) + 1, clear + 2)
        for code in 0..<clear {
            let colour = UInt8(code)
            entries[code] = Entry(before: 0, count: 1, first: colour, last: colour, isOfOneColour: true)
        }
    }

    deinit {
        entries.deallocate()
        kept.deallocate()
    }

    /// Fills `row` with the next pixels; `false` if the file has fewer.
    mutating func fill(_ row: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        guard let start = row.baseAddress else { return true }
        var x = 0
        while x < row.count {
            if !pending.isEmpty {
                let count = min(pending.count, row.count - x)
                (start + x).update(from: kept + pending.lowerBound, count: count)
                pending = pending.lowerBound + count..<pending.upperBound
                x += count
                continue
            }
            guard !isOver, let code = unpack() else { return false }
            let count = Int(entries[code].count)
            if count <= row.count - x {
                Self.write(entries[code], of: entries, to: start + x)
                x += count
            } else {
                Self.write(entries[code], of: entries, to: kept)
                pending = 0..<count
            }
        }
        return true
    }

    /// Writes the pixels of a code, which are known from the last one to the first.
    ///
    /// Static, because for a method the compiler copies the whole structure for each code.
    private static func write(
        _ code: Entry, of entries: UnsafePointer<Entry>, to target: UnsafeMutablePointer<UInt8>
    ) {
        var entry = code
        guard !entry.isOfOneColour else { return target.update(repeating: entry.first, count: Int(entry.count)) }
        for at in stride(from: Int(entry.count) - 1, to: 0, by: -1) {
            target[at] = entry.last
            entry = entries[Int(entry.before)]
        }
        target[0] = entry.first
    }

    /// The next code that stands for pixels; `nil` at the end and at an invalid one.
    private mutating func unpack() -> Int? {
        while let code = code(), code != clear + 1 {
            if code == clear {
                (length, next, previous) = ((clear - 1).bitWidth - (clear - 1).leadingZeroBitCount + 1, clear + 2, nil)
                continue
            }
            guard let previous else {
                guard code < clear else { break }
                self.previous = code
                return code
            }
            guard code <= next else { break }
            define(next, previous, code)
            // Beyond the last code nothing is defined, and no code is that long.
            guard code < next else { break }
            self.previous = code
            return code
        }
        isOver = true
        return nil
    }

    /// Makes `next` stand for the pixels of `previous`, and the first one of `code` once more, which may be `next`.
    private mutating func define(_ next: Int, _ previous: Int, _ code: Int) {
        guard next < Self.limit else { return }
        let before = entries[previous]
        let last = code == next ? before.first : entries[code].first
        entries[next] = Entry(
            before: UInt16(previous), count: before.count + 1, first: before.first, last: last,
            isOfOneColour: before.isOfOneColour && last == before.first)
        self.next = next + 1
        if self.next == 1 << length, length < 12 { length += 1 }
    }

    private mutating func code() -> Int? {
        while bitCount < length {
            if place == end {
                guard place < bytes.count, bytes[place] > 0 else { return nil }
                (place, end) = (place + 1, min(bytes.count, place + 1 + Int(bytes[place])))
                guard place < end else { return nil }
            }
            bits |= UInt32(bytes[place]) &<< UInt32(bitCount)
            bitCount &+= 8
            place &+= 1
        }
        let code = bits & (1 &<< UInt32(length) &- 1)
        bits &>>= UInt32(length)
        bitCount &-= length
        return Int(code)
    }
}
