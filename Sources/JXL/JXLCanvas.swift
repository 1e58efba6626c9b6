import CFFmpeg
import Frames
import MediaModel

/// Takes runs of pixels in any order and keeps the mean of each square of them, so that a large picture needs little
/// memory.
final class JXLCanvas {
    let width: Int
    private let height: Int
    /// How often each side of the picture was halved.
    private let halvings: Int
    private let size: (width: Int, height: Int)
    /// For each square the sums of red, green and blue; empty if squares are single pixels, which are painted at once.
    private var sums: [SIMD4<Float>]
    private let background: SIMD4<Float>
    private let hasAlpha: Bool
    /// Whether the colours of the pixels to add are multiplied by their alpha.
    private let isPremultiplied: Bool
    /// Whether any pixel was transparent, and shows the background.
    private(set) var showsBackground = false
    /// The frame until it is taken.
    private var frame: Frame?
    /// Bytes of a pixel of the frame.
    private let step: Int
    private let samples: UnsafeMutablePointer<UInt8>
    private let stride: Int

    /// - Parameter format: The format of the frame: bytes of grey or of colours, or colours of 16 bits.
    /// - Parameter background: The colour behind transparent parts; `nil` for a picture without alpha.
    init(
        width: Int, height: Int, longSide: Int, format: AVPixelFormat, background: RGBColour?,
        isPremultiplied: Bool = false
    ) throws(FFmpegError) {
        halvings = Self.halvings(of: max(width, height), longSide: longSide)
        (self.width, self.height) = (width, height)
        step =
            switch format {
            case AV_PIX_FMT_GRAY8: 1
            case AV_PIX_FMT_RGB24: 3
            default: 6
            }
        size = ((width - 1) >> halvings + 1, (height - 1) >> halvings + 1)
        sums = [SIMD4<Float>](repeating: .zero, count: halvings > 0 ? size.width * size.height : 0)
        (hasAlpha, self.isPremultiplied) = (background != nil, isPremultiplied)
        let under = background ?? RGBColour(red: 0, green: 0, blue: 0)
        self.background = SIMD4(Float(under.red), Float(under.green), Float(under.blue), 0) / 255
        let frame = try Frame.blank(width: size.width, height: size.height, format: format)
        stride = Int(frame.pointer.pointee.linesize.0)
        samples = try FFmpegError.check(frame.pointer.pointee.data.0, "av_frame_get_buffer")
        samples.update(repeating: 0, count: stride * size.height)
        self.frame = consume frame
    }

    /// How often a side of so many pixels can be halved and still be long enough for thumbnails of `longSide`.
    static func halvings(of side: Int, longSide: Int) -> Int {
        let enough = Double(longSide) * ShrinkingCanvas.margin
        return (0..<6).first { Double(side >> ($0 + 1)) < enough } ?? 6
    }

    /// Adds `count` pixels of row `y` from column `x` on, each of red, green, blue and alpha.
    func add(x: Int, y: Int, count: Int, _ pixels: UnsafePointer<Float>) {
        guard x >= 0, count > 0, x <= width - count, y >= 0, y < height else { return }
        let run = UnsafeRawPointer(pixels)
        var least: Float = 1
        if halvings == 0 {
            for column in x..<x + count { paint(colour(run, column &- x, &least), column, y) }
        } else {
            let row = (y >> halvings) * size.width
            sums.withUnsafeMutableBufferPointer { sums in
                var at = x
                while at < x + count {
                    let square = at >> halvings
                    let next = min(x + count, (square + 1) << halvings)
                    var sum = SIMD4<Float>.zero
                    for column in at..<next { sum += colour(run, column &- x, &least) }
                    sums[row &+ square] += sum
                    at = next
                }
            }
        }
        if least < 1 { showsBackground = true }
    }

    /// A pixel over the background, limited to values that can be shown; NaN is black.
    @inline(__always)
    private func colour(_ run: UnsafeRawPointer, _ index: Int, _ least: inout Float) -> SIMD4<Float> {
        let value = run.loadUnaligned(fromByteOffset: index &* 16, as: SIMD4<Float>.self)
        let light = value.replacing(with: 0, where: .!(value .> 0))
        let pixel = light.replacing(with: 1, where: light .> 1)
        guard hasAlpha else { return pixel }
        least = min(least, pixel.w)
        return pixel * (isPremultiplied ? 1 : pixel.w) + background * (1 - pixel.w)
    }

    /// The picture's columns that the squares in column `x` cover.
    func columns(_ x: Int) -> Range<Int> { x << halvings..<min(width, (x + 1) << halvings) }

    /// The picture's rows that the squares in row `y` cover.
    func rows(_ y: Int) -> Range<Int> { y << halvings..<min(height, (y + 1) << halvings) }

    /// The frame with the means, after all pixels have been added; to be called once.
    func taken() throws(FFmpegError) -> Frame {
        for y in 0..<(halvings > 0 ? size.height : 0) {
            let share = 1 / Float(rows(y).count << halvings)
            let last = 1 / Float(rows(y).count * columns(size.width - 1).count)
            let row = y * size.width
            for x in 0..<size.width { paint(sums[row &+ x] * (x == size.width - 1 ? last : share), x, y) }
        }
        guard let frame = frame.take() else { throw FFmpegError(call: "JXLCanvas", code: cffmpeg_error_invalid_data) }
        return frame
    }

    @inline(__always)
    private func paint(_ colour: SIMD4<Float>, _ x: Int, _ y: Int) {
        let pixel = samples + (y &* stride &+ x &* step)
        // Rounds: after the sum with such a large number, the lowest bits are the nearest integer.
        let whole = unsafeBitCast(colour * (step == 6 ? 65_535 : 255) + 0x80_0000, to: SIMD4<UInt32>.self)
        switch step {
        case 1: pixel[0] = UInt8(truncatingIfNeeded: whole.x)
        case 3:
            pixel[0] = UInt8(truncatingIfNeeded: whole.x)
            pixel[1] = UInt8(truncatingIfNeeded: whole.y)
            pixel[2] = UInt8(truncatingIfNeeded: whole.z)
        default:
            for channel in 0..<3 {
                pixel[channel &* 2] = UInt8(truncatingIfNeeded: whole[channel])
                pixel[channel &* 2 &+ 1] = UInt8(truncatingIfNeeded: whole[channel] >> 8)
            }
        }
    }
}
