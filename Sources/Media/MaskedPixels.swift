import CFFmpeg

/// Uncompressed pixels of 8 to 32 bits, the lowest byte first, with a mask for the bits of each colour.
struct MaskedPixels {
    let bits: Int
    /// The masks of red, green, blue and alpha; 0 for a channel that is missing.
    private let masks: [UInt32]

    init(bits: Int, masks: [UInt32]) {
        (self.bits, self.masks) = (bits, masks)
    }

    var hasAlpha: Bool { masks[3] != 0 }
    /// The format of the rows that `paint` writes.
    var format: AVPixelFormat { hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24 }

    /// Writes a row of `count` pixels; returns whether any of them is not wholly transparent.
    func paint(
        _ bytes: UnsafeBufferPointer<UInt8>, from offset: Int, count: Int, into line: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let channels = hasAlpha ? 4 : 3
        var isSeen = !hasAlpha
        for x in 0..<count {
            let at = offset + x * bits / 8
            let value = (0..<bits / 8).reduce(UInt32(0)) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }
            for channel in 0..<channels { line[x * channels + channel] = Self.byte(value, masks[channel]) }
            if hasAlpha, line[x * 4 + 3] > 0 { isSeen = true }
        }
        return isSeen
    }

    /// The bits of `value` below `mask`, scaled to a byte.
    private static func byte(_ value: UInt32, _ mask: UInt32) -> UInt8 {
        guard mask != 0 else { return 0 }
        let shift = UInt32(mask.trailingZeroBitCount)
        let most = UInt64(mask >> shift)
        return UInt8(truncatingIfNeeded: (UInt64((value & mask) >> shift) * 255 + most / 2) / most)
    }
}
