import CJXL

/// The header of a frame (ISO/IEC 18181-1, F.2), as far as it is needed to leave out what a smaller picture does not
/// show.
///
/// The smoothing filters, Gaborish and the edge-preserving one, are a third of the work of decoding; a picture that is
/// eight times smaller does not even show details, which are all that differs from the mean of a block of 8 × 8 pixels.
struct JXLFrameHeader {
    /// What the picture's own header states, on which the form of a frame's header depends.
    struct Picture {
        /// Whether the colours are XYB, as in all lossy pictures but those that were JPEGs.
        var isXYB: Bool
        var extraChannels: Int
        var isAnimated: Bool
        var width: Int
        var height: Int

        init(_ info: JxlBasicInfo) {
            isXYB = info.uses_original_profile == 0
            extraChannels = Int(info.num_extra_channels)
            isAnimated = info.have_animation != 0
            (width, height) = (Int(info.xsize), Int(info.ysize))
        }
    }

    private let picture: Picture
    /// The first bytes of the frame, or the full form of a header that is a single bit.
    private let head: [UInt8]
    /// Counted in bits from the start.
    private var flagsAt: Range<Int> = 0..<0
    private var nameAt = 0
    /// The bit at which the header ends in the frame itself.
    private(set) var end = 0
    private var isFiltered = false
    private(set) var passes = 1
    /// How often the picture must be halved so that details can be left out; `nil` if they never can.
    private var detailLimit: Int? = 3

    private static let usesDCFrame: UInt32 = 32

