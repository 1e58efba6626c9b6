import MediaModel
import Testing

@testable import Frames
@testable import Media

/// Bitmaps and icons of OS/2, by themselves and in arrays.
@Suite(.serialized) struct OS2Tests {
    /// One picture: its mark, its pixels by rows from the lowest, each a number of its palette.
    private struct Part {
        var mark: String
        var isLong = false
        var bits = 4
        var side = (width: 16, height: 16)
        /// Red, green and blue of the first colours.
        var palette: [[UInt8]]
        var pixel: (_ x: Int, _ y: Int) -> Int

        var pixels: [UInt8] {
            let stride = (side.width * bits + 31) / 32 * 4
            return (0..<side.height).flatMap { y in
                var row = [UInt8](repeating: 0, count: stride)
                for x in 0..<side.width { row[x * bits / 8] |= UInt8(pixel(x, y)) << UInt8(8 - bits - x * bits % 8) }
                return row
            }
        }

        func head(pixelsAt start: Int) -> [UInt8] {
            let colours = (0..<1 << bits).flatMap { index in
                (palette.indices.contains(index) ? palette[index] : [0, 0, 0]).reversed() + (isLong ? [0] : [])
            }
            let sides = [side.width, side.height].flatMap { OS2Tests.number($0, isLong ? 4 : 2) }
            let file = Array(mark.utf8) + OS2Tests.number(0, 4) + OS2Tests.number(0, 4) + OS2Tests.number(start, 4)
            let info = OS2Tests.number(isLong ? 64 : 12, 4) + sides + OS2Tests.number(1, 2) + OS2Tests.number(bits, 2)
            return file + info + [UInt8](repeating: 0, count: isLong ? 48 : 0) + colours
        }
    }

    private static func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A file of pictures, each of one part or, masked, of two; in an array where there are several.
    private static func file(_ pictures: [[Part]], isArray: Bool) -> [UInt8] {
        let heads = pictures.map { $0.reduce(isArray ? 14 : 0) { $0 + $1.head(pixelsAt: 0).count } }
        var pixels = heads.reduce(0, +)
        var file: [UInt8] = []
        for (index, parts) in pictures.enumerated() {
            let next = index + 1 < pictures.count ? file.count + heads[index] : 0
            if isArray { file += Array("BA".utf8) + number(40, 4) + number(next, 4) + number(0, 4) }
            for part in parts {
                file += part.head(pixelsAt: pixels)
                pixels += part.pixels.count
            }
        }
        return file + pictures.joined().flatMap(\.pixels)
    }

    /// Hides the left half; the lower half of its rows is the picture of an icon of two colours.
    private static func mask(_ mark: String, side: Int, isLong: Bool = false) -> Part {
        Part(
            mark: mark, isLong: isLong, bits: 1, side: (side, side * 2), palette: [[0, 0, 0], [255, 255, 255]],
            pixel: { x, y in y >= side ? (x < side / 2 ? 1 : 0) : (y < side / 2 ? 1 : 0) })
    }

    /// Green above, red below.
    private static func colours(_ mark: String, side: Int, isLong: Bool = false, bits: Int = 4) -> Part {
        Part(
            mark: mark, isLong: isLong, bits: bits, side: (side, side), palette: [[0, 255, 0], [255, 0, 0]],
            pixel: { _, y in y < side / 2 ? 1 : 0 })
    }

    private static func shown(_ file: [UInt8], as type: MediaType) throws -> Bitmap {
        try Bitmap(jpeg: try #require(try Examined.media(file, as: type, sizes: [32]).thumbnails.first).bytes)
    }

    @Test(arguments: [false, true], [false, true]) func anIconOfColoursIsMasked(isArray: Bool, isLong: Bool) throws {
        let icon = [Self.mask("CI", side: 16, isLong: isLong), Self.colours("CI", side: 16, isLong: isLong)]
        let shown = try Self.shown(Self.file([icon], isArray: isArray), as: .icon)
        #expect(shown.width == 16 && shown.height == 16)
        #expect(shown.pixel(3, 3).allSatisfy { $0 > 240 } && shown.pixel(3, 12).allSatisfy { $0 > 240 })
        let (green, red) = (shown.pixel(13, 3), shown.pixel(13, 12))
        #expect(green[1] > 200 && green[0] < 60 && red[0] > 200 && red[1] < 60, "\(green) \(red)")
    }

    @Test func anIconOfTwoColoursIsTheLowerHalfOfItsMask() throws {
        let shown = try Self.shown(Self.file([[Self.mask("IC", side: 16)]], isArray: false), as: .icon)
        #expect(shown.width == 16 && shown.height == 16)
        #expect(shown.pixel(3, 3).allSatisfy { $0 > 240 } && shown.pixel(13, 3).allSatisfy { $0 < 20 })
        #expect(shown.pixel(13, 12).allSatisfy { $0 > 240 })
    }

    @Test func theWidestPictureOfAnArrayIsShown() throws {
        let small = [Self.mask("CI", side: 16), Self.colours("CI", side: 16, bits: 8)]
        let large = [Self.mask("CI", side: 32), Self.colours("CI", side: 32)]
        let shown = try Self.shown(Self.file([small, large, small], isArray: true), as: .icon)
        #expect(shown.width == 32)
    }

    @Test(arguments: [false, true]) func aBitmapMayBeInAnArray(isLong: Bool) throws {
        let file = Self.file([[Self.colours("BM", side: 16, isLong: isLong)]], isArray: true)
        #expect(MediaIdentity(header: file, fileExtension: Array("bmp".utf8))?.note == nil)
        let shown = try Self.shown(file, as: .bmp)
        #expect(shown.pixel(8, 3)[1] > 200 && shown.pixel(8, 12)[0] > 200)
    }

    /// A place before the picture would lead round in circles.
    @Test func anArrayThatPointsBackEnds() throws {
        var file = Self.file([[Self.mask("CI", side: 16), Self.colours("CI", side: 16)]], isArray: true)
        file[6] = 0
        #expect(try Self.shown(file, as: .icon).width == 16)
        file.replaceSubrange(6..<10, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try Self.shown(file, as: .icon).width == 16)
    }

    @Test(arguments: [true, false]) func aCutIconIsHarmless(isArray: Bool) throws {
        let whole = Self.file([[Self.mask("CI", side: 16), Self.colours("CI", side: 16)]], isArray: isArray)
        for count in stride(from: 20, to: whole.count, by: 7) {
            _ = try Examined.answer(Array(whole.prefix(count)), as: .icon)
        }
    }
}
