import CFFmpeg
import FoundationEssentials
import MediaModel
import Testing

@testable import Frames
@testable import JPEG
@testable import Media
@testable import MediaMaking

/// Files that FFmpeg's decoder of their format refuses.
@Suite(.serialized) struct SecondDecoderTests {
    private static func colours(of bytes: [UInt8]) throws -> (top: [Int], bottom: [Int]) {
        try bytes.withUnsafeBufferPointer { bytes in
            let picture = try #require(BMPPicture(bytes))
            guard let frame = try picture.frame(maxPixels: 4) else { throw Examined.Unreadable(reason: "no row") }
            let bitmap = try Scaler.bitmap(from: frame, width: 2, height: 2)
            return (bitmap.pixel(1, 0).map(Int.init), bitmap.pixel(1, 1).map(Int.init))
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let file: BMPFile
        let top: [Int]
        let bottom: [Int]
    }

    @Test(arguments: [
        Row(
            testDescription: "ten bits a colour",
            file: BMPFile(
                masks: [0x3FF0_0000, 0xFFC00, 0x3FF],
                rows: [[0xFF, 3, 0, 0, 0xFF, 3, 0, 0], [0, 0, 0xF0, 0x3F, 0, 0, 0xF0, 0x3F]]),
            top: [254, 0, 0], bottom: [0, 0, 254]),
        Row(
            testDescription: "bytes in another order, from the top",
            file: BMPFile(
                masks: [0xFF00_0000, 0xFF0000, 0xFF00], isTopDown: true,
                rows: [[0, 0, 0, 255, 0, 0, 0, 255], [0, 255, 0, 0, 0, 255, 0, 0]]),
            top: [254, 0, 0], bottom: [0, 0, 254]),
        Row(
            testDescription: "sixteen bits of odd shares",
            file: BMPFile(bits: 16, masks: [0x30, 0xE, 1], rows: [[0x3F, 0, 0x3F, 0], [0, 0, 0, 0]]),
            top: [0, 0, 0], bottom: [255, 255, 255]),
        Row(
            testDescription: "a header of a length of its own",
            file: BMPFile(bits: 24, headLength: 66, rows: [[255, 0, 0, 255, 0, 0], [0, 0, 255, 0, 0, 255]]),
            top: [254, 0, 0], bottom: [0, 0, 254]),
        Row(
            testDescription: "an alpha that is empty everywhere",
            file: BMPFile(
                masks: [0xFF, 0xFF00, 0xFF0000, 0xFF00_0000], headLength: 56,
                rows: [[9, 9, 9, 0, 9, 9, 9, 0], [9, 9, 9, 0, 9, 9, 9, 0]]),
            top: [9, 9, 9], bottom: [9, 9, 9]),
    ])
    func aBMPMaySpreadItsBitsAtWill(_ row: Row) throws {
        let found = try Self.colours(of: row.file.bytes)
        #expect(zip(found.top, row.top).allSatisfy { abs($0 - $1) <= 2 }, "above: \(found.top)")
        #expect(zip(found.bottom, row.bottom).allSatisfy { abs($0 - $1) <= 2 }, "below: \(found.bottom)")
    }

    /// As the clipboard has it: masks are behind the header or in it, and eight bits have their palette there.
    @Test(arguments: [(24, 40, 0), (32, 40, 3), (32, 56, 4), (8, 40, 0)])
    func aBitmapWithoutAFilesHeaderIsTheSame(bits: Int, headLength: Int, maskCount: Int) throws {
        let masks: [UInt32] = Array([0xFF0000, 0xFF00, 0xFF, 0xFF00_0000].prefix(maskCount))
        let pixel: [UInt8] = bits == 8 ? [1] : Array([0, 0, 255, 255].prefix(bits / 8))
        var file = BMPFile(bits: bits, masks: masks, headLength: headLength, rows: [pixel + pixel, pixel + pixel]).bytes
        if bits == 8 {
            // Two colours are stated, of which the second is red.
            file[46] = 2
            file.insert(contentsOf: [9, 9, 9, 0, 0, 0, 255, 0], at: 54)
        }
        let media = try Examined.media(Array(file.dropFirst(14)), as: .bmp, sizes: [2])
        #expect(media.facts.width == 2 && media.facts.height == 2)
        let red = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes).pixel(1, 1)
        #expect(red[0] > 240 && red[1] < 15 && red[2] < 15, "\(red)")
    }

    /// Every header that states more than the bytes hold.
    @Test func everyCutOfABareBitmapIsHarmless() throws {
        let file = BMPFile(masks: [0xFF0000, 0xFF00, 0xFF], rows: [[UInt8](repeating: 0, count: 8)]).bytes
        let bytes = file.dropFirst(14)
        for count in 16..<bytes.count { _ = try Examined.answer(Array(bytes.prefix(count)), as: .bmp) }
    }

