import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// Range and matrix: colours come out as they went in.
@Suite(.serialized) struct ColourTests {
    /// Red, green, blue, white, grey, black, skin, from left to right.
    private static let colours: [[UInt8]] = [
        [220, 20, 30], [20, 200, 40], [30, 40, 210], [255, 255, 255], [128, 128, 128], [0, 0, 0], [224, 172, 140],
    ]

    private static func patches(width: Int, height: Int) -> Bitmap {
        let row = (0..<width).flatMap { colours[$0 * colours.count / width] }
        return Bitmap(width: width, height: height, rgb: (0..<height).flatMap { _ in row })
    }

    /// The middle of each patch of a thumbnail, against what went in.
    private static func expectColours(in jpeg: [UInt8], within tolerance: Int) throws {
        let picture = try Bitmap(jpeg: jpeg)
        for (index, colour) in colours.enumerated() {
            let middle = (2 * index + 1) * picture.width / (2 * colours.count)
            let found = picture.pixel(middle, picture.height / 2)
            let distance = zip(found, colour).map { abs(Int($0) - Int($1)) }.max() ?? 0
            #expect(distance <= tolerance, "patch \(index) is \(found), was \(colour)")
        }
    }

    @Test(arguments: PictureWriter.Format.allCases)
    func aPictureKeepsItsColours(format: PictureWriter.Format) throws {
        let bytes = try PictureWriter.encode(Self.patches(width: 448, height: 64), as: format)
        let media = try Examined.media(bytes, as: MediaType(format), sizes: [224])
        try Self.expectColours(in: try #require(media.thumbnails.first).bytes, within: 10)
    }

    /// Below 720 rows BT.601 is customary, from there on BT.709; both limited range.
    @Test(arguments: [MovieWriter.Format.mp4, .mov, .webm, .avi, .gif], [64, 720])
    func aVideoKeepsItsColours(format: MovieWriter.Format, height: Int) throws {
        let patches = Self.patches(width: 448, height: height)
        let film = MovieWriter.Film(width: 448, height: height, frames: 2)
        let bytes = try MovieWriter.encode(film, as: format) { _ in patches }
        let media = try Examined.media(bytes, sizes: [height == 64 ? 224 : 448])
        // The palette of the GIF has 8 steps of red and green, 4 of blue.
        try Self.expectColours(in: try #require(media.thumbnails.first).bytes, within: format == .gif ? 44 : 10)
    }

    @Test func alphaLiesOverWhite() throws {
        let red = Bitmap(width: 4, height: 1, rgb: (0..<4).flatMap { _ in [200, 0, 0] as [UInt8] })
        let wide = Bitmap(width: 64, height: 16, rgb: (0..<64 * 16).flatMap { red.pixel($0 % 4, 0) })
        let alpha = (0..<64 * 16).map { [0, 128, 255, 255][$0 % 64 / 16] as UInt8 }
        let media = try Examined.media(try PictureWriter.transparentPNG(wide, alpha: alpha), sizes: [64])
        let picture = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        for (x, expected) in [(4, [255, 255, 255]), (24, [227, 127, 127]), (56, [200, 0, 0])] {
            let found = picture.pixel(x, 8).map(Int.init)
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 8 }, "\(found) at \(x)")
        }
    }

    /// The colour of fully transparent pixels must not affect averages.
    @Test func theColourOfInvisiblePixelsDoesNotBleed() throws {
        let columns = (0..<64).flatMap { $0 % 2 == 0 ? [0, 0, 0] : [255, 255, 255] as [UInt8] }
        let bitmap = Bitmap(width: 64, height: 64, rgb: (0..<64).flatMap { _ in columns })
        let alpha = (0..<64 * 64).map { $0 % 2 == 0 ? 0 : 255 as UInt8 }
        let media = try Examined.media(try PictureWriter.transparentPNG(bitmap, alpha: alpha), sizes: [16])
        let picture = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(picture.rgb.allSatisfy { $0 > 245 })
    }
}
