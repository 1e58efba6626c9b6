import MediaModel
import Testing

@testable import Frames
@testable import JPEG
@testable import MediaMaking

/// The shrinking JPEG decoder, compared with FFmpeg's at the same size or at full size.
@Suite(.serialized) struct ShrinkingDecoderTests {
    private static let scene = Scene(seed: 9, width: 333, height: 251, hasGrain: false).bitmap()

    private static func jpeg(_ sampling: PictureWriter.Sampling = .half, hasOwnCodes: Bool = true) throws -> [UInt8] {
        try PictureWriter.jpeg(scene, sampling: sampling, hasOwnCodes: hasOwnCodes)
    }

    private static func small(_ jpeg: [UInt8], halvings: Int, maxPixels: Int = 1 << 20) throws -> Bitmap? {
        try jpeg.withUnsafeBufferPointer { bytes throws -> Bitmap? in
            guard let decoder = ShrinkingDecoder(bytes, halvings: halvings, maxPixels: maxPixels),
                let frame = try decoder.frame()
            else { return nil }
            return try Scaler.bitmap(from: frame, width: frame.width, height: frame.height)
        }
    }

    /// Fewer points of the transform are a sharper filter than an average, which hard edges show: 0.85 and not 1;
    /// a plane or block in the wrong place is under 0.5.
    @Test(arguments: PictureWriter.Sampling.allCases, 1...3)
    func aSmallPictureLooksLikeTheWholeOne(sampling: PictureWriter.Sampling, halvings: Int) throws {
        for hasOwnCodes in [true, false] {
            let jpeg = try Self.jpeg(sampling, hasOwnCodes: hasOwnCodes)
            let small = try #require(try Self.small(jpeg, halvings: halvings))
            let scale = 1 << halvings
            #expect(small.width == (333 + scale - 1) / scale)
            #expect(small.height == (251 + scale - 1) / scale)
            let whole = Self.scene.averaged(width: small.width, height: small.height)
            #expect(small.likeness(to: whole) > 0.85, "1/\(scale)")
            #expect(small.distance(to: whole) < 8)
        }
    }

    /// Whatever byte changes, and wherever the file ends, there is a picture or an error, never a trap.
    @Test(arguments: 0..<6)
    func damageIsHarmless(seed: Int) throws {
        var dice = BadFileTests.SystemDice(state: UInt64(seed))
        let whole = try Self.jpeg()
        for halvings in 1...3 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &dice) {
                bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: .min ... .max, using: &dice)
            }
            _ = try Self.small(bytes, halvings: halvings)
            _ = try Self.small(Array(whole.prefix(Int.random(in: 0..<whole.count, using: &dice))), halvings: halvings)
        }
    }

    @Test func aPictureThatEndsEarlyIsLeftToTheOtherDecoder() throws {
        let whole = try Self.jpeg()
        #expect(try Self.small(Array(whole.prefix(whole.count * 9 / 10)), halvings: 2) == nil)
    }

    @Test func aHugePictureIsRefused() throws {
        let jpeg = try Self.jpeg()
        #expect(try Self.small(jpeg, halvings: 2, maxPixels: 333 * 251) != nil)
        #expect(try Self.small(jpeg, halvings: 2, maxPixels: 333 * 251 - 1) == nil)
    }

    /// Canonical codes of T.81, K.3.3.1: two symbols of two bits, then one of each length.
    @Test func aCodeIsFoundWhateverItsLength() throws {
        let counts: [UInt8] = [0, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
        let symbols = (0..<16).map { UInt8($0) }
        let codes = try #require(JPEGCodes(counts: counts, symbols: symbols))
        // 00, 01, 100, 1010, 10110 …: one, zero, ones, zero.
        #expect(codes.short[0].symbol == 0 && codes.short[0].length == 2)
        #expect(codes.short[0b01_0000_0000].symbol == 1)
        #expect(codes.short[0b100_0000_000].symbol == 2)
        #expect(codes.short[0b1011_1111_10].symbol == 9)
        #expect(codes.longEntry(0b1011_1111_1100_0000)?.symbol == 10)
        #expect(codes.longEntry(0b1011_1111_1111_1110)?.symbol == 15)
        #expect(codes.longEntry(0b1011_1111_1111_1111) == nil)
    }

    @Test(arguments: [
        ([UInt8](repeating: 0, count: 16), [UInt8(1)]), ([3] + [UInt8](repeating: 0, count: 15), [1, 2, 3]),
        ([1], [1]),
    ])
    func codesThatDoNotFitAreRefused(counts: [UInt8], symbols: [UInt8]) {
        #expect(JPEGCodes(counts: counts, symbols: symbols) == nil)
    }
}
