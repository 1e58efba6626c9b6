import CFFmpeg
import Frames

/// The first picture of a GIF, made smaller row by row (GIF89a, sections 18, 20 and 23).
///
/// FFmpeg composes a canvas of four bytes a pixel, 600 MB for 150 million, and refuses pictures without colours.
struct GIFPicture {
    /// As large as stated, or larger if the picture would not fit on it, as browsers show such files.
    let canvas: GIFCanvas
    /// Whether it is larger than stated.
    let growsCanvas: Bool
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The place and size of the picture on the canvas.
    private let picture: (x: Int, y: Int, width: Int, height: Int)
    /// Red, green and blue of each colour.
    private let palette: [UInt8]
    private let transparent: UInt8?
    private let isInterlaced: Bool
    /// Where the codes of the pixels begin.
    private let start: Int

    /// `nil` if there is no picture.
    ///
    /// - Parameter bytes: The file, which must outlive this value.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        func number(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
        func colours(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
        guard bytes.count > 13, bytes.starts(with: Array("GIF8".utf8)) else { return nil }
        let shared = 13..<13 + colours(bytes[10])
        var (at, transparent) = (shared.upperBound, UInt8?.none)
        while at + 9 < bytes.count, bytes[at] == 0x21 {
            if bytes[at + 1] == 0xF9 { transparent = bytes[at + 3] & 1 == 1 ? bytes[at + 6] : nil }
            at += 2
            while at < bytes.count, bytes[at] > 0 { at += 1 + Int(bytes[at]) }
            at += 1
        }
        guard at + 10 < bytes.count, bytes[at] == 0x2C else { return nil }
        let (flags, own) = (bytes[at + 9], at + 10..<at + 10 + colours(bytes[at + 9]))
        picture = (number(at + 1), number(at + 3), number(at + 5), number(at + 7))
        let place = own.isEmpty ? shared : own
        guard own.upperBound < bytes.count, picture.width > 0, picture.height > 0 else { return nil }
        let (width, height) = (number(6), number(8))
        canvas = GIFCanvas(
            width: max(width, picture.x + picture.width), height: max(height, picture.y + picture.height))
        growsCanvas = canvas.width > width || canvas.height > height
        palette = place.isEmpty ? Self.greys(ofBits: Int(bytes[own.upperBound])) : Array(bytes[place])
        (self.bytes, self.transparent, start) = (bytes, transparent, own.upperBound)
        isInterlaced = flags & 0x40 != 0
    }

    /// Greys for a file without colours, whose first two must be black and white (section 18), as two greys are.
    private static func greys(ofBits bits: Int) -> [UInt8] {
        let most = 1 << min(max(bits, 1), 8) - 1
        return (0...most).flatMap { [UInt8](repeating: UInt8($0 * 255 / most), count: 3) }
    }

    /// The canvas, large enough for `longSide`; `nil` if the picture has not a single row.
    ///
    /// Missing rows are grey, with a message in `DecoderLog`.
    func frame(longSide: Int) throws(FFmpegError) -> Frame? {
        guard var codes = GIFCodes(bytes, start: start) else { return nil }
        let (width, height) = (canvas.width, canvas.height)
        var shrunk = try ShrinkingCanvas(width: width, height: height, channels: 4, longSide: longSide, alphaLimit: 0)
        let kept = isInterlaced ? Kept(&codes, picture.width, picture.height) : nil
        var line = [UInt8](repeating: 0, count: picture.width)
        let clear = [UInt8](repeating: 0, count: width * 4)
        var (row, rows) = (clear, 0)
        for y in 0..<height {
            guard y >= picture.y, y < picture.y + picture.height else {
                shrunk.add(y, clear)
                continue
            }
            let isThere =
                if let kept {
                    kept.take(y - picture.y, &line)
                } else {
                    line.withUnsafeMutableBufferPointer { codes.fill($0) }
                }
            paint(isThere ? line : nil, &row)
            shrunk.add(y, row)
            rows += isThere ? 1 : 0
        }
        shrunk.finish()
        guard rows > 0 else { return nil }
        if rows < picture.height { DecoderLog.keep("the file ends within its first picture") }
        return shrunk.taken()
    }

    /// Writes a row of colour numbers as red, green, blue and alpha; grey if there is no row.
    private func paint(_ line: [UInt8]?, _ row: inout [UInt8]) {
        for x in 0..<picture.width {
            let at = (picture.x + x) * 4
            let colour = line.map { Int($0[x]) * 3 }
            if let line, line[x] == transparent {
                (row[at], row[at + 1], row[at + 2], row[at + 3]) = (0, 0, 0, 0)
            } else if let colour, colour + 2 < palette.count {
                (row[at], row[at + 1], row[at + 2]) = (palette[colour], palette[colour + 1], palette[colour + 2])
                row[at + 3] = 255
            } else {
                let level: UInt8 = line == nil ? 128 : 0
                (row[at], row[at + 1], row[at + 2], row[at + 3]) = (level, level, level, 255)
            }
        }
    }

    /// The rows of an interlaced picture, a byte for each pixel, because they come in four rounds (GIF89a, appendix E).
    private struct Kept {
        private var numbers: [UInt8]
        private let width: Int
        private var isThere: [Bool]

        init(_ codes: inout GIFCodes, _ width: Int, _ height: Int) {
            self.width = width
            numbers = [UInt8](repeating: 0, count: width * height)
            isThere = [Bool](repeating: false, count: height)
            for (first, step) in [(0, 8), (4, 8), (2, 4), (1, 2)] {
                for y in stride(from: first, to: height, by: step) {
                    let isFilled = numbers.withUnsafeMutableBufferPointer {
                        codes.fill(UnsafeMutableBufferPointer(rebasing: $0[y * width..<(y + 1) * width]))
                    }
                    guard isFilled else { return }
                    isThere[y] = true
                }
            }
        }

        func take(_ y: Int, _ line: inout [UInt8]) -> Bool {
            guard isThere[y] else { return false }
            line.withUnsafeMutableBufferPointer { line in
                for x in 0..<width { line[x] = numbers[y * width + x] }
            }
            return true
        }
    }
}
