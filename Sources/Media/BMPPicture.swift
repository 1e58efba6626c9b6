import CFFmpeg
import Facts
import Frames
import MediaModel

/// An uncompressed BMP with any number of bits for each colour (Microsoft Win32, BITMAPV5HEADER).
struct BMPPicture {
    private let bytes: UnsafeBufferPointer<UInt8>
    let width: Int
    private let height: Int
    private let isTopDown: Bool
    let bits: Int
    private let pixels: Int
    private var masks: [UInt32]
    private var palette: [RGBColour] = []
    /// The offset after its headers and its palette.
    let end: Int

    /// `nil` for a compressed bitmap, or if its headers exceed the file.
    ///
    /// - Parameters:
    ///   - bytes: The file, which must outlive this value.
    ///   - start: Where the headers begin; the offset of the pixels that they state counts from the start of the file.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int = 0) {
        guard start >= 0, bytes.count - start >= 34 else { return nil }
        func number(_ offset: Int) -> Int { bytes.number(at: start + offset, bigEndian: false) }
        let head = number(14)
        guard head == 12 || head >= 16, head <= 124, bytes.count - start >= 14 + head else { return nil }
        // In the oldest header, width and height have two bytes each.
        let isShort = head == 12
        let across = Int32(truncatingIfNeeded: isShort ? number(18) & 0xFFFF : number(18))
        let down = Int32(truncatingIfNeeded: isShort ? number(18) >> 16 : number(22))
        (width, height) = (Int(across), abs(Int(down)))
        (isTopDown, bits) = (down < 0, Int(bytes[start + (isShort ? 24 : 28)]))
        let compression = head >= 20 ? number(30) : 0
        let isMasked = compression == 3 && head != 64 || compression == 6
        guard width > 0, height > 0, compression == 0 || isMasked, [1, 2, 4, 8, 16, 24, 32].contains(bits) else {
            return nil
        }
        (self.bytes, pixels) = (bytes, number(10))
        masks = bits == 16 ? [0x7C00, 0x3E0, 0x1F, 0] : [0xFF0000, 0xFF00, 0xFF, 0]
        if isMasked {
            let count = head >= 56 || compression == 6 ? 4 : 3
            guard bytes.count - start >= 54 + 4 * count else { return nil }
            for index in 0..<count { masks[index] = UInt32(number(54 + 4 * index)) }
        }
        let colours = bits > 8 ? 0 : head >= 36 && number(46) > 0 ? min(number(46), 1 << bits) : 1 << bits
        let step = isShort ? 3 : 4
        end = start + 14 + head + colours * step
        for index in 0..<colours where start + 14 + head + step * (index + 1) <= min(bytes.count, pixels) {
            let at = start + 14 + head + step * index
            palette.append(RGBColour(red: bytes[at + 2], green: bytes[at + 1], blue: bytes[at]))
        }
    }

    /// A whole file of a bitmap that has lost its file header; `nil` if the bytes are no such bitmap.
    static func file(ofBare bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard bytes.count > 40, bytes[0] >= 40, bytes[1] == 0 else { return nil }
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let (bits, colours) = (Int(bytes[14]), bytes.number(at: 32, bigEndian: false))
        let palette = bits > 8 ? 0 : 4 * (colours > 0 ? min(colours, 1 << bits) : 1 << bits)
        // Longer headers contain the masks; after the shortest one, they follow.
        let masks = bytes[0] > 40 ? 0 : [3: 12, 6: 16][bytes.number(at: 16, bigEndian: false)] ?? 0
        let start = 14 + Int(bytes[0]) + masks + palette
        return Array("BM".utf8) + number(14 + bytes.count) + number(0) + number(start) + bytes
    }

    /// The pixels, grey in missing rows; `nil` if the file has not a single row.
    func frame(maxPixels: Int) throws(FFmpegError) -> Frame? {
        try FFmpegError.checkSize(width, height, limit: maxPixels, "BMP")
        let stride = (width * bits + 31) / 32 * 4
        guard pixels >= 14, pixels + stride <= bytes.count else { return nil }
        let hasAlpha = masks[3] != 0
        let frame = try Frame.blank(width: width, height: height, format: hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24)
        guard let target = frame.pointer.pointee.data.0 else { return nil }
        let row = Int(frame.pointer.pointee.linesize.0)
        target.update(repeating: 128, count: row * height)
        var (isOpaque, painted) = (false, 0)
        for y in 0..<height where pixels + (y + 1) * stride <= bytes.count {
            let line = target + (isTopDown ? y : height - 1 - y) * row
            if paint(from: pixels + y * stride, into: line) { isOpaque = true }
            painted += 1
        }
        if painted < height { DecoderLog.keep("\(painted) of \(height) rows are there") }
        // Many programs leave the alpha empty and mean an opaque picture.
        if hasAlpha, !isOpaque { frame.pointer.pointee.format = AV_PIX_FMT_RGB0.rawValue }
        return frame
    }

    /// Writes a row; returns whether any pixel of it is not wholly transparent.
    private func paint(from offset: Int, into line: UnsafeMutablePointer<UInt8>) -> Bool {
        guard bits > 8 else {
            for x in 0..<width {
                let place = x * bits
                let index = Int(bytes[offset + place / 8]) >> (8 - bits - place % 8) & (1 << bits - 1)
                let colour = palette.indices.contains(index) ? palette[index] : RGBColour(red: 0, green: 0, blue: 0)
                (line[x * 3], line[x * 3 + 1], line[x * 3 + 2]) = (colour.red, colour.green, colour.blue)
            }
            return true
        }
        return MaskedPixels(bits: bits, masks: masks).paint(bytes, from: offset, count: width, into: line)
    }
}
