import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// The formats of stored pictures.
@Suite struct ThumbnailFormatTests {
    enum Sample: Sendable {
        case photo, drawing

        var bitmap: Bitmap { self == .photo ? ThumbnailFormatTests.photo : ThumbnailFormatTests.drawing }
    }

    /// Sides that no block divides.
    private static let photo = Scene(seed: 31, width: 321, height: 239, hasGrain: false).bitmap()
    /// Few colours and hard edges, whose colours a JPEG keeps whole.
    private static let drawing: Bitmap = {
        let colours: [[UInt8]] = [[255, 255, 255], [220, 20, 20], [20, 20, 220]]
        var rgb: [UInt8] = []
        for y in 0..<160 {
            for x in 0..<240 { rgb += colours[(x / 24 + y / 16) % 3] }
        }
        return Bitmap(width: 240, height: 160, rgb: rgb)
    }()

    @Test(arguments: ThumbnailFormat.stored, [(Sample.photo, 160), (.photo, 512), (.drawing, 120), (.drawing, 512)])
    func aPictureLooksTheSameInEachFormat(_ format: ThumbnailFormat, _ source: (sample: Sample, size: Int)) throws {
        let picture = source.sample.bitmap
        let file = try PictureWriter.encode(picture, as: .png)
        let media = try Examined.media(file, sizes: [source.size], format: format)
        let thumbnail = try #require(media.thumbnails.first)
        #expect(ThumbnailFormat(bytes: thumbnail.bytes) == format)
        #expect(thumbnail.spec.format == format)
        let expected = picture.resampled(width: thumbnail.width, height: thumbnail.height)
        let shown = try Self.shown(thumbnail)
        let (likeness, distance) = (shown.likeness(to: expected), shown.distance(to: expected))
        #expect(likeness > 0.95)
        #expect(distance < 10)
        #expect(try Examined.media(file, sizes: [source.size]).facts.thumbHash == media.facts.thumbHash)
    }

    @Test(arguments: ThumbnailFormat.stored)
    func aPictureFitsItsBudget(_ format: ThumbnailFormat) throws {
        let file = try PictureWriter.encode(Self.photo, as: .png)
        let sizes = try [200_000, 6_000, 2_000, 300].map { budget in
            let media = try Examined.media(file, sizes: [320], maxBytes: budget, format: format)
            let thumbnail = try #require(media.thumbnails.first)
            #expect(thumbnail.bytes.count <= budget || thumbnail.width <= 16)
            #expect(try Self.shown(thumbnail).width == thumbnail.width)
            return thumbnail.bytes.count
        }
        #expect(sizes == sizes.sorted(by: >))
    }

    /// The pixels of a thumbnail, decoded at full size as any other picture is.
    private static func shown(_ thumbnail: Thumbnail) throws -> Bitmap {
        if thumbnail.spec.format == .jpeg { return try Bitmap(jpeg: thumbnail.bytes) }
        let media = try Examined.media(thumbnail.bytes, sizes: [thumbnail.width], format: .jpeg)
        return try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
    }
}
