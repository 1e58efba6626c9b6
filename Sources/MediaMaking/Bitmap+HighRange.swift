package import Frames
import Glibc
package import MediaModel

extension Bitmap {
    /// The picture coded as HDR: its white at the usual 203 cd/m², BT.2020 primaries, 8 bits a channel.
    ///
    /// SMPTE ST 2084, 5 (PQ); BT.2100, table 5 (HLG, its gamma of 1.2 undone on each channel); BT.2087, 2.
    package func coded(as transfer: HDRTransfer) -> Bitmap {
        let light = (0...255).map { Self.light(of: Double($0) / 255) }
        // Indexed by the square root of light, so that the steps in the dark are small.
        let codes = (0...4095).map { step in
            let root = Double(step) / 4095
            return Self.code(for: 203 * root * root, transfer)
        }
        var result = rgb
        for at in stride(from: 0, to: rgb.count, by: 3) {
            let (r, g, b) = (light[Int(rgb[at])], light[Int(rgb[at + 1])], light[Int(rgb[at + 2])])
            let wide = (
                0.6274 * r + 0.3293 * g + 0.0433 * b, 0.0691 * r + 0.9195 * g + 0.0114 * b,
                0.0164 * r + 0.0880 * g + 0.8956 * b
            )
            result[at] = codes[Int(min(1, wide.0).squareRoot() * 4095)]
            result[at + 1] = codes[Int(min(1, wide.1).squareRoot() * 4095)]
            result[at + 2] = codes[Int(min(1, wide.2).squareRoot() * 4095)]
        }
        return Bitmap(width: width, height: height, rgb: result)
    }

    /// The linear light of an sRGB value (IEC 61966-2-1).
    private static func light(of coded: Double) -> Double {
        coded <= 0.04045 ? coded / 12.92 : pow((coded + 0.055) / 1.055, 2.4)
    }

    /// The byte for this many cd/m².
    private static func code(for light: Double, _ transfer: HDRTransfer) -> UInt8 {
        let value: Double
        if transfer == .pq {
            let power = pow(light / 10_000, 0.1593017578125)
            value = pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
        } else {
            let scene = pow(light / 1000, 1 / 1.2)
            value =
                scene <= 1.0 / 12
                ? (3 * scene).squareRoot() : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
        }
        return UInt8(max(0, min(255, (value * 255).rounded())))
    }
}
