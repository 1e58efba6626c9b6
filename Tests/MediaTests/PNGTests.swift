import CFFmpeg
import MediaModel
import Testing

@testable import Media

/// PNGs as programs write them, and as disks leave them.
@Suite(.serialized) struct PNGTests {
    private static let scene = Scene(seed: 21, width: 640, height: 480, hasGrain: false).bitmap()

    private static func encoded(_ format: AVPixelFormat, options: [(String, String)] = []) throws -> [UInt8] {
        let target = Scaler.Target(width: scene.width, height: scene.height, format: format)
        let frame = try Scaler.convert(try Frame.copy(of: scene), to: target, flags: Scaler.exact)
        return try PictureWriter.encode(frame, by: "png", options: options)
    }

    @Test(arguments: [
        ("bytes", AV_PIX_FMT_RGB24, false), ("16 bits", AV_PIX_FMT_RGB48BE, false),
        ("interlaced", AV_PIX_FMT_RGB24, true),
        ("opaque, with alpha", AV_PIX_FMT_RGBA, false), ("interlaced, 16 bits with alpha", AV_PIX_FMT_RGBA64BE, true),
    ])
    func everyKindOfSamplesLooksTheSame(name: String, format: AVPixelFormat, isInterlaced: Bool) throws {
        let bytes = try Self.encoded(format, options: isInterlaced ? [("flags", "+ildct")] : [])
        #expect(bytes[28] == (isInterlaced ? 1 : 0))
        let media = try Examined.media(bytes, sizes: [160])
        #expect(media.facts.width == 640 && media.facts.height == 480)
        #expect(media.facts.background == nil)
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.likeness(to: Self.scene.resampled(width: 160, height: 120)) > 0.97, "\(name)")
    }

    @Test(arguments: [false, true], [0.4, 0.8])
    func onesThatAreCutShortShowWhatIsThere(isInterlaced: Bool, share: Double) throws {
        let whole = try Self.encoded(AV_PIX_FMT_RGB24, options: isInterlaced ? [("flags", "+ildct")] : [])
        let media = try Examined.media(Array(whole.prefix(Int(Double(whole.count) * share))))
        #expect(media.thumbnails.count == 1)
        #expect(media.facts.notes.contains { $0.hasPrefix("Damaged") })
    }

    @Test func oneThatIsTooLargeIsRefusedBeforeMemoryIsAskedFor() throws {
        let limits = MediaLimits(maxPixels: 640 * 480 - 1)
        #expect(try Examined.failure(try Self.encoded(AV_PIX_FMT_RGB24), limits: limits).contains("too large"))
    }
}
