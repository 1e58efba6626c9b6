import CTIFF

/// Turns the samples of a TIFF, integers or floats of 1 to 64 bits, into bytes.
struct TIFFSamples {
    let bits: Int
    let format: Int32
    /// The values that become 0 and 255; `nil` for the whole range of an unsigned integer.
    var range: ClosedRange<Double>?

    /// `nil` for a number format that is not read.
    init?(_ page: TIFFPage) {
        (bits, format) = (page.bits, page.sampleFormat)
        let widths: [Int32: [Int]] = [SAMPLEFORMAT_INT: [8, 16, 32, 64], SAMPLEFORMAT_IEEEFP: [16, 32, 64]]
        let isPlain = format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID
        guard isPlain ? (1...32).contains(bits) || bits == 64 : widths[format]?.contains(bits) == true else {
            return nil
        }
    }

    /// Whether the range must be found in the picture's own values.
    var needsRange: Bool { bits > 16 || format == SAMPLEFORMAT_INT || format == SAMPLEFORMAT_IEEEFP }

    /// Whether the samples are stored as the very bytes that they become.
    var areBytes: Bool { bits == 8 && range == nil }

    /// The range to show, by the least and the greatest value of the picture.
    ///
    /// Values that use at least half of their format's range are shown by that whole range, which is 0 to 1 for floats.
    func range(of values: ClosedRange<Double>) -> ClosedRange<Double> {
        let isBroken = format == SAMPLEFORMAT_IEEEFP
        let whole = isBroken ? 1 : Double(sign: .plus, exponent: bits, significand: 1) - 1
        let usesWhole = values.lowerBound >= 0 && (whole / 2...whole).contains(values.upperBound)
        if format != SAMPLEFORMAT_INT, usesWhole { return 0...whole }
        return values.lowerBound < values.upperBound ? values : values.lowerBound...values.lowerBound.nextUp
    }

    /// The least and the greatest finite value of a row and of the rows before it.
    func spread(_ row: UnsafeRawPointer, count: Int, joined before: ClosedRange<Double>?) -> ClosedRange<Double>? {
        var low = before?.lowerBound ?? .infinity
        var high = before?.upperBound ?? -.infinity
        for index in 0..<count {
            let value = number(row, index)
            guard value.isFinite else { continue }
            low = min(low, value)
            high = max(high, value)
        }
        return low <= high ? low...high : nil
    }

    /// Writes the bytes of `count` samples, each `step` after the one before.
    func unpack(_ row: UnsafeRawPointer, count: Int, into target: UnsafeMutablePointer<UInt8>, step: Int) {
        if let range {
            let scale = 255 / (range.upperBound - range.lowerBound)
            for index in 0..<count {
                let value = (number(row, index) - range.lowerBound) * scale
                // NaN is shown as the least value.
                target[index * step] = value.isNaN ? 0 : UInt8(max(0, min(255, value)).rounded())
            }
        } else if bits == 8 {
            let from = row.assumingMemoryBound(to: UInt8.self)
            if step == 1 { return target.update(from: from, count: count) }
            for index in 0..<count { target[index * step] = from[index] }
        } else if bits == 16 {
            let from = row.assumingMemoryBound(to: UInt16.self)
            func byte(_ value: UInt16) -> UInt8 {
                UInt8(truncatingIfNeeded: (UInt32(value) &* 255 &+ 32_895) &>> 16)
            }
            // A loop of its own, because the compiler converts neighbouring bytes many at a time.
            if step == 1 {
                for index in 0..<count { target[index] = byte(from[index]) }
            } else {
                for index in 0..<count { target[index &* step] = byte(from[index]) }
            }
        } else if bits == 1, step == 1 {
            let from = row.assumingMemoryBound(to: UInt8.self)
            let whole = count / 8
            for at in 0..<whole {
                UnsafeMutableRawPointer(target + at &* 8).storeBytes(of: Self.spread(from[at]), as: UInt64.self)
            }
            for index in whole * 8..<count { target[index] = 0 &- (from[index >> 3] >> (7 &- UInt8(index & 7)) & 1) }
        } else {
            let whole = UInt32(1) << UInt32(bits) - 1
            packed(row, count: count) { target[$0 * step] = UInt8(($1 * 255 + whole / 2) / whole) }
        }
    }

