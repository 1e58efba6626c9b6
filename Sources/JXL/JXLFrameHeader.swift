/// The header of a frame (ISO/IEC 18181-1, F.2), as far as it must be known to leave out the filters that smooth it.
///
/// These filters, Gaborish and the edge-preserving one, are a third of the work of decoding, and what they smooth is gone
/// in a picture that is several times smaller.
struct JXLFrameHeader {
    /// What the picture's own header states, on which the form of a frame's header depends.
    struct Picture {
        /// Whether the colours are XYB, as in all lossy pictures but those that were JPEGs.
        var isXYB: Bool
        var extraChannels: Int
        var isAnimated: Bool
    }

    /// Bits from the start.
    private var flagsAt: Range<Int> = 0..<0
    private var nameAt = 0
    private var filtersAt: Range<Int> = 0..<0
    private var end = 0

    private static let usesDCFrame: UInt32 = 32

    /// `nil` for what is not the only frame of a picture, is lossless, or has no filters.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, of picture: Picture) {
        var bits = JXLBits(bytes)
        // All default; or no regular frame; or lossless.
        guard !picture.isAnimated, !bits.flag(), bits.number(2) == 0, !bits.flag() else { return nil }
        let start = bits.position
        let flags = bits.longNumber()
        // The long form has 12 bits here.
        guard flags < 1 << 12 else { return nil }
        flagsAt = start..<bits.position
        let isYCbCr = picture.isXYB ? false : bits.flag()
        if flags & Self.usesDCFrame == 0 {
            if isYCbCr { _ = bits.number(6) }
            for _ in 0...picture.extraChannels { _ = bits.number(2) }
        }
        if picture.isXYB { _ = bits.number(6) }
        Self.skipPasses(&bits)
        // A part of the picture only.
        guard !bits.flag() else { return nil }
        for _ in 0...picture.extraChannels {
            // Blended with other frames.
            guard bits.number(2) == 0 else { return nil }
        }
        let isLast = bits.flag()
        nameAt = bits.position
        guard isLast, bits.number(2) == 0 else { return nil }
        let filters = bits.position
        guard Self.skipFilters(&bits) else { return nil }
        filtersAt = filters..<bits.position
        guard bits.longNumber() == 0, !bits.isOver else { return nil }
        end = bits.position
    }

    private static func skipPasses(_ bits: inout JXLBits) {
        let passes = Int(bits.number([(0, 1), (0, 2), (0, 3), (3, 4)]))
        guard passes > 1 else { return }
        let sizes = Int(bits.number([(0, 0), (0, 1), (0, 2), (1, 3)]))
        for _ in 1..<passes { _ = bits.number(2) }
        for _ in 0..<sizes { _ = bits.number(2) }
        for _ in 0..<sizes { _ = bits.number([(0, 0), (0, 1), (0, 2), (3, 0)]) }
    }

    /// Returns whether there are any, in a form that is known.
    private static func skipFilters(_ bits: inout JXLBits) -> Bool {
        guard !bits.flag() else { return true }
        let isGaborish = bits.flag()
        if isGaborish, bits.flag() { for _ in 0..<6 { _ = bits.number(16) } }
        let steps = bits.number(2)
        if steps > 0 {
            for values in [8, 5, 4] where bits.flag() { for _ in 0..<values { _ = bits.number(16) } }
        }
        return bits.longNumber() == 0 && (isGaborish || steps > 0)
    }

    /// `bytes`, which begin with this header, without its filters.
    func withoutFilters(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        // What follows may depend on the bit at which it begins, so the new header must end at the same one: zero can be
        // written in a long form and a short one, and so can the length of the name.
        for longForms in 0...3 {
            for isNameLong in [false, true] {
                let header = header(bytes, longForms: longForms, isNameLong: isNameLong)
                if header.count & 7 == end & 7 { return joined(header, with: bytes) }
            }
        }
        return Array(bytes)
    }

    private func header(
        _ bytes: UnsafeBufferPointer<UInt8>, longForms: Int, isNameLong: Bool
    ) -> JXLBitWriter {
        var (reader, writer) = (JXLBits(bytes), JXLBitWriter())
        func copy(_ range: Range<Int>) {
            while reader.position < range.lowerBound { _ = reader.number(1) }
            for _ in range { writer.add(reader.number(1), bits: 1) }
        }
        func add(_ value: UInt32, isLong: Bool) {
            writer.add(isLong ? 3 : 0, bits: 2)
            if isLong { writer.add(value, bits: 13) }
        }
        copy(0..<flagsAt.lowerBound)
        if longForms > 2 {
            var flags = JXLBits(bytes)
            while flags.position < flagsAt.lowerBound { _ = flags.number(1) }
            add(flags.longNumber(), isLong: true)
        } else {
            copy(flagsAt)
        }
        copy(flagsAt.upperBound..<nameAt)
        writer.add(isNameLong ? 1 : 0, bits: isNameLong ? 6 : 2)
        // Not the default, no Gaborish, no steps of the other filter.
        writer.add(0, bits: 4)
        add(0, isLong: longForms > 0)
        add(0, isLong: longForms > 1)
        return writer
    }

    private func joined(_ header: JXLBitWriter, with bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var header = header
        var rest = JXLBits(bytes)
        while rest.position < end { _ = rest.number(1) }
        while header.count & 7 != 0 { header.add(rest.number(1), bits: 1) }
        return header.bytes + bytes[(rest.position >> 3)...]
    }
}
