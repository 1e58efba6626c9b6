/// The entropy-coded bits of a JPEG's scan, most significant first (ITU-T T.81, F.2.2.5).
///
/// Bytes stuffed after 0xFF are left out. After the end, and at a marker, zeros follow without limit; `isOverrun`
/// tells whether some of them were used.
struct JPEGBits {
    private let data: UnsafePointer<UInt8>
    private let end: Int
    private(set) var offset: Int
    /// The next bits, left-aligned.
    private var window: UInt64 = 0
    private var count = 0
    /// Bits of the window that are not data.
    private var padding = 0

    /// - Parameter offset: The place of the scan's first byte.
    init(_ bytes: UnsafeBufferPointer<UInt8>, from offset: Int) {
        // An empty buffer may have no address; nothing is read through this placeholder.
        data = bytes.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
        end = bytes.count
        self.offset = offset
    }

    var isOverrun: Bool { count < padding }

    /// Makes at least 32 bits available, enough for any code with its value.
    @inline(__always) mutating func fill() {
        guard count < 32 else { return }
        if offset &+ 4 <= end {
            let word = UInt32(bigEndian: UnsafeRawPointer(data + offset).loadUnaligned(as: UInt32.self))
            // True if no byte of the word is 0xFF, after which another one would be stuffed.
            if (~word &- 0x0101_0101) & word & 0x8080_8080 == 0 {
                window |= UInt64(word) &<< UInt64(32 &- count)
                count &+= 32
                offset &+= 4
                return
            }
        }
        fillBytewise()
    }

    private mutating func fillBytewise() {
        while count <= 48 {
            var byte: UInt8 = 0
            if offset < end, data[offset] != 0xFF {
                byte = data[offset]
                offset &+= 1
            } else if offset &+ 1 < end, data[offset &+ 1] == 0 {
                byte = 0xFF
                offset &+= 2
            } else {
                padding &+= 8
            }
            window |= UInt64(byte) &<< UInt64(56 &- count)
            count &+= 8
        }
    }

    /// The next `width` bits, 1 to 16, as a number; they are not consumed.
    @inline(__always) func peek(_ width: Int) -> Int { Int(window &>> UInt64(64 &- width)) }

    @inline(__always) mutating func skip(_ width: Int) {
        window = window &<< UInt64(width)
        count &-= width
    }

    /// The value after the code of this entry, negative if its first bit is 0 (T.81, F.2.2.1); both are consumed.
    ///
    /// Without a branch, as the bits of a value are hardly predictable.
    @inline(__always) mutating func value(after entry: JPEGCodes.Entry) -> Int32 {
        let rest = window &<< UInt64(entry.length)
        let size = UInt64(entry.symbol & 15)
        skip(Int(entry.total))
        // In two steps, because a shift by all 64 bits would be none.
        let bits = Int32(truncatingIfNeeded: (rest &>> 1) &>> (63 &- size))
        // All ones unless the first bit is one.
        let isNegative = ~Int32(truncatingIfNeeded: Int64(bitPattern: rest) &>> 63)
        return bits &- (((1 &<< Int32(truncatingIfNeeded: size)) &- 1) & isNegative)
    }

    /// A number of `width` bits, 0 to 16.
    @inline(__always) mutating func number(_ width: Int) -> Int {
        guard width > 0 else { return 0 }
        defer { skip(width) }
        return peek(width)
    }

    /// Passes over any number of bits; the next ones must be filled in.
    @inline(__always) mutating func pass(_ width: Int) {
        var rest = width
        while rest > 0 {
            fill()
            skip(min(rest, 32))
            rest &-= 32
        }
    }

    /// The entry for the code that comes next, which is not consumed, with at least 16 bits behind it; `nil` if it is none.
    @inline(__always) mutating func entry(_ codes: JPEGCodes) -> JPEGCodes.Entry? {
        fill()
        let entry = codes.short.withUnsafeBufferPointer { $0[peek(JPEGCodes.shortBits)] }
        return entry.length > 0 ? entry : codes.longEntry(peek(16))
    }

    /// Continues after the restart marker that must come now; `false` if there is none.
    mutating func restart() -> Bool {
        guard !isOverrun, offset + 2 <= end, data[offset] == 0xFF, (0xD0...0xD7).contains(data[offset + 1]) else {
            return false
        }
        offset += 2
        (window, count, padding) = (0, 0, 0)
        return true
    }
}
