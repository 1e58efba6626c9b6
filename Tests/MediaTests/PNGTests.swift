import CFFmpeg
import MediaModel
import Platform
import Testing

@testable import Facts
@testable import Frames
@testable import Media
@testable import MediaMaking

/// PNGs as programs write them, and as disks leave them.
@Suite(.serialized) struct PNGTests {
    private static let scene = Scene(seed: 21, width: 640, height: 480, hasGrain: false).bitmap()

    private static func encoded(_ format: AVPixelFormat, options: [(String, String)] = []) throws -> [UInt8] {
        let target = Scaler.Target(width: scene.width, height: scene.height, format: format)
        let frame = try Scaler.convert(try Frame.copy(of: scene), to: target, flags: Scaler.exact)
        return try Encoder.file(of: frame, by: "png", options: options)
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

    /// So large for a chunk of a program's own that it is read in parts.
    private static func large(_ png: [UInt8]) -> [UInt8] {
        let chunk = MarkedPicture.inserting("prIv", [], into: png)[33..<45]
        let content = [UInt8](repeating: 0, count: Int(PNGOutline.wholeLimit))
        return png[..<33] + MarkedPicture.bigEndian(content.count) + chunk.dropFirst(4).prefix(4) + content
            + chunk.suffix(4) + png[33...]
    }

    @Test(arguments: [AV_PIX_FMT_RGB24, AV_PIX_FMT_RGBA64BE], [false, true])
    func aLargeOneIsReadInParts(format: AVPixelFormat, isInterlaced: Bool) throws {
        let small = try Self.encoded(format, options: isInterlaced ? [("flags", "+ildct")] : [])
        let exif = ExifSegment(orientation: 6).tiff
        let marked = MarkedPicture.inserting("eXIf", exif, into: small, at: small.count - 12)
        let file = try Examined.file(Self.large(marked))
        let outline = try PNGOutline.read(file.descriptor)
        #expect(outline.count < Int(PNGOutline.wholeLimit) + 1000)
        let (first, second) = (try Examined.media(marked), try Examined.media(Self.large(marked)))
        #expect(first.thumbnails.first?.bytes == second.thumbnails.first?.bytes)
        #expect(second.facts.rotation == 90 && second.facts.notes == [])
        let cut = try Examined.media(Self.large(marked).dropLast(small.count / 2))
        #expect(cut.facts.notes.contains { $0.hasPrefix("Damaged") } && cut.thumbnails.count == 1)
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
        #expect(try Examined.failure(try Self.encoded(AV_PIX_FMT_RGB24), limits: limits).contains("Too large"))
    }

    /// At some sizes swscale made red, green and blue brighter.
    @Test(arguments: [("png", 480), ("png", 160), ("bmp", 480)], [[210, 60, 40], [30, 40, 200]] as [[UInt8]])
    func aColourStaysWhatItIs(row: (encoder: String, size: Int), colour: [UInt8]) throws {
        let flat = Bitmap(width: 640, height: 480, rgb: (0..<640 * 480).flatMap { _ in colour })
        let target = Scaler.Target(
            width: 640, height: 480, format: row.encoder == "bmp" ? AV_PIX_FMT_BGR24 : AV_PIX_FMT_RGB24)
        let frame = try Scaler.convert(try Frame.copy(of: flat), to: target, flags: Scaler.exact)
        let media = try Examined.media(try Encoder.file(of: frame, by: row.encoder), sizes: [row.size])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes).pixel(80, 60)
        #expect(zip(shown, colour).allSatisfy { abs(Int($0) - Int($1)) <= 3 }, "\(shown)")
    }

