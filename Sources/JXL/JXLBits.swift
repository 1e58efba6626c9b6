/// Reads bits, the lowest of each byte first (ISO/IEC 18181-1, B.2); after the end come zeros, and `isOver` is set.
struct JXLBits {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Bits read so far.
    private(set) var position: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int = 0) { (self.bytes, self.position) = (bytes, position) }

    /// Whether more bits were read than there are.
    var isOver: Bool { position > bytes.count * 8 }

    /// A number of up to 32 bits.
    mutating func number(_ count: Int) -> UInt32 {
        var value: UInt32 = 0
        for bit in 0..<count {
            let byte = position >> 3 < bytes.count ? bytes[position >> 3] : 0
            value |= UInt32(byte >> UInt8(position & 7) & 1) << UInt32(bit)
            position += 1
        }
        return value
    }

    mutating func flag() -> Bool { number(1) == 1 }

    /// Continues with the next whole byte.
    mutating func align() { position = (position + 7) & ~7 }

    /// A number in one of four forms, each of so many bits added to a base (B.2.2).
    mutating func number(_ forms: [(bits: Int, base: UInt32)]) -> UInt32 {
        let form = forms[Int(number(2))]
        return form.base &+ number(form.bits)
    }

    /// A number of up to 64 bits, of which only the lowest 32 count here (B.2.3).
    mutating func longNumber() -> UInt32 {
        switch number(2) {
        case 0: return 0
        case 1: return 1 + number(4)
        case 2: return 17 + number(8)
        default: break
        }
        var (value, shift) = (number(12), 12)
        while flag() {
            guard shift < 60 else { return value | number(4) }
            let next = number(8)
            if shift < 32 { value |= next << UInt32(shift) }
            shift += 8
        }
        return value
    }
}

/// Writes bits in the same order.
struct JXLBitWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    mutating func add(_ value: UInt32, bits: Int) {
        for bit in 0..<bits {
            if count & 7 == 0 { bytes.append(0) }
            if value >> UInt32(bit) & 1 == 1 { bytes[count >> 3] |= 1 << UInt8(count & 7) }
            count += 1
        }
    }

    /// Adds a range of the bits of `bytes`.
    mutating func copy(_ range: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>) {
        var bits = JXLBits(bytes, at: range.lowerBound)
        for _ in range { add(bits.number(1), bits: 1) }
    }

    /// Fills the last byte with zeros.
    mutating func align() { count = bytes.count * 8 }
}
