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
        ("brightness and colour", AV_PIX_FMT_YUV420P, "jp2"), ("colour in quarters", AV_PIX_FMT_YUV410P, "jp2"),
    ])
    func theSmallPictureIsThatOfTheWholeOne(name: String, format: AVPixelFormat, box: String) throws {
        let media = try Examined.media(try Self.encoded(format, options: [("format", box)]), sizes: [160])
        #expect(media.facts.width == 1024 && media.facts.height == 768)
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.likeness(to: Self.scene.resampled(width: 160, height: 120)) > 0.94, "\(name)")
    }

    @Test func theSmallestStepThatSufficesIsDecoded() throws {
        let bytes = try Self.encoded(AV_PIX_FMT_RGB24)
        let header = try #require(Self.header(bytes))
        #expect(!header.isCinematic)
        #expect([160, 256, 257, 1025].map { header.halvings(for: $0, margin: 1) } == [2, 2, 1, 0])
        let width = try bytes.withUnsafeBufferPointer {
            try JPEG2000Decoder.decoded($0, halvings: 2, maxPixels: 1024 * 768).width
        }
        #expect(width == 256)
    }

    @Test(arguments: [20, 200, 2000])
    func aFileThatIsCutShortIsToldOf(missing: Int) throws {
        let whole = try Self.encoded(AV_PIX_FMT_RGB24, options: [("format", "j2k")])
        #expect(try Examined.failure(Array(whole.dropLast(missing))) != "")
    }

    @Test(arguments: [8, 12, 16])
    func greyOfManyDepthsKeepsItsLight(depth: Int) throws {
        let formats = [8: AV_PIX_FMT_GRAY8, 12: AV_PIX_FMT_GRAY12LE, 16: AV_PIX_FMT_GRAY16LE]
        let target = Scaler.Target(width: 64, height: 64, format: try #require(formats[depth]))
        let grey = Bitmap(width: 64, height: 64, rgb: [UInt8](repeating: 180, count: 64 * 64 * 3))
        let frame = try Scaler.convert(try Frame.copy(of: grey), to: target, flags: Scaler.exact)
        let media = try Examined.media(try Encoder.file(of: frame, by: "libopenjpeg"), sizes: [64])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.rgb.allSatisfy { abs(Int($0) - 180) <= 2 })
    }

    @Test func aPictureOfTooManyPixelsIsRefusedBeforeItIsDecoded() throws {
        let bytes = try Self.encoded(AV_PIX_FMT_RGB24)
        #expect(throws: FFmpegError.tooLarge(1024, 768, limit: 1024 * 768 - 1, "opj_read_header")) {
            _ = try bytes.withUnsafeBufferPointer {
                try JPEG2000Decoder.decoded($0, halvings: 0, maxPixels: 1024 * 768 - 1).width
            }
        }
    }

    /// To three components two without any bits are added, whose packets come last.
    @Test func ofManyComponentsTheColoursAreShown() throws {
        let target = Scaler.Target(width: 128, height: 96, format: AV_PIX_FMT_RGB24)
        let small = Self.scene.resampled(width: 128, height: 96)
        let frame = try Scaler.convert(try Frame.copy(of: small), to: target, flags: Scaler.exact)
        var bytes = try Encoder.file(of: frame, by: "jpeg2000", options: [("format", "j2k"), ("prog", "cprl")])
        let size = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0x51]) })
        bytes[size + 3] += 6
        bytes[size + 39] = 5
        bytes.insert(contentsOf: [7, 1, 1, 7, 1, 1], at: size + 40 + 9)
        // A tile part of unknown length goes on to the end.
        let tile = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0x90]) })
        bytes.replaceSubrange(tile + 6..<tile + 10, with: [0, 0, 0, 0])
        bytes.insert(contentsOf: [UInt8](repeating: 0, count: 2 * 6), at: bytes.count - 2)
        let media = try Examined.media(bytes, as: .jp2, sizes: [128])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.likeness(to: small) > 0.94)
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
