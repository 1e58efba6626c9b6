import CFFmpeg
package import Frames
import Glibc
package import MediaModel

/// A picture of light in floating point, whose whites may be brighter than any screen's.
package protocol LightPicture {
    /// Pixels.
    var width: Int { get }
    /// Pixels.
    var height: Int { get }
    /// How its rows lie.
    var orientation: Orientation { get }
    /// Its primaries; `nil` for those of sRGB.
    var space: ColourSpace? { get }
    /// Whether 1 is always the screen's white; if not, the picture's own light decides how bright it is shown.
    var isForScreens: Bool { get }

    /// Reads the rows in order, each of red, green and blue in turn; 1 is paper white. Ends early if the file does.
    func eachRow(_ use: (_ y: Int, _ light: UnsafeBufferPointer<Float>) -> Void)
}

extension LightPicture {
    /// The primaries of sRGB.
    package var space: ColourSpace? { nil }

    /// A picture is light of a scene, unless its type says otherwise.
    package var isForScreens: Bool { false }

    /// The picture for a screen, in sRGB, grey in missing rows; `nil` if it has not a single row.
    ///
    /// - Parameter longSide: The longer side of the largest thumbnail, for which the frame is large enough.
    package func frame(longSide: Int, maxPixels: Int) throws(FFmpegError) -> Frame? {
        try FFmpegError.checkSize(width, height, limit: maxPixels, "light")
        var (exposure, map) = (Float(1), ToneMap(ofLight: false, space: space))
        if !isForScreens {
            var meter = LightMeter()
            eachRow { _, light in meter.see(light) }
            (exposure, map) = (meter.exposure, ToneMap(ofLight: meter.isHighRange, space: space))
        }
        var canvas = try ShrinkingCanvas(width: width, height: height, channels: 3, longSide: longSide)
        var (row, rows) = ([UInt8](repeating: 0, count: width * 3), 0)
        eachRow { y, light in
            map.show(light, times: exposure, in: &row)
            canvas.add(y, row)
            rows += 1
        }
        guard rows > 0 else { return nil }
        if rows < height { DecoderLog.keep("\(rows) of \(height) rows are there") }
        canvas.finish()
        return canvas.taken()
    }
}

/// Measures how bright a picture is, which decides how its light is shown.
struct LightMeter {
    /// How many pixels have their brightest channel in each half of a doubling, by a float's exponent and first bit.
    private var counts = [Int](repeating: 0, count: 512)

    mutating func see(_ light: UnsafeBufferPointer<Float>) {
        counts.withUnsafeMutableBufferPointer { counts in
            for at in stride(from: 0, to: light.count - 2, by: 3) {
                let brightest = max(light[at], light[at + 1], light[at + 2])
                guard brightest > 1e-30, brightest.isFinite else { continue }
                counts[Int(brightest.bitPattern >> 22)] += 1
            }
        }
    }

    /// The light that this share of the pixels, without black ones, does not exceed, exact to about half of a doubling.
    private func light(ofDarkest share: Double) -> Float {
        var left = Int(Double(counts.reduce(0, +)) * share)
        for (index, count) in counts.enumerated() where count > 0 {
            left -= count
            if left <= 0 { return Float(bitPattern: UInt32(index) << 22) }
        }
        return 1
    }

    /// The factor for the light.
    ///
    /// It is 1 unless half of the picture would be white or nearly all of it black, as in units of a camera or of
    /// physics: then the picture's median becomes middle grey.
    var exposure: Float {
        let middle = light(ofDarkest: 0.5)
        return middle > 1 || light(ofDarkest: 0.99) < 0.1 ? 0.18 / middle : 1
    }

    /// Whether more than a few reflections are brighter than white.
    ///
    /// White does not count, nor does slightly brighter light, because both are counted in the same half of a doubling.
    var isHighRange: Bool { light(ofDarkest: 0.99) * exposure > 1 }
}
