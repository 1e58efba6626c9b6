import MediaModel
import Testing

@testable import Frames
@testable import Media

/// Textures whose pixels are not compressed, with masks that FFmpeg refuses.
@Suite(.serialized) struct DDSTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let flags: Int
        let bits: Int
        let masks: [Int]
        /// The value of a pixel on the left and on the right.
        let values: [Int]
        let shown: [[Int]]

        init(_ fact: String, flags: Int, bits: Int, _ masks: [Int], _ values: [Int], shown: [[Int]]) {
            testDescription = fact
            (self.flags, self.bits, self.masks) = (flags, bits, masks)
            (self.values, self.shown) = (values, shown)
        }
    }

    private static let red = [255, 0, 0]
    private static let blue = [0, 0, 255]
    private static let white = [255, 255, 255]
    /// Colours, colours with alpha, brightness.
    private static let (rgb, rgba, grey) = (0x40, 0x41, 0x2_0000)

    /// A texture of 32 × 16 pixels.
    private static func file(_ row: Row) -> [UInt8] {
        let fields = [124, 0x100F, 16, 32, 0, 0, 1].flatMap { number($0) } + [UInt8](repeating: 0, count: 44)
        let format = number(32) + number(row.flags) + number(0) + (([row.bits] + row.masks).flatMap { number($0) })
        let pixels = (0..<32 * 16).flatMap { number(row.values[$0 % 32 / 16], row.bits / 8) }
        return Array("DDS ".utf8) + fields + format + number(0x1000) + [UInt8](repeating: 0, count: 16) + pixels
    }

    private static func number(_ value: Int, _ width: Int = 4) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    @Test(arguments: [
        Row(
            "blue first", flags: rgb, bits: 24, [0xFF, 0xFF00, 0xFF0000, 0], [0xFF, 0xFF0000], shown: [red, blue]),
        Row(
            "three, three and two bits", flags: rgb, bits: 8, [0xE0, 0x1C, 3, 0], [0xE0, 0x92],
            shown: [red, [146, 146, 170]]),
        Row(
            "four bits for each", flags: rgba, bits: 16, [0xF00, 0xF0, 0xF, 0xF000], [0xFF00, 0xF], shown: [red, white]),
        Row(
            "ten bits for a colour", flags: rgba, bits: 32, [0x3FF, 0xFFC00, 0x3FF0_0000, 0xC000_0000],
            [0xC000_03FF, 0xFFF0_0000], shown: [red, blue]),
        Row(
            "alpha that is empty throughout", flags: rgba, bits: 16, [0xF00, 0xF0, 0xF, 0xF000], [0xF00, 0xF],
            shown: [red, blue]),
        Row(
            "alpha that the flags do not name", flags: rgb, bits: 16, [0xF00, 0xF0, 0xF, 0xF000], [0xFF00, 0xF],
            shown: [red, blue]),
        Row(
            "brightness", flags: grey, bits: 8, [0xFF, 0xFF, 0xFF, 0], [255, 90], shown: [white, [90, 90, 90]]),
        Row(
            "brightness whose mask lies elsewhere", flags: grey, bits: 8, [0xFF00_0000, 0, 0, 0], [255, 90],
            shown: [white, [90, 90, 90]]),
    ])
    func aTextureIsShownByItsMasks(_ row: Row) throws {
        let media = try Examined.media(Self.file(row), as: .dds, sizes: [32])
        #expect(media.facts.width == 32 && media.facts.height == 16)
        #expect(media.facts.notes == [])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        for (x, expected) in zip([4, 28], row.shown) {
            let pixel = shown.pixel(x, 8)
            #expect(zip(pixel, expected).allSatisfy { abs(Int($0) - $1) <= 4 }, "\(x): \(pixel)")
        }
    }

    /// The last byte must be there; a size of pixels, masks for nothing, and a code of an unknown coding.
    @Test(arguments: [0, 1, 2, 3]) func whatIsNoTextureIsRefused(change: Int) throws {
        var file = Self.file(
            Row("", flags: Self.rgb, bits: 24, [0xFF, 0xFF00, 0xFF0000, 0], [0, 0], shown: []))
        switch change {
        case 0: file.removeLast()
        case 1: file.replaceSubrange(88..<92, with: Self.number(12))
        case 2: file.replaceSubrange(92..<104, with: [UInt8](repeating: 0, count: 12))
        default: file.replaceSubrange(80..<88, with: Self.number(0x44) + Array("ZZZZ".utf8))
        }
        #expect(try !Examined.failure(file, as: .dds).isEmpty)
    }

    /// Larger than allowed, though all of its pixels are there.
    @Test func aTextureThatIsTooLargeIsRefused() throws {
        let file = Self.file(
            Row("", flags: Self.rgb, bits: 24, [0xFF, 0xFF00, 0xFF0000, 0], [0, 0], shown: []))
        let reason = try Examined.failure(file, as: .dds, limits: MediaLimits(maxPixels: 32 * 16 - 1))
        #expect(reason.contains("Too large"))
    }
}
