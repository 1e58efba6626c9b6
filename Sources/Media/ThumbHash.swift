import FoundationEssentials
import Frames
import Glibc

/// A blurred placeholder of about 25 bytes (Evan Wallace's ThumbHash): the lowest frequencies of light and colour.
enum ThumbHash {
    /// The hash of an opaque picture of at most 100 pixels a side.
    static func bytes(of bitmap: Bitmap) -> [UInt8] {
        let long = Double(max(bitmap.width, bitmap.height))
        let across = max(1, Int((7 * Double(bitmap.width) / long).rounded()))
        let down = max(1, Int((7 * Double(bitmap.height) / long).rounded()))
        let isLandscape = bitmap.width > bitmap.height
        let planes = Planes(bitmap)
        let light = Waves(planes.light, bitmap, across: max(3, across), down: max(3, down))
        let yellow = Waves(planes.yellow, bitmap, across: 3, down: 3)
        let red = Waves(planes.red, bitmap, across: 3, down: 3)
        let head =
            scaled(light.mean, 63) | (signed(yellow.mean) << 6) | (signed(red.mean) << 12)
            | (scaled(light.scale, 31) << 18)
        let tail =
            (isLandscape ? down : across) | (scaled(yellow.scale, 63) << 3) | (scaled(red.scale, 63) << 9)
            | (isLandscape ? 1 << 15 : 0)
        let start = [head, head >> 8, head >> 16, tail, tail >> 8].map { UInt8(truncatingIfNeeded: $0) }
        return start + packed((light.waves + yellow.waves + red.waves).map { UInt8(scaled($0, 15)) })
    }

    /// The hash in base64.
    static func text(of bitmap: Bitmap) -> String { Data(bytes(of: bitmap)).base64EncodedString() }

    private static func scaled(_ value: Double, _ steps: Double) -> Int {
        Int((steps * max(0, min(1, value))).rounded())
    }

    /// Maps -1 to 1 to 6 bits.
    private static func signed(_ value: Double) -> Int { scaled(0.5 + 0.5 * value, 63) }

    /// Packs two values of 4 bits into each byte, the first in the lower half.
    private static func packed(_ values: [UInt8]) -> [UInt8] {
        stride(from: 0, to: values.count, by: 2).map { at in
            values[at] | (at + 1 < values.count ? values[at + 1] << 4 : 0)
        }
    }

    /// Brightness, yellow against blue, red against green; 0 to 1 and -1 to 1.
    private struct Planes {
        var light: [Double] = []
        var yellow: [Double] = []
        var red: [Double] = []

        init(_ bitmap: Bitmap) {
            for at in stride(from: 0, to: bitmap.rgb.count, by: 3) {
                let r = Double(bitmap.rgb[at]) / 255
                let g = Double(bitmap.rgb[at + 1]) / 255
                let b = Double(bitmap.rgb[at + 2]) / 255
                light.append((r + g + b) / 3)
                yellow.append((r + g) / 2 - b)
                red.append(r - g)
            }
        }
    }

    /// The lower triangle of a plane's cosine transform.
    private struct Waves {
        private(set) var mean = 0.0
        private(set) var scale = 0.0
        /// 0 to 1, where 0.5 stands for zero.
        private(set) var waves: [Double] = []

        init(_ plane: [Double], _ bitmap: Bitmap, across: Int, down: Int) {
            for row in 0..<down {
                for column in 0..<across where column * down < across * (down - row) {
                    let strength = Self.strength(plane, bitmap, column, row)
                    if row == 0, column == 0 { mean = strength } else { waves.append(strength) }
                }
            }
            scale = waves.reduce(0) { max($0, abs($1)) }
            if scale > 0 { waves = waves.map { 0.5 + 0.5 / scale * $0 } }
        }

        private static func strength(_ plane: [Double], _ bitmap: Bitmap, _ column: Int, _ row: Int) -> Double {
            let (width, height) = (bitmap.width, bitmap.height)
            let wave = (0..<width).map { cos(.pi / Double(width) * Double(column) * (Double($0) + 0.5)) }
            var sum = 0.0
            for y in 0..<height {
                let factor = cos(.pi / Double(height) * Double(row) * (Double(y) + 0.5))
                for x in 0..<width { sum += plane[y * width + x] * wave[x] * factor }
            }
            return sum / Double(width * height)
        }
    }
}
