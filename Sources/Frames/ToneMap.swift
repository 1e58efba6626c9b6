import CFFmpeg
import Glibc
import MediaModel

/// Maps the brightness of an HDR picture to a screen that shows no more than paper white.
///
/// SMPTE ST 2084 (PQ), ARIB STD-B67 (HLG), Rec. ITU-R BT.2408 (paper white at 203 cd/m²), IEC 61966-2-1 (sRGB).
package struct ToneMap {
    /// The light for the upper 12 bits of each coded value; 1 means paper white.
    private let light: [Float]
    /// From the picture's primaries to sRGB's, row by row; `nil` if they are the same.
    private let matrix: [Float]?
    /// Whether light above half of paper white is compressed.
    private let bends: Bool

    /// The luminance of paper white, in cd/m², and the peak for which HDR is graded.
    private static let paper: Float = 203
    private static let peak: Float = 1000 / paper

    /// - Parameter space: The picture's primaries; `nil` for those of sRGB.
    init(_ transfer: HDRTransfer, space: ColourSpace?) {
        matrix = space.map { $0.toStandard.map(Float.init) }
        bends = true
        light = (0..<4096).map { code in
            let value = Float(code) / 4095
            return (transfer == .pq ? Self.pq(value) : Self.hlg(value)) / Self.paper
        }
    }

    /// A map for light that is not coded.
    ///
    /// - Parameters:
    ///   - isHighRange: Whether the light goes beyond paper white; otherwise it stays unchanged.
    ///   - space: Its primaries; `nil` for those of sRGB.
    package init(ofLight isHighRange: Bool, space: ColourSpace? = nil) {
        (light, matrix, bends) = ([], space.map { $0.toStandard.map(Float.init) }, isHighRange)
    }

    /// cd/m² of a PQ value; ST 2084, 5.
    package static func pq(_ value: Float) -> Float {
        let root = powf(value, 1 / 78.84375)
        return 10_000 * powf(max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root), 1 / 0.1593017578125)
    }

    /// cd/m² of an HLG value on a screen of 1,000 cd/m²; BT.2100, table 5, with its gamma of 1.2 on each channel.
    package static func hlg(_ value: Float) -> Float {
        let scene = value <= 0.5 ? value * value / 3 : (expf((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
        return 1000 * powf(scene, 1.2)
    }

    /// Compresses light above half of paper white so that the peak becomes white; below, it is unchanged.
    static func bent(_ light: Float) -> Float {
        let knee: Float = 0.5
        guard light > knee else { return light }
        let share = min(1, (light - knee) / (peak - knee))
        let slope = (peak - knee) / (1 - knee)
        return knee + (1 - knee) * share * slope / (1 + (slope - 1) * share)
    }

    /// sRGB bytes by the square root of light in steps of 1/4095; the root makes the steps small in the dark.
    private static let bytes: [UInt8] = (0..<4096).map { step in
        let root = Float(step) / 4095
        let light = root * root
        let coded = light <= 0.0031308 ? 12.92 * light : 1.055 * powf(light, 1 / 2.4) - 0.055
        return UInt8(max(0, min(255, (coded * 255).rounded())))
    }

    /// The frame of 16-bit red, green and blue as one of bytes in sRGB.
    func applied(to frame: borrowing Frame) throws(FFmpegError) -> Frame {
        let result = try Frame.blank(width: frame.width, height: frame.height, format: AV_PIX_FMT_RGB24)
        guard let from = frame.pointer.pointee.data.0, let to = result.pointer.pointee.data.0 else { return result }
        for y in 0..<frame.height {
            let row = to + y * Int(result.pointer.pointee.linesize.0)
            let source = UnsafeRawPointer(from + y * Int(frame.pointer.pointee.linesize.0))
            source.withMemoryRebound(to: UInt16.self, capacity: frame.width * 3) { coded in
                for x in 0..<frame.width {
                    let at = x * 3
                    let pixel = mapped(
                        light[Int(coded[at] >> 4)], light[Int(coded[at + 1] >> 4)], light[Int(coded[at + 2] >> 4)])
                    (row[at], row[at + 1], row[at + 2]) = pixel
                }
            }
        }
        return result
    }

    /// Writes pixels of red, green and blue light, in which `exposure` makes paper white 1, as bytes in sRGB.
    package func show(_ light: UnsafeBufferPointer<Float>, times exposure: Float, in row: UnsafeMutablePointer<UInt8>) {
        // A value that is not a number becomes 0.
        func at(_ index: Int) -> Float { light[index] > 0 ? min(light[index] * exposure, 65_504) : 0 }
        for pixel in stride(from: 0, to: light.count - 2, by: 3) {
            (row[pixel], row[pixel + 1], row[pixel + 2]) = mapped(at(pixel), at(pixel + 1), at(pixel + 2))
        }
    }

    /// All channels are scaled by the factor of the brightest, which keeps the hue.
    private func mapped(_ red: Float, _ green: Float, _ blue: Float) -> (UInt8, UInt8, UInt8) {
        let (r, g, b) = narrowed(red, green, blue)
        let brightest = max(r, g, b)
        let factor = bends && brightest > 0 ? Self.bent(brightest) / brightest : 1
        return (Self.byte(r * factor), Self.byte(g * factor), Self.byte(b * factor))
    }

    /// The light in sRGB's primaries; colours outside of them are clipped.
    private func narrowed(_ red: Float, _ green: Float, _ blue: Float) -> (Float, Float, Float) {
        guard let matrix else { return (red, green, blue) }
        let r = matrix[0] * red + matrix[1] * green + matrix[2] * blue
        let g = matrix[3] * red + matrix[4] * green + matrix[5] * blue
        let b = matrix[6] * red + matrix[7] * green + matrix[8] * blue
        return (max(0, r), max(0, g), max(0, b))
    }

    private static func byte(_ light: Float) -> UInt8 {
        bytes[Int(max(0, min(1, light)).squareRoot() * 4095)]
    }
}