    @Test func everyCutOfABMPIsHarmless() throws {
        let bytes = BMPFile(masks: [0x3FF0_0000, 0xFFC00, 0x3FF], rows: [[0, 0, 0, 0, 0, 0, 0, 0]]).bytes
        for count in 0..<bytes.count {
            try Array(bytes.prefix(count)).withUnsafeBufferPointer { _ = try BMPPicture($0)?.frame(maxPixels: 100) }
        }
    }

    private static let scene = Scene(seed: 25, width: 640, height: 480, hasGrain: false).bitmap()

    /// Adobe Photoshop File Formats: header, three empty sections, planes without compression.
    private static var photoshop: [UInt8] {
        let head: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 1, 0xE0, 0, 0, 2, 0x80, 0, 8, 0, 3]
        let planes = (0..<3).flatMap { channel in
            stride(from: channel, to: scene.rgb.count, by: 3).map { scene.rgb[$0] }
        }
        return Array("8BPS".utf8) + head + [UInt8](repeating: 0, count: 14) + planes
    }

    /// The same as a large document, with lengths of more bytes and a layer section that is passed over; packed, a row is
    /// a copy of its bytes in pieces of at most 128, each after its length less one.
    private static func largePhotoshop(isPacked: Bool) -> [UInt8] {
        let planes = Array(photoshop[40...])
        let layers: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 3, 7, 7, 7]
        var bytes: [UInt8] = Array(photoshop[..<26]) + [UInt8](repeating: 0, count: 8) + layers
        bytes[5] = 2
        guard isPacked else { return bytes + [0, 0] + planes }
        bytes += [0, 1]
        // A row of 640 bytes is five pieces, 645 bytes packed.
        for _ in 0..<3 * 480 { bytes += [0, 0, 2, 133] }
        for start in stride(from: 0, to: planes.count, by: 128) {
            bytes.append(127)
            bytes += planes[start..<start + 128]
        }
        return bytes
    }

    @Test(arguments: [false, true])
    func aLargeDocumentOfPhotoshopIsShown(isPacked: Bool) throws {
        let bytes = Self.largePhotoshop(isPacked: isPacked)
        let media = try Examined.media(bytes, sizes: [160])
        #expect(media.facts.type == .psd && media.facts.width == 640 && media.facts.height == 480)
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.likeness(to: Self.scene.resampled(width: 160, height: 120)) > 0.95)
        for count in [26, 29, 33, 40, 41, 48, 53] {
            #expect(try Examined.failure(Array(bytes.prefix(count)), as: .psd) != "")
        }
    }

    /// A fourth channel that is empty: wholly transparent where the document says that it is the transparency.
    ///
    /// - Parameters:
    ///   - layers: The section of layers and masks.
    ///   - isPacked: Whether each row is packed: 640 equal bytes, in five pieces of 128.
    private static func photoshop(layers: [UInt8], isPacked: Bool) -> [UInt8] {
        var head = photoshop[..<34]
        head[13] = 4
        let rows = [200, 100, 50, 0].flatMap { (value: UInt8) -> [UInt8] in
            let row: [UInt8] = isPacked ? [129, value, 129, value, 129, value, 129, value, 129, value] : []
            let plain = [UInt8](repeating: value, count: 640)
            return (0..<480).flatMap { _ in isPacked ? row : plain }
        }
        let lengths = isPacked ? (0..<4 * 480).flatMap { _ in [0, 10] as [UInt8] } : []
        return head + [0, 0, 0, UInt8(layers.count)] + layers + [0, isPacked ? 1 : 0] + lengths + rows
    }

    @Test(
        arguments: [false, true],
        [
            ([], false), ([0, 0, 0, 2, 0, 1], false), ([0, 0, 0, 2, 255, 255], true),
            ([0, 0, 0, 0, 0, 0, 0, 0] + Array("8BIMMt16".utf8) + [0, 0, 0, 0], true),
        ] as [([UInt8], Bool)])
    func aFourthChannelIsTransparencyWhereTheDocumentSaysSo(isPacked: Bool, row: (layers: [UInt8], isSeen: Bool)) throws
    {
        let media = try Examined.media(Self.photoshop(layers: row.layers, isPacked: isPacked), sizes: [64])
        let colour = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes).pixel(32, 24).map(Int.init)
        let expected = row.isSeen ? [255, 255, 255] : [200, 100, 50]
        #expect(zip(colour, expected).allSatisfy { abs($0 - $1) <= 4 }, "\(colour)")
    }

    /// EXIF (1058) or XMP (1060) among the image resources of a document; only what tells of the exposure is a date.
    @Test(arguments: [
        (1058, ExifSegment(takenAt: "2026:06:20 10:00:00", offset: "+09:00").tiff, CaptureDateSource.exif),
        (1060, Array("<x exif:DateTimeOriginal='2026-06-20T10:00:00+09:00'/>".utf8), .xmp),
        (1060, Array("<x xmp:CreateDate='2026-06-20T10:00:00+09:00'/>".utf8), .file),
    ])
    func aDocumentOfPhotoshopHasADate(number: Int, content: [UInt8], source: CaptureDateSource) throws {
        let other: [UInt8] = Array("8BIM".utf8) + [4, 10, 2, 65, 66, 0] + [0, 0, 0, 1, 7, 0]
        let head: [UInt8] = Array("8BIM".utf8) + [UInt8(number >> 8), UInt8(number & 255), 0, 0]
        let length: [UInt8] = [0, 0, UInt8(content.count >> 8), UInt8(content.count & 255)]
        let resources = other + head + length + content + (content.count % 2 == 1 ? [0] : [])
        let plain = Self.photoshop
        let size: [UInt8] = [0, 0, UInt8(resources.count >> 8), UInt8(resources.count & 255)]
        let bytes = plain[..<30] + size + resources + plain[34...]
        let facts = try Examined.media(Array(bytes)).facts
        #expect(facts.takenAtSource == source)
        #expect((facts.takenAt?.timeIntervalSince1970 == 1_781_917_200) == (source != .file))
    }

    private static func targa() throws -> [UInt8] {
        let target = Scaler.Target(width: 640, height: 480, format: AV_PIX_FMT_BGR24)
        let frame = try Scaler.convert(try Frame.copy(of: scene), to: target, flags: Scaler.exact)
        return try Encoder.file(of: frame, by: "targa")
    }

    @Test(arguments: [MediaType.psd, .tga])
    func picturesOfEditorsAreShown(type: MediaType) throws {
        let media = try Examined.media(type == .psd ? Self.photoshop : try Self.targa(), as: type, sizes: [160])
        #expect(media.facts.width == 640 && media.facts.height == 480)
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.likeness(to: Self.scene.resampled(width: 160, height: 120)) > 0.95)
    }

    @Test(arguments: [0, 1, 2])
    func theOtherJPEGDecoderSeesTheSame(halvings: Int) throws {
        let jpeg = try PictureWriter.encode(Self.scene, as: .jpeg)
        let small = try jpeg.withUnsafeBufferPointer { bytes in
            let frame = try JPEGRows.opened(bytes, halvings: halvings, maxPixels: 1 << 20).frame()
            #expect(frame.width == 640 >> halvings)
            return try Scaler.bitmap(from: frame, width: 80, height: 60)
        }
        #expect(small.likeness(to: Self.scene.resampled(width: 80, height: 60)) > 0.95)
    }

    @Test(arguments: 0..<200)
    func damageIsHarmlessToTheOtherJPEGDecoder(seed: Int) throws {
        var dice = BadFileTests.SystemDice(state: UInt64(seed) + 7)
        var jpeg = try PictureWriter.encode(
            Bitmap(width: 16, height: 16, rgb: [UInt8](repeating: 90, count: 768)), as: .jpeg)
        for _ in 0..<4 { jpeg[Int.random(in: 2..<jpeg.count, using: &dice)] = .random(in: 0...255, using: &dice) }
        jpeg.withUnsafeBufferPointer { bytes in
            do throws(FFmpegError) {
                _ = try JPEGRows.opened(bytes, halvings: 0, maxPixels: 1 << 20).frame()
            } catch {
                #expect(error.code < 0)
            }
        }
    }

    /// A picture of one colour is decoded once more, whole, in case the first decoder left it blank; ours never does.
    @Test(arguments: [ScannedJPEG.Coding.baseline, .progressive], [(size: 32, isCertain: true), (128, false)])
    func aPhotoThatOurDecoderReadIsNotDoubted(coding: ScannedJPEG.Coding, row: (size: Int, isCertain: Bool)) throws {
        let flat = Bitmap(width: 160, height: 120, rgb: [UInt8](repeating: 90, count: 160 * 120 * 3))
        let packet = try Packet.copy(of: ScannedJPEG(picture: flat, coding: coding).encoded())
        let job = MediaJob(type: .jpeg, specs: [ThumbnailSpec(longSide: row.size)])
        let isCertain = try PhotoReader.jpeg(packet, job).isCertain
        #expect(isCertain == row.isCertain)
    }

    /// FFmpeg makes no lossless JPEG smaller while it decodes.
    @Test(arguments: [100, 256, 640])
    func aLosslessJPEGIsShown(size: Int) throws {
        let target = Scaler.Target(width: 640, height: 480, format: AV_PIX_FMT_YUVJ444P)
        let frame = try Scaler.convert(try Frame.copy(of: Self.scene), to: target, flags: Scaler.exact)
        let media = try Examined.media(try Encoder.file(of: frame, by: "ljpeg"), sizes: [size])
        #expect(media.facts.width == 640 && media.facts.height == 480)
        #expect(media.facts.notes == [])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.likeness(to: Self.scene.resampled(width: size, height: size * 3 / 4)) > 0.95)
    }

    @Test func tooLargeIsRefused() throws {
        let jpeg = try PictureWriter.encode(Self.scene, as: .jpeg)
        #expect(throws: FFmpegError.self) {
            try jpeg.withUnsafeBufferPointer { _ = try JPEGRows.opened($0, halvings: 0, maxPixels: 1000) }
        }
    }
}
