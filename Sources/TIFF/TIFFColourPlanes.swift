import CFFmpeg
import CTIFF
import Frames
import Glibc

/// A picture with separate planes of brightness and two differences of colour, which libtiff does not convert.
///
/// The planes of colour have one sample for several pixels (TIFF 6.0, 21).
struct TIFFColourPlanes: ~Copyable {
    private let handle: OpaquePointer
    private let page: TIFFPage
    /// How many pixels one sample of colour covers.
    private let across: Int
    private let down: Int
    private let conversion: Conversion
    /// Whether samples are stored as differences from those before them in their row.
    private let isDifferenced: Bool

    /// The most bytes of the three planes of one strip.
    private static let stripLimit = 1 << 28

    /// `nil` if the page is stored in another way.
    init?(_ page: TIFFPage, of document: borrowing TIFFDocument) {
        guard page.photometric == PHOTOMETRIC_YCBCR, page.isPlanar, !page.isTiled, page.bits == 8, page.samples == 3,
            page.compression != COMPRESSION_JPEG
        else { return nil }
        var (across, down): (UInt16, UInt16) = (1, 1)
        guard ctiff_subsampling(document.handle, &across, &down) != 0, [1, 2, 4].contains(across),
            [1, 2, 4].contains(down)
        else { return nil }
        (self.across, self.down) = (Int(across), Int(down))
        (handle, self.page) = (document.handle, page)
        conversion = Conversion(document)
        var predictor: UInt16 = 1
        isDifferenced =
            [COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE].contains(page.compression)
            && ctiff_short(handle, UInt32(TIFFTAG_PREDICTOR), &predictor) != 0 && predictor == 2
    }

    /// The picture, large enough for thumbnails of `longSide`; an unreadable strip is grey.
    ///
    /// Throws if no strip can be read.
    func frame(longSide: Int) throws(FFmpegError) -> Frame {
        var perStrip: UInt32 = 0
        guard ctiff_long(handle, UInt32(TIFFTAG_ROWSPERSTRIP), &perStrip) != 0, perStrip > 0 else {
            throw FFmpegError(call: "TIFFStripSize", code: cffmpeg_error_invalid_data)
        }
        let rows = min(page.height, Int(perStrip))
        guard page.width <= Self.stripLimit / 3 / rows else {
            throw FFmpegError(call: "TIFFStripSize", code: cffmpeg_error_of_errno(EFBIG))
        }
        let width = (page.width + across - 1) / across
        var canvas = try ShrinkingCanvas(width: page.width, height: page.height, channels: 3, longSide: longSide)
        var row = [UInt8](repeating: 0, count: page.width * 3)
        var isRead = false
        for top in stride(from: 0, to: page.height, by: rows) {
            let height = min(rows, page.height - top)
            let light = plane(0, from: top, width: page.width, height, &isRead)
            let colours = (height + down - 1) / down
            let blue = plane(1, from: top, width: width, colours, &isRead)
            let red = plane(2, from: top, width: width, colours, &isRead)
            for y in 0..<height {
                for x in 0..<page.width {
                    let at = y / down * width + x / across
                    let (r, g, b) = conversion.colour(light[y * page.width + x], blue[at], red[at])
                    (row[x * 3], row[x * 3 + 1], row[x * 3 + 2]) = (r, g, b)
                }
                canvas.add(top + y, row)
            }
        }
        guard isRead else { throw FFmpegError(call: "TIFFReadEncodedStrip", code: cffmpeg_error_invalid_data) }
        canvas.finish()
        return canvas.taken()
    }

    private func plane(
        _ number: UInt16, from top: Int, width: Int, _ height: Int, _ isRead: inout Bool
    ) -> [UInt8] {
        let count = width * height
        var bytes = [UInt8](repeating: 0, count: count)
        let strip = TIFFComputeStrip(handle, UInt32(top), number)
        guard TIFFReadEncodedStrip(handle, strip, &bytes, tmsize_t(count)) > 0 else {
            return [UInt8](repeating: 0x80, count: count)
        }
        isRead = true
        if isDifferenced, width < page.width { summed(&bytes, width) }
        return bytes
    }

    /// Redoes the sums of differences in a plane of colour, because libtiff took its rows to be as wide as the page.
    private func summed(_ bytes: inout [UInt8], _ width: Int) {
        var (before, sum): (UInt8, UInt8) = (0, 0)
        for index in bytes.indices {
            let difference = bytes[index] &- (index % page.width == 0 ? 0 : before)
            before = bytes[index]
            sum = index % width == 0 ? difference : sum &+ difference
            bytes[index] = sum
        }
    }
}

extension TIFFColourPlanes {
    /// The conversion from brightness and differences of colour to red, green and blue that the page states.
    private struct Conversion {
        /// For brightness, blue and red: the size of a step, and the value that stands for zero.
        private let light, blue, red: (scale: Double, zero: Double)
        private let parts: (red: Double, green: Double, blue: Double)

        init(_ document: borrowing TIFFDocument) {
            let handle = document.handle
            let usual = [0.299, 0.587, 0.114]
            let stated = Self.floats(handle, TIFFTAG_YCBCRCOEFFICIENTS, count: 3)
            let parts = stated?.allSatisfy { (0.001...1).contains($0) } == true ? stated ?? usual : usual
            self.parts = (parts[0], parts[1], parts[2])
            let ends = Self.floats(handle, TIFFTAG_REFERENCEBLACKWHITE, count: 6) ?? [0, 255, 128, 255, 128, 255]
            func range(_ at: Int, _ most: Double) -> (Double, Double) {
                let span = ends[at + 1] - ends[at]
                return abs(span) >= 1 && abs(ends[at]) <= 255 ? (most / span, ends[at]) : (1, most == 255 ? 0 : 128)
            }
            (light, blue, red) = (range(0, 255), range(2, 127), range(4, 127))
        }

        private static func floats(_ handle: OpaquePointer, _ tag: Int32, count: Int) -> [Double]? {
            var values: UnsafeMutablePointer<Float>?
            guard ctiff_floats(handle, UInt32(tag), &values) != 0, let values else { return nil }
            let read = (0..<count).map { Double(values[$0]) }
            return read.allSatisfy(\.isFinite) ? read : nil
        }

        func colour(_ light: UInt8, _ blue: UInt8, _ red: UInt8) -> (UInt8, UInt8, UInt8) {
            let y = (Double(light) - self.light.zero) * self.light.scale
            let b = y + (Double(blue) - self.blue.zero) * self.blue.scale * 2 * (1 - parts.blue)
            let r = y + (Double(red) - self.red.zero) * self.red.scale * 2 * (1 - parts.red)
            let g = (y - parts.blue * b - parts.red * r) / parts.green
            func byte(_ value: Double) -> UInt8 { UInt8(max(0, min(255, value)).rounded()) }
            return (byte(r), byte(g), byte(b))
        }
    }
}
