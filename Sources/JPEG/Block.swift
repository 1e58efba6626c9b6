/// The lowest frequencies of a block of eight by eight samples, and the few samples they yield.
///
/// An inverse cosine transform of 1, 2 or 4 points instead of 8 (ITU-T T.81, A.3.3, with fewer points).
struct Block {
    /// Four rows of coefficients, from the lowest vertical frequency down, each from the lowest horizontal one.
    private let waves: UnsafeMutablePointer<Float>

    /// Floats that a block needs: its coefficients, and one place where those go that are not needed.
    static let size = 17

    /// An empty block in `waves`, which has room for `size`.
    @inline(__always) init(_ waves: UnsafeMutablePointer<Float>, side: Int) {
        self.waves = waves
        if side == 4 {
            waves.update(repeating: 0, count: 16)
        } else {
            (waves[0], waves[1], waves[4], waves[5]) = (0, 0, 0, 0)
        }
    }

    /// The last coefficient needed, in stored order, by the number of samples a side.
    static let lastNeeded = [0, 0, 4, 0, 24]

    /// Where each coefficient in stored order goes; 16 for those that are not needed, so that storing takes no branch.
    static let slots: [UInt8] =
        [
            0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 16, 13, 10, 7, 16, 16, 16, 11, 14, 16, 16, 16, 16, 16, 15,
        ] + [UInt8](repeating: 16, count: 39)

    /// Stores the coefficient of `slot`.
    @inline(__always) func set(_ slot: UInt8, _ value: Int32) {
        waves[Int(slot)] = Float(value)
    }

    @inline(__always) private func row(_ at: Int) -> SIMD4<Float> {
        SIMD4(waves[at], waves[at + 1], waves[at + 2], waves[at + 3])
    }

    /// Writes `side` by `side` samples.
    @inline(__always) func write(to target: UnsafeMutablePointer<UInt8>, stride: Int, side: Int) {
        switch side {
        case 1: target[0] = UInt8(truncatingIfNeeded: Self.samples(SIMD4(repeating: waves[0] * 0.125)))
        case 2: writeTwo(to: target, stride: stride)
        default: writeFour(to: target, stride: stride)
        }
    }

    @inline(__always) private func writeTwo(to target: UnsafeMutablePointer<UInt8>, stride: Int) {
        let (sumTop, differenceTop) = (waves[0] + waves[1], waves[0] - waves[1])
        let (sumLow, differenceLow) = (waves[4] + waves[5], waves[4] - waves[5])
        let four = SIMD4(
            sumTop + sumLow, differenceTop + differenceLow, sumTop - sumLow, differenceTop - differenceLow)
        let samples = Self.samples(four * 0.125)
        UnsafeMutableRawPointer(target).storeBytes(
            of: UInt16(truncatingIfNeeded: samples).littleEndian, as: UInt16.self)
        UnsafeMutableRawPointer(target + stride).storeBytes(of: UInt16(samples >> 16).littleEndian, as: UInt16.self)
    }

    @inline(__always) private func writeFour(to target: UnsafeMutablePointer<UInt8>, stride: Int) {
        let down = Self.transformed((row(0), row(4), row(8), row(12)))
        let turned = (
            SIMD4(down.0[0], down.1[0], down.2[0], down.3[0]), SIMD4(down.0[1], down.1[1], down.2[1], down.3[1]),
            SIMD4(down.0[2], down.1[2], down.2[2], down.3[2]), SIMD4(down.0[3], down.1[3], down.2[3], down.3[3])
        )
        let columns = Self.transformed(turned)
        for y in 0..<4 {
            let four = SIMD4(columns.0[y], columns.1[y], columns.2[y], columns.3[y])
            UnsafeMutableRawPointer(target + y * stride).storeBytes(
                of: Self.samples(four * 0.5).littleEndian, as: UInt32.self)
        }
    }

    private typealias Four = (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

    /// Transforms four points, by the cosines of an eighth and three eighths of π, divided by the root of two.
    @inline(__always) private static func transformed(_ waves: Four) -> Four {
        let (long, short): (Float, Float) = (0.653_281_5, 0.270_598_05)
        let even = ((waves.0 + waves.2) * 0.5, (waves.0 - waves.2) * 0.5)
        let odd = (waves.1 * long + waves.3 * short, waves.1 * short - waves.3 * long)
        return (even.0 + odd.0, even.1 + odd.1, even.1 - odd.1, even.0 - odd.0)
    }

    /// Four samples, the first in the lowest byte: 0 in the transform is grey, and what is beyond black or white is cut.
    ///
    /// A float from 2²³ on is a whole number, so that adding this rounds, and leaves the number in the lowest bits. The
    /// other part added has halves rounded up, as others do, which would become even.
    @inline(__always) private static func samples(_ values: SIMD4<Float>) -> UInt32 {
        let shifted = values + (128 + 0x1p-12)
        let lit = shifted.replacing(with: 0, where: shifted .< 0)
        let whole = unsafeBitCast(lit.replacing(with: 255, where: lit .> 255) + 0x1p23, to: SIMD4<UInt32>.self)
        return UInt32(littleEndian: unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: whole), to: UInt32.self))
    }
}