    /// `nil` if the frame is lossless, or not the only one of its picture.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, of picture: Picture) {
        guard !picture.isAnimated, let first = bytes.first else { return nil }
        let isUsual = first & 1 == 1
        // 128 bytes are enough, because a header that can be read here has a few dozen.
        let head = isUsual ? Self.usual(picture) : Array(bytes.prefix(128))
        (self.picture, self.head) = (picture, head)
        guard head.withUnsafeBufferPointer({ read($0) }) else { return nil }
        if isUsual { end = 1 }
    }

    /// The full form of a header that is a single bit.
    private static func usual(_ picture: Picture) -> [UInt8] {
        var writer = JXLBitWriter()
        // Not a single bit; a regular frame; lossy; no flags.
        writer.add(0, bits: 6)
        if !picture.isXYB { writer.add(0, bits: 1) }
        // No upsampling, the usual scales of two colours, one pass, the whole picture.
        writer.add(0, bits: 2 * (1 + picture.extraChannels))
        if picture.isXYB { writer.add(2 << 3 | 3, bits: 6) }
        writer.add(0, bits: 3)
        // Replaces what was there; the last frame; no name.
        writer.add(0, bits: 2 * (1 + picture.extraChannels))
        writer.add(1, bits: 3)
        // The usual filters, no extensions.
        writer.add(1, bits: 3)
        return writer.bytes
    }

    /// Returns whether the header is one that can be rewritten.
    private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var bits = JXLBits(bytes)
        // Refuses a header of defaults only, a frame that is not regular, and a lossless one.
        guard !bits.flag(), bits.number(2) == 0, !bits.flag() else { return false }
        let start = bits.position
        let flags = bits.longNumber()
        // The rewritten long form has room for 12 bits.
        guard flags < 1 << 12 else { return false }
        flagsAt = start..<bits.position
        let isYCbCr = picture.isXYB ? false : bits.flag()
        if flags & Self.usesDCFrame == 0 {
            // A block of colours that are stored at half the size covers twice as many pixels.
            if isYCbCr, bits.number(6) > 0 { detailLimit = 4 }
            if bits.number(2) > 0 || picture.extraChannels > 0 { detailLimit = nil }
            for _ in 0..<picture.extraChannels { _ = bits.number(2) }
        } else {
            detailLimit = nil
        }
        if picture.isXYB { _ = bits.number(6) }
        passes = Self.passes(&bits)
        // Refuses a frame that is only a part of the picture.
        guard !bits.flag() else { return false }
        for _ in 0...picture.extraChannels {
            // Refuses a frame that is blended with others.
            guard bits.number(2) == 0 else { return false }
        }
        let isLast = bits.flag()
        nameAt = bits.position
        guard isLast, bits.number(2) == 0 else { return false }
        guard let isFiltered = Self.filters(&bits) else { return false }
        self.isFiltered = isFiltered
        guard bits.longNumber() == 0, !bits.isOver else { return false }
        end = bits.position
        return true
    }

    /// The number of passes, into which the details of each group are split.
    private static func passes(_ bits: inout JXLBits) -> Int {
        let passes = Int(bits.number([(0, 1), (0, 2), (0, 3), (3, 4)]))
        guard passes > 1 else { return passes }
        let sizes = Int(bits.number([(0, 0), (0, 1), (0, 2), (1, 3)]))
        for _ in 1..<passes { _ = bits.number(2) }
        for _ in 0..<sizes { _ = bits.number(2) }
        for _ in 0..<sizes { _ = bits.number([(0, 0), (0, 1), (0, 2), (3, 0)]) }
        return passes
    }

    /// Whether there are filters; `nil` for an unknown form.
    private static func filters(_ bits: inout JXLBits) -> Bool? {
        guard !bits.flag() else { return true }
        let isGaborish = bits.flag()
        if isGaborish, bits.flag() { for _ in 0..<6 { _ = bits.number(16) } }
        let steps = bits.number(2)
        if steps > 0 {
            for values in [8, 5, 4] where bits.flag() { for _ in 0..<values { _ = bits.number(16) } }
        }
        return bits.longNumber() == 0 ? isGaborish || steps > 0 : nil
    }

    /// `bytes`, which begin with this header, without its filters; `nil` if it has none.
    func withoutFilters(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard isFiltered else { return nil }
        // What follows may depend on the bit at which it begins, so the new header must end at the same bit of a byte.
        // That is possible because zero has a long form and a short one, and so has the length of the name.
        for longForms in 0...3 {
            for isNameLong in [false, true] {
                let header = header(longForms: longForms, isNameLong: isNameLong)
                if header.count & 7 == end & 7 { return joined(header, with: bytes) }
            }
        }
        return nil
    }

    /// `bytes`, which begin with this header, without filters, and with empty sections instead of details.
    ///
    /// - Parameter halvings: How often each side of the picture is going to be halved.
    /// - Returns: `nil` if the lack of details would show, or the sections cannot be told.
    func withoutDetails(_ bytes: UnsafeBufferPointer<UInt8>, halvings: Int) -> [UInt8]? {
        guard let detailLimit, halvings >= detailLimit else { return nil }
        let (width, height) = (picture.width, picture.height)
        return JXLSections(bytes, behind: end, width: width, height: height, passes: passes)?.withoutDetails(header())
    }

    private func header(longForms: Int = 0, isNameLong: Bool = false) -> JXLBitWriter {
        var writer = JXLBitWriter()
        func add(_ value: UInt32, isLong: Bool) {
            writer.add(isLong ? 3 : 0, bits: 2)
            if isLong { writer.add(value, bits: 13) }
        }
        head.withUnsafeBufferPointer { head in
            writer.copy(0..<flagsAt.lowerBound, of: head)
            if longForms > 2 {
                var flags = JXLBits(head, at: flagsAt.lowerBound)
                add(flags.longNumber(), isLong: true)
            } else {
                writer.copy(flagsAt, of: head)
            }
            writer.copy(flagsAt.upperBound..<nameAt, of: head)
        }
        writer.add(isNameLong ? 1 : 0, bits: isNameLong ? 6 : 2)
        // Not the default, no Gaborish, no steps of the other filter.
        writer.add(0, bits: 4)
        add(0, isLong: longForms > 0)
        add(0, isLong: longForms > 1)
        return writer
    }

    private func joined(_ header: JXLBitWriter, with bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var header = header
        let rest = (end + 7) & ~7
        header.copy(end..<rest, of: bytes)
        return header.bytes + bytes[(rest >> 3)...]
    }
}
