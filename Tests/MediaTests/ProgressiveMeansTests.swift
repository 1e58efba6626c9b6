import CFFmpeg
import Testing

@testable import Frames
@testable import JPEG

/// The means of a progressive JPEG's blocks, against a file whose means are known.
@Suite struct ProgressiveMeansTests {
    /// Of 24 by 16 pixels and one component, six blocks in two rows; the quantizer is 8, so a mean of 1 is one step.
    private static let means: [Int] = [-100, -60, 3, 5, 60, 101]

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }

    /// Bits of text, filled up with ones; T.81, B.1.1.5 has a zero after each byte of ones.
    private static func coded(_ bits: String) -> [UInt8] {
        let whole = bits + String(repeating: "1", count: (8 - bits.count % 8) % 8)
        let digits = Array(whole.utf8)
        return stride(from: 0, to: digits.count, by: 8).flatMap { start -> [UInt8] in
            let byte = digits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 - 0x30) }
            return byte == 0xFF ? [0xFF, 0] : [byte]
        }
    }

    private static func binary(_ value: Int, _ width: Int) -> String {
        (0..<width).reversed().map { value >> $0 & 1 == 1 ? "1" : "0" }.joined()
    }

    /// A difference by its size in four bits, and its bits (T.81, F.1.2.1).
    private static func difference(_ value: Int) -> String {
        let size = Int.bitWidth - abs(value).leadingZeroBitCount
        return binary(size, 4) + binary(value < 0 ? value + (1 << size) - 1 : value, size)
    }

    /// The higher bits in a first scan, then a scan of detail that is none of ours, then the last bit.
    private static func file(quantizer: UInt8 = 8) -> [UInt8] {
        let codes: [UInt8] = [0, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + (0...11)
        var last = 0
        let first = means.map { mean in
            defer { last = mean >> 1 }
            return difference((mean >> 1) - last)
        }
        let refinement = means.map { $0 & 1 == 1 ? "1" : "0" }.joined()
        return [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: quantizer, count: 64))
            + segment(0xC2, [8, 0, 16, 0, 24, 1, 1, 0x11, 0]) + segment(0xC4, codes)
            + segment(0xDA, [1, 1, 0, 0, 0, 1]) + coded(first.joined())
            + segment(0xDA, [1, 1, 0, 1, 63, 0]) + [0x12, 0xFF, 0, 0x34]
            + segment(0xDA, [1, 1, 0, 0, 0, 0x10]) + coded(refinement) + [0xFF, 0xD9]
    }

    private static func samples(_ bytes: [UInt8], maxPixels: Int = 1 << 20) throws -> [UInt8]? {
        try bytes.withUnsafeBufferPointer { bytes throws -> [UInt8]? in
            let decoder = ProgressiveDecoder(bytes, halvings: 3, maxPixels: maxPixels)
            guard let frame = try decoder?.frame(), let data = frame.pointer.pointee.data.0 else { return nil }
            return (0..<frame.height).flatMap { y in
                (0..<frame.width).map { data[y * Int(frame.pointer.pointee.linesize.0) + $0] }
            }
        }
    }

    @Test func eachBlockBecomesItsMean() throws {
        #expect(try Self.samples(Self.file()) == Self.means.map { UInt8(128 + $0) })
    }

    @Test func aMeanBeyondBlackAndWhiteIsCut() throws {
        #expect(try Self.samples(Self.file(quantizer: 16)) == [0, 8, 134, 138, 248, 255])
    }

    @Test func aHugePictureIsRefused() throws {
        #expect(try Self.samples(Self.file(), maxPixels: 24 * 16) != nil)
        #expect(try Self.samples(Self.file(), maxPixels: 24 * 16 - 1) == nil)
    }

    @Test func aFileThatEndsEarlyIsLeftToAnotherDecoder() throws {
        let whole = Self.file()
        for count in 0..<whole.count - 1 { #expect(try Self.samples(Array(whole.prefix(count))) == nil) }
    }

    @Test func aScanOfNoComponentIsLeftToAnotherDecoder() throws {
        let whole = Self.file()
        let end = whole.count - 2
        let empty = Self.segment(0xDA, [0, 0, 0, 0])
        #expect(try Self.samples(whole[..<end] + empty + [0] + whole[end...]) == nil)
    }

    @Test func damageIsHarmless() throws {
        var dice = BadFileTests.SystemDice(state: 5)
        for _ in 0..<500 {
            var bytes = Self.file()
            for _ in 0..<4 { bytes[Int.random(in: 2..<bytes.count, using: &dice)] = .random(in: 0...255, using: &dice) }
            _ = try Self.samples(bytes)
        }
    }
}