    /// The bits as eight bytes of 0 or 255, that of the highest bit first in memory.
    @inline(__always)
    private static func spread(_ bits: UInt8) -> UInt64 {
        let copies = UInt64(bits) &* 0x0101_0101_0101_0101 & 0x0102_0408_1020_4080
        // Any bit that is left in a byte carries into its highest one.
        let tops = (copies &+ 0x7F7F_7F7F_7F7F_7F7F | copies) & 0x8080_8080_8080_8080
        return (tops &>> 7 &* 255).littleEndian
    }

    /// Passes the values of unsigned samples of up to 16 bits to `body`, for each of `count` pixels one of its `step`.
    func indices(_ row: UnsafeRawPointer, at sample: Int = 0, of step: Int, count: Int, _ body: (Int, Int) -> Void) {
        switch bits {
        case 8:
            let from = row.assumingMemoryBound(to: UInt8.self) + sample
            for index in 0..<count { body(index, Int(from[index * step])) }
        case 16:
            let from = row.assumingMemoryBound(to: UInt16.self) + sample
            for index in 0..<count { body(index, Int(from[index * step])) }
        default: packed(row, count: count * step) { if $0 % step == sample { body($0 / step, Int($1)) } }
        }
    }

    /// Samples of fewer than 16 bits follow each other without gaps, the highest bit first.
    @inline(__always)
    private func packed(_ row: UnsafeRawPointer, count: Int, _ body: (Int, UInt32) -> Void) {
        let from = row.assumingMemoryBound(to: UInt8.self)
        let mask = UInt32(1) << UInt32(bits) - 1
        var (held, filled, at): (UInt32, Int, Int) = (0, 0, 0)
        for index in 0..<count {
            while filled < bits {
                held = held << 8 | UInt32(from[at])
                at += 1
                filled += 8
            }
            filled -= bits
            body(index, held >> UInt32(filled) & mask)
        }
    }

    /// A sample of a format that needs a range, in the machine's byte order, into which libtiff has put it.
    private func number(_ row: UnsafeRawPointer, _ index: Int) -> Double {
        let at = row + index * bits / 8
        switch (format, bits) {
        case (SAMPLEFORMAT_IEEEFP, 16): return Double(at.loadUnaligned(as: Float16.self))
        case (SAMPLEFORMAT_IEEEFP, 32): return Double(at.loadUnaligned(as: Float.self))
        case (SAMPLEFORMAT_IEEEFP, _): return at.loadUnaligned(as: Double.self)
        case (SAMPLEFORMAT_INT, 8): return Double(at.loadUnaligned(as: Int8.self))
        case (SAMPLEFORMAT_INT, 16): return Double(at.loadUnaligned(as: Int16.self))
        case (SAMPLEFORMAT_INT, 32): return Double(at.loadUnaligned(as: Int32.self))
        case (SAMPLEFORMAT_INT, _): return Double(at.loadUnaligned(as: Int64.self))
        case (_, 24):
            let bytes = at.assumingMemoryBound(to: UInt8.self)
            return Double(UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16)
        case (_, 32): return Double(at.loadUnaligned(as: UInt32.self))
        case (_, 64): return Double(at.loadUnaligned(as: UInt64.self))
        default: return bitNumber(row, index)
        }
    }

    /// A sample of an odd number of bits above 16.
    private func bitNumber(_ row: UnsafeRawPointer, _ index: Int) -> Double {
        let from = row.assumingMemoryBound(to: UInt8.self)
        var value: UInt64 = 0
        for bit in index * bits..<(index + 1) * bits { value = value << 1 | UInt64(from[bit / 8] >> (7 - bit % 8) & 1) }
        return Double(value)
    }
}
