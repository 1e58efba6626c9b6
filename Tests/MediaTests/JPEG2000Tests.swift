import CFFmpeg
import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// JPEG 2000, which is stored in steps of half the size.
@Suite(.serialized) struct JPEG2000Tests {
    private static let scene = Scene(seed: 23, width: 1024, height: 768, hasGrain: false).bitmap()

    private static func encoded(_ format: AVPixelFormat, options: [(String, String)] = []) throws -> [UInt8] {
        let target = Scaler.Target(width: scene.width, height: scene.height, format: format)
        let frame = try Scaler.convert(try Frame.copy(of: scene), to: target, flags: Scaler.exact)
        return try Encoder.file(of: frame, by: "jpeg2000", options: options)
    }

    private static func header(_ bytes: [UInt8]) -> JPEG2000Header? {
        bytes.withUnsafeBufferPointer { JPEG2000Header($0) }
    }

    @Test(arguments: [
        ("colours", AV_PIX_FMT_RGB24, "jp2"), ("without boxes", AV_PIX_FMT_RGB24, "j2k"),
        ("brightness and colour", AV_PIX_FMT_YUV420P, "jp2"),
    ])
    func theSmallPictureIsThatOfTheWholeOne(name: String, format: AVPixelFormat, box: String) throws {
        let media = try Examined.media(try Self.encoded(format, options: [("format", box)]), sizes: [160])
        #expect(media.facts.width == 1024 && media.facts.height == 768)
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.likeness(to: Self.scene.resampled(width: 160, height: 120)) > 0.94, "\(name)")
    }

    @Test func theHeaderTellsWhichDecoderSuits() throws {
        let plain = try #require(Self.header(try Self.encoded(AV_PIX_FMT_RGB24)))
        #expect(plain.isPlain && !plain.isHighThroughput)
        #expect(plain.halvings(for: 160, margin: 1.4) == 2)
        let subsampled = try #require(Self.header(try Self.encoded(AV_PIX_FMT_YUV420P)))
        #expect(!subsampled.isPlain)
    }

    @Test func aPaletteIsNotHalved() throws {
        var bytes = try Self.encoded(AV_PIX_FMT_RGB24)
        let start = try #require(bytes.firstIndex(of: 0xFF))
        bytes.insert(contentsOf: Array("pclr".utf8), at: start)
        #expect(Self.header(bytes)?.mostHalvings == 0)
    }

    @Test(arguments: [0, 1, 60, 100])
    func aHeaderThatIsCutShortIsNone(count: Int) throws {
        let whole = try Self.encoded(AV_PIX_FMT_RGB24, options: [("format", "j2k")])
        #expect(Self.header(Array(whole.prefix(count))) == nil || count == 100)
    }
}
