import CFFmpeg
import Frames
import MediaModel

/// Takes runs of pixels in any order and keeps the mean of each square of them, so that a large picture needs little
/// memory.
final class JXLCanvas {
    let width: Int
    private let height: Int
    private let halvings: Int
    private let size: (width: Int, height: Int)
    /// Of each square: red, green, blue.
    private var sums: [SIMD4<Float>]
    private let background: SIMD4<Float>
    private let hasAlpha: Bool
    /// Whether colours come multiplied with their alpha.
    private let isPremultiplied: Bool
    /// Whether any pixel was transparent, and shows the background.
    private(set) var showsBackground = false

    /// - Parameter background: Behind transparent parts; `nil` for a picture without any.
    init(width: Int, height: Int, longSide: Int, background: RGBColour?, isPremultiplied: Bool = false) {
        let enough = Double(longSide) * ShrinkingCanvas.margin
        var halvings = 0
        while halvings < 6, Double(max(width, height) >> (halvings + 1)) >= enough { halvings += 1 }
        (self.width, self.height, self.halvings) = (width, height, halvings)
        size = ((width - 1) >> halvings + 1, (height - 1) >> halvings + 1)
        sums = [SIMD4<Float>](repeating: .zero, count: size.width * size.height)
        (hasAlpha, self.isPremultiplied) = (background != nil, isPremultiplied)
        let under = background ?? RGBColour(red: 0, green: 0, blue: 0)
        self.background = SIMD4(Float(under.red), Float(under.green), Float(under.blue), 0) / 255
    }

    /// Adds `count` pixels of row `y` from column `x` on, of three floats each, or four where there is alpha.
    func add(x: Int, y: Int, count: Int, _ pixels: UnsafePointer<Float>) {
        guard x >= 0, count > 0, x <= width - count, y >= 0, y < height else { return }
        let row = (y >> halvings) * size.width
        sums.withUnsafeMutableBufferPointer { sums in
            if hasAlpha {
                if addBlended(x, count, pixels, row, sums) { showsBackground = true }
            } else {
                addOpaque(x, count, pixels, row, sums)
            }
        }
    }

    private func addOpaque(
        _ x: Int, _ count: Int, _ pixels: UnsafePointer<Float>, _ row: Int,
        _ sums: UnsafeMutableBufferPointer<SIMD4<Float>>
    ) {
        let raw = UnsafeRawPointer(pixels)
        let (end, last) = (x + count, x + count - 1)
        var at = x
        while at < end {
            let square = at >> halvings
            let next = min(end, (square + 1) << halvings)
            var sum = SIMD4<Float>.zero
            // Four floats at once, of which the last belongs to the next pixel and is not used; the run's end has none.
            for column in at..<min(next, last) {
                sum += Self.clamped(raw.loadUnaligned(fromByteOffset: (column &- x) &* 12, as: SIMD4<Float>.self))
            }
            if next > last {
                let pixel = pixels + (last - x) * 3
                sum += Self.clamped(SIMD4(pixel[0], pixel[1], pixel[2], 0))
            }
            sums[row &+ square] += sum
            at = next
        }
    }

    /// Returns whether any of them was not opaque.
    private func addBlended(
        _ x: Int, _ count: Int, _ pixels: UnsafePointer<Float>, _ row: Int,
        _ sums: UnsafeMutableBufferPointer<SIMD4<Float>>
    ) -> Bool {
        let raw = UnsafeRawPointer(pixels)
        var least: Float = 1
        for index in 0..<count {
            let pixel = Self.clamped(raw.loadUnaligned(fromByteOffset: index &* 16, as: SIMD4<Float>.self))
            let alpha = pixel.w
            if alpha < least { least = alpha }
            sums[row &+ (x &+ index) >> halvings] += pixel * (isPremultiplied ? 1 : alpha) + background * (1 - alpha)
        }
        return least < 1
    }

    /// Within what can be shown; no number is black.
    private static func clamped(_ value: SIMD4<Float>) -> SIMD4<Float> {
        let light = value.replacing(with: 0, where: .!(value .> 0))
        return light.replacing(with: 1, where: light .> 1)
    }

    /// The picture's columns of the squares in column `x`.
    func columns(_ x: Int) -> Range<Int> { x << halvings..<min(width, (x + 1) << halvings) }

    /// The picture's rows of the squares in row `y`.
    func rows(_ y: Int) -> Range<Int> { y << halvings..<min(height, (y + 1) << halvings) }

    /// The means as a frame of this format: bytes of grey or of colours, or colours of 16 bits.
    func frame(_ format: AVPixelFormat) throws(FFmpegError) -> Frame {
        let frame = try Frame.blank(width: size.width, height: size.height, format: format)
        guard let data = frame.pointer.pointee.data.0 else { return frame }
        let stride = Int(frame.pointer.pointee.linesize.0)
        for y in 0..<size.height {
            let rows = rows(y).count
            for x in 0..<size.width {
                let mean = sums[y * size.width + x] / Float(rows * columns(x).count)
                write(mean, to: data + y * stride, x, format)
            }
        }
        return frame
    }

    private func write(_ mean: SIMD4<Float>, to row: UnsafeMutablePointer<UInt8>, _ x: Int, _ format: AVPixelFormat) {
        switch format {
        case AV_PIX_FMT_GRAY8: row[x] = UInt8(min(255, mean.x * 255 + 0.5))
        case AV_PIX_FMT_RGB24:
            let bytes = mean * 255 + 0.5
            row[x * 3] = UInt8(min(255, bytes.x))
            row[x * 3 + 1] = UInt8(min(255, bytes.y))
            row[x * 3 + 2] = UInt8(min(255, bytes.z))
        default:
            let words = mean * 65_535 + 0.5
            for channel in 0..<3 {
                let word = UInt16(min(65_535, words[channel]))
                (row[x * 6 + channel * 2], row[x * 6 + channel * 2 + 1]) = (UInt8(word & 255), UInt8(word >> 8))
            }
        }
    }
}
