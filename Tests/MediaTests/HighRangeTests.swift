import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// Tone mapping from HDR to the range of a screen.
@Suite struct HighRangeTests {
    /// ST 2084, annex: coded values of known light.
    @Test(arguments: [(Float(0), Float(0)), (0.5081, 100), (0.5806, 203), (0.7518, 1000), (1, 10_000)])
    func aPQValueIsThisBright(value: Float, light: Float) {
        #expect(abs(ToneMap.pq(value) - light) <= light * 0.01 + 0.001)
    }

    /// BT.2408, table 1: paper white is 75 % of the signal.
    @Test func anHLGValueIsThisBright() {
        #expect(ToneMap.hlg(0) == 0)
        #expect(abs(ToneMap.hlg(0.75) - 203) < 2)
        #expect(abs(ToneMap.hlg(1) - 1000) < 2)
    }

    /// ITU-R BT.2087, 2, and SMPTE EG 432-1 with BT.709's primaries.
    @Test(arguments: [
        (
            ColourSpace.bt2020, [1.6605, -0.5876, -0.0728, -0.1246, 1.1329, -0.0083, -0.0182, -0.1006, 1.1187]
        ),
        (.displayP3, [1.2249, -0.2249, 0, -0.0421, 1.0421, 0, -0.0196, -0.0786, 1.0983]),
        (.standard, [1, 0, 0, 0, 1, 0, 0, 0, 1]),
    ])
    func eachPrimariesHaveTheirMatrix(space: ColourSpace, expected: [Double]) {
        #expect(zip(space.toStandard, expected).allSatisfy { abs($0 - $1) < 0.0002 }, "\(space.toStandard)")
    }

    @Test func theBendLeavesTheDarkAsItIsAndKeepsTheOrder() {
        #expect(ToneMap.bent(0.2) == 0.2)
        let steps = stride(from: Float(0), through: 6, by: 0.05).map(ToneMap.bent)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(steps.allSatisfy { $0 <= 1.0001 })
        // Paper white stays bright.
        #expect(ToneMap.bent(1) > 0.7)
    }
}

/// A preview in a few bytes.
@Suite struct ThumbHashTests {
    private static func flat(_ colour: [UInt8], width: Int = 32, height: Int = 24) -> Bitmap {
        Bitmap(width: width, height: height, rgb: (0..<width * height).flatMap { _ in colour })
    }

    /// Its first bytes hold the mean of brightness and colour in 6 bits each.
    @Test(arguments: [([0, 0, 0], 0), ([255, 255, 255], 63), ([128, 128, 128], 32)] as [([UInt8], UInt8)])
    func theMeanComesFirst(colour: [UInt8], light: UInt8) {
        #expect(ThumbHash.bytes(of: Self.flat(colour))[0] & 63 == light)
    }

    @Test(arguments: [(32, 24, true), (24, 32, false), (32, 32, false), (32, 1, true)])
    func itTellsTheShape(width: Int, height: Int, isLandscape: Bool) {
        let hash = ThumbHash.bytes(of: Self.flat([9, 99, 199], width: width, height: height))
        #expect(hash[4] & 0x80 == (isLandscape ? 0x80 : 0))
        #expect((16...26).contains(hash.count))
    }

    @Test func differentPicturesDiffer() {
        let one = Scene(seed: 1, width: 32, height: 24).bitmap()
        let other = Scene(seed: 2, width: 32, height: 24).bitmap()
        #expect(ThumbHash.text(of: one) != ThumbHash.text(of: other))
        #expect(ThumbHash.text(of: one) == ThumbHash.text(of: one))
    }
}
