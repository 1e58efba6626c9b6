import CJXL

/// The header of a frame (ISO/IEC 18181-1, F.2), as far as it must be known to leave out what a smaller picture does not
/// show.
///
/// The filters that smooth it, Gaborish and the edge-preserving one, are a third of the work of decoding; in a picture
/// that is eight times smaller, all that differs from the mean of each block of 8 × 8 pixels is gone, too.
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
    /// The first bytes of the frame, or what the only bit of its header stands for.
    private let head: [UInt8]
    /// Bits from the start.
    private var flagsAt: Range<Int> = 0..<0
    private var nameAt = 0
    /// Where the header of the frame itself ends.
    private(set) var end = 0
    private var isFiltered = false
    private(set) var passes = 1
    /// How often a picture without details must have been halved; `nil` where they cannot be left out.
    private var detailLimit: Int? = 3

    private static let usesDCFrame: UInt32 = 32

    /// `nil` for what is not the only frame of a picture, or is lossless.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, of picture: Picture) {
        guard !picture.isAnimated, let first = bytes.first else { return nil }
        let isUsual = first & 1 == 1
        // A header that is read here has a few dozen bytes.
        let head = isUsual ? Self.usual(picture) : Array(bytes.prefix(128))
        (self.picture, self.head) = (picture, head)
        guard head.withUnsafeBufferPointer({ read($0) }) else { return nil }
        if isUsual { end = 1 }
    }

    /// What a single bit at the start stands for, written out.
    private static func usual(_ picture: Picture) -> [UInt8] {
        var writer = JXLBitWriter()
        // Not by a single bit, a regular frame, lossy, no flags.
        writer.add(0, bits: 6)
        if !picture.isXYB { writer.add(0, bits: 1) }
        // No upsampling, the usual scales of two colours, one pass, the whole picture.
        writer.add(0, bits: 2 * (1 + picture.extraChannels))
        if picture.isXYB { writer.add(2 << 3 | 3, bits: 6) }
        writer.add(0, bits: 3)
        // In place of what was there; the last one, without a name.
        writer.add(0, bits: 2 * (1 + picture.extraChannels))
        writer.add(1, bits: 3)
        // The usual filters, no extensions.
        writer.add(1, bits: 3)
        return writer.bytes
    }

    /// Returns whether it is as it has to be.
    private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var bits = JXLBits(bytes)
        // All default; or no regular frame; or lossless.
        guard !bits.flag(), bits.number(2) == 0, !bits.flag() else { return false }
        let start = bits.position
        let flags = bits.longNumber()
        // The long form has 12 bits here.
        guard flags < 1 << 12 else { return false }
        flagsAt = start..<bits.position
        let isYCbCr = picture.isXYB ? false : bits.flag()
        if flags & Self.usesDCFrame == 0 {
            // Blocks of colours that are stored in half as many pixels are twice as large.
            if isYCbCr, bits.number(6) > 0 { detailLimit = 4 }
            if bits.number(2) > 0 || picture.extraChannels > 0 { detailLimit = nil }
            for _ in 0..<picture.extraChannels { _ = bits.number(2) }
        } else {
            detailLimit = nil
        }
        if picture.isXYB { _ = bits.number(6) }
        passes = Self.passes(&bits)
        // A part of the picture only.
        guard !bits.flag() else { return false }
        for _ in 0...picture.extraChannels {
            // Blended with other frames.
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

    /// How many parts the details of each group come in.
    private static func passes(_ bits: inout JXLBits) -> Int {
        let passes = Int(bits.number([(0, 1), (0, 2), (0, 3), (3, 4)]))
        guard passes > 1 else { return passes }
        let sizes = Int(bits.number([(0, 0), (0, 1), (0, 2), (1, 3)]))
        for _ in 1..<passes { _ = bits.number(2) }
        for _ in 0..<sizes { _ = bits.number(2) }
        for _ in 0..<sizes { _ = bits.number([(0, 0), (0, 1), (0, 2), (3, 0)]) }
        return passes
    }

    /// Whether there are any; `nil` for a form that is not known.
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

    /// `bytes`, which begin with this header, without its filters; `nil` where it has none.
    func withoutFilters(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard isFiltered else { return nil }
        // What follows may depend on the bit at which it begins, so the new header must end at the same one: zero can be
        // written in a long form and a short one, and so can the length of the name.
        for longForms in 0...3 {
            for isNameLong in [false, true] {
                let header = header(longForms: longForms, isNameLong: isNameLong)
                if header.count & 7 == end & 7 { return joined(header, with: bytes) }
            }
        }
        return nil
    }

    /// `bytes`, which begin with this header, without filters and details: sections that hold nothing stand for these.
    ///
    /// - Parameter halvings: How often each side of the picture is going to be halved.
    /// - Returns: `nil` where details would be missed, or the sections are not known.
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