    @Test(arguments: [8, 16], [false, true])
    func aScaledFrameKeepsItsColour(bits: Int, isQuick: Bool) throws {
        let format = bits == 8 ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_RGB48LE
        let flat = Bitmap(width: 640, height: 480, rgb: (0..<640 * 480).flatMap { _ in [210, 60, 40] as [UInt8] })
        let whole = try Scaler.convert(
            try Frame.copy(of: flat), to: Scaler.Target(width: 640, height: 480, format: format), flags: Scaler.exact)
        let small = try Scaler.bitmap(from: whole, width: 480, height: 360, quality: isQuick ? .quick : .best)
        #expect(
            zip(small.pixel(80, 60), [210, 60, 40]).allSatisfy { abs(Int($0) - $1) <= 3 }, "\(small.pixel(80, 60))")
    }

    @Test(arguments: [AV_PIX_FMT_RGB24, AV_PIX_FMT_RGB48BE, AV_PIX_FMT_RGBA, AV_PIX_FMT_GRAY8], [false, true])
    func whatIsWholeIsUnpackedAtOnce(format: AVPixelFormat, isInterlaced: Bool) throws {
        let whole = try Self.encoded(format, options: isInterlaced ? [("flags", "+ildct")] : [])
        let damaged = whole.indices.map { $0 == whole.count / 2 ? ~whole[$0] : whole[$0] }
        for (bytes, isUnpacked) in [(whole, true), (damaged, false), (Array(whole.dropLast(40)), false)] {
            bytes.withUnsafeBufferPointer { bytes in
                let pixels = UnpackedPNG(bytes, maxPixels: 640 * 480)
                #expect((pixels != nil) == isUnpacked)
            }
        }
    }

    /// FFmpeg does not blend such frames: it would show the one below, of which nothing is to be seen.
    @Test func anAnimationOfDeepColoursShowsItsStillPicture() throws {
        let nothing = try Frame.blank(width: 640, height: 480, format: AV_PIX_FMT_RGBA64BE)
        for y in 0..<480 {
            let row = try #require(nothing.pointer.pointee.data.0) + y * Int(nothing.pointer.pointee.linesize.0)
            row.update(repeating: 0, count: 640 * 8)
        }
        let pixels = try Encoder.file(of: nothing, by: "png", options: []).withUnsafeBufferPointer { file in
            PNGChunks(file).filter { $0.isNamed("IDAT") }.flatMap { Array(file[$0.content]) }
        }
        // Of the whole size, for a tenth of a second, over what was there (PNG 3rd edition, 11.3.6).
        let control = [0, 640, 480, 0, 0].flatMap(MarkedPicture.bigEndian) + [0, 1, 0, 10, 0, 1]
        var bytes = MarkedPicture.inserting(
            "acTL", [0, 0, 0, 1, 0, 0, 0, 0], into: try Self.encoded(AV_PIX_FMT_RGBA64BE))
        for (name, content) in [("fcTL", control), ("fdAT", [0, 0, 0, 1] + pixels)] {
            bytes = MarkedPicture.inserting(name, content, into: bytes, at: bytes.count - 12)
        }
        let media = try Examined.media(bytes, sizes: [160])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.likeness(to: Self.scene.resampled(width: 160, height: 120)) > 0.97)
        #expect(media.facts.notes == [])
    }

    @Test func pixelsInManyChunksAreThoseOfOne() throws {
        let many = try Self.encoded(AV_PIX_FMT_RGB24)
        var (one, pixels, parts, offset) = (Array(many[..<8]), [UInt8](), 0, 8)
        func length(_ count: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } }
        while offset + 12 <= many.count {
            let content = many[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            if many[(offset + 4)...].starts(with: "IDAT".utf8) {
                pixels += many[offset + 8..<offset + 8 + content]
                parts += 1
            } else {
                if !pixels.isEmpty { one += length(pixels.count) + Array("IDAT".utf8) + pixels + length(0) }
                pixels = []
                one += many[offset..<offset + 12 + content]
            }
            offset += 12 + content
        }
        #expect(parts > 1)
        let (first, second) = (try Examined.media(many, sizes: [160]), try Examined.media(one, sizes: [160]))
        #expect(first.thumbnails.first?.bytes == second.thumbnails.first?.bytes)
        #expect(first.facts.notes == [] && second.facts.notes == [])
    }
}
