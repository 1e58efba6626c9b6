import CFFmpeg
import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// Pictures of a few pixels, of one row, and of one column.
@Suite(.serialized) struct SmallPictureTests {
    private static let colours: [[UInt8]] = [
        [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [255, 0, 255], [0, 255, 255], [255, 255, 255], [0, 0, 0],
    ]

    /// Each pixel of another colour than its neighbours.
    private static func pattern(width: Int, height: Int) -> Bitmap {
        let rgb = (0..<width * height).flatMap { colours[($0 % width + $0 / width * 3) % colours.count] }
        return Bitmap(width: width, height: height, rgb: rgb)
    }

    /// A thumbnail's own frame.
    private static func frame(of jpeg: [UInt8]) throws -> Frame {
        try PhotoReader.decoded(try Packet.copy(of: jpeg), by: "mjpeg", options: Decoder.Options(maxPixels: 1 << 20))
    }

    /// Its pixels with all of their colours.
    private static func pixels(of jpeg: [UInt8]) throws -> Bitmap {
        let frame = try frame(of: jpeg)
        let target = Scaler.Target(width: frame.width, height: frame.height, format: AV_PIX_FMT_RGB24)
        return try Scaler.convert(frame, to: target, flags: Scaler.exact).rgbBitmap
    }

    /// As large as the picture: colours of half the size would run into each other.
    @Test(
        arguments: [(1, 1), (2, 1), (1, 2), (8, 1), (1, 8), (2, 2), (3, 3), (8, 8), (15, 3), (64, 64)],
        [PictureWriter.Format.png, .bmp, .tiff])
    func eachPixelKeepsItsColour(size: (width: Int, height: Int), format: PictureWriter.Format) throws {
        let pattern = Self.pattern(width: size.width, height: size.height)
        let media = try Examined.media(try PictureWriter.encode(pattern, as: format), sizes: [64])
        #expect(media.facts.width == size.width && media.facts.height == size.height)
        let shown = try Self.pixels(of: try #require(media.thumbnails.first).bytes)
        #expect(shown.width == size.width && shown.height == size.height)
        #expect(shown.distance(to: pattern) < 12, "\(shown.distance(to: pattern))")
    }

    /// Noise is no drawing: where it has more than 4,096 pixels, its colours have half the size.
    @Test(arguments: [(64, 64, true), (65, 64, false), (4096, 1, true), (4097, 1, false)])
    func coloursOfPhotosHaveHalfTheSize(width: Int, height: Int, areWhole: Bool) throws {
        var dice = BadFileTests.SystemDice(state: 5)
        let noise = Bitmap(
            width: width, height: height,
            rgb: (0..<width * height * 3).map { _ in .random(in: 0...255, using: &dice) })
        let media = try Examined.media(try PictureWriter.encode(noise, as: .png), sizes: [5000], maxBytes: 1 << 20)
        let frame = try Self.frame(of: try #require(media.thumbnails.first).bytes)
        #expect(frame.format == (areWhole ? AV_PIX_FMT_YUVJ444P : AV_PIX_FMT_YUVJ420P))
    }

    /// A row or a column of up to 30,000 pixels never gets thinner than one.
    @Test(arguments: [
        (30_000, 1, 128, 1), (1, 30_000, 1, 128), (30_000, 100, 128, 1), (129, 1, 128, 1), (128, 1, 128, 1),
        (1000, 4, 128, 1), (1000, 12, 128, 2), (12, 1000, 2, 128),
    ])
    func aLongPictureIsNeverThinnerThanAPixel(width: Int, height: Int, shownWidth: Int, shownHeight: Int) throws {
        let flat = Bitmap(
            width: width, height: height, rgb: (0..<width * height).flatMap { _ in [200, 60, 40] as [UInt8] })
        for format in [PictureWriter.Format.png, .bmp, .tiff] {
            let media = try Examined.media(try PictureWriter.encode(flat, as: format), sizes: [128])
            let thumbnail = try #require(media.thumbnails.first)
            #expect(thumbnail.width == shownWidth && thumbnail.height == shownHeight, "\(format): \(thumbnail.width)")
            let shown = try Bitmap(jpeg: thumbnail.bytes)
            #expect(shown.width == shownWidth && shown.height == shownHeight, "\(format)")
            let pixel = shown.pixel(shownWidth / 2, shownHeight / 2)
            #expect(zip(pixel, [200, 60, 40]).allSatisfy { abs(Int($0) - $1) <= 5 }, "\(format): \(pixel)")
        }
    }

    /// A turned row is a column.
    @Test(arguments: 1...8) func aRowIsTurned(number: Int) throws {
        let orientation = try #require(Orientation(exif: number))
        let row = Bitmap(width: 16, height: 1, rgb: (0..<16).flatMap { [UInt8](repeating: UInt8($0 * 17), count: 3) })
        let jpeg = ExifSegment(orientation: number).inserted(into: try PictureWriter.encode(row, as: .jpeg))
        let shown = try Bitmap(jpeg: try #require(try Examined.media(jpeg).thumbnails.first).bytes)
        let expected = row.turned(orientation)
        #expect(shown.width == expected.width && shown.height == expected.height)
        #expect(shown.distance(to: expected) < 6)
    }
}
