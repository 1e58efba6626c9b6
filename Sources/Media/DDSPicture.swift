import CFFmpeg
import Facts
import Frames

/// A texture whose pixels are not compressed, with any bits for each colour (Microsoft DirectX, DDS_PIXELFORMAT).
///
/// Used for textures with masks that FFmpeg does not know.
struct DDSPicture {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let width: Int
    private let height: Int
    private let pixels: MaskedPixels

    /// Where the pixels begin, after the mark and the header.
    private static let start = 128

    /// `nil` for any other texture, or if its pixels exceed the file.
    ///
    /// - Parameter bytes: The file, which must outlive this value.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count > Self.start else { return nil }
        func number(_ offset: Int) -> Int { bytes.number(at: offset, bigEndian: false) }
        (height, width) = (number(12), number(16))
        let (flags, bits) = (number(80), number(88))
        let (isColoured, isGrey) = (flags & 0x40 != 0, flags & 0x2_0000 != 0)
        // Flag 4 means that a code of four characters names a compression.
        guard flags & 4 == 0, isColoured || isGrey, [8, 16, 24, 32].contains(bits), (1...65535).contains(width),
            (1...65535).contains(height), Self.start + width * bits / 8 * height <= bytes.count
        else { return nil }
        var masks = (0..<4).map { UInt32(truncatingIfNeeded: number(92 + 4 * $0)) }
        if flags & 1 == 0 { masks[3] = 0 }
        if isGrey {
            // Some programs state a mask that exceeds a pixel's bits, and mean all of them.
            if UInt64(masks[0]) >= 1 << UInt64(bits) { masks[0] = UInt32.max >> UInt32(32 - bits) }
            (masks[1], masks[2]) = (masks[0], masks[0])
        }
        guard masks[0] | masks[1] | masks[2] != 0 else { return nil }
        self.bytes = bytes
        pixels = MaskedPixels(bits: bits, masks: masks)
    }

    /// The picture in full size, which comes before its smaller copies.
    func frame(maxPixels: Int) throws(FFmpegError) -> Frame? {
        try FFmpegError.checkSize(width, height, limit: maxPixels, "DDS")
        let frame = try Frame.blank(width: width, height: height, format: pixels.format)
        guard let target = frame.pointer.pointee.data.0 else { return nil }
        let (row, stride) = (Int(frame.pointer.pointee.linesize.0), width * pixels.bits / 8)
        var isOpaque = false
        for y in 0..<height {
            let isSeen = pixels.paint(bytes, from: Self.start + y * stride, count: width, into: target + y * row)
            isOpaque = isOpaque || isSeen
        }
        if pixels.hasAlpha, !isOpaque { frame.pointer.pointee.format = AV_PIX_FMT_RGB0.rawValue }
        return frame
    }
}
