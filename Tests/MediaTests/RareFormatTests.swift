import CFFmpeg
import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// Formats that few cameras and many collections have: icons, Netpbm, PCX, SGI, drawings.
@Suite(.serialized) struct RareFormatTests {
    private static let scene = Scene(seed: 29, width: 320, height: 240, hasGrain: false).bitmap()

    private static func encoded(_ name: String, _ format: AVPixelFormat) throws -> [UInt8] {
        let target = Scaler.Target(width: 320, height: 240, format: format)
        let frame = try Scaler.convert(try Frame.copy(of: scene), to: target, flags: Scaler.exact)
        return try Encoder.file(of: frame, by: name)
    }

    @Test(arguments: [
        (MediaType.pnm, "ppm", AV_PIX_FMT_RGB24), (.pnm, "pam", AV_PIX_FMT_RGB24), (.pcx, "pcx", AV_PIX_FMT_RGB24),
        (.sgi, "sgi", AV_PIX_FMT_RGB24), (.dpx, "dpx", AV_PIX_FMT_RGB24), (.sunRaster, "sunrast", AV_PIX_FMT_BGR24),
        (.qoi, "qoi", AV_PIX_FMT_RGB24), (.xwd, "xwd", AV_PIX_FMT_RGB24), (.jpegLS, "jpegls", AV_PIX_FMT_RGB24),
    ])
    func aPictureIsShownAsItIs(type: MediaType, encoder: String, format: AVPixelFormat) throws {
        let media = try Examined.media(try Self.encoded(encoder, format), as: type, sizes: [160])
        #expect(media.facts.type == type)
        #expect(media.facts.width == 320 && media.facts.height == 240)
        #expect(media.facts.notes == [])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.likeness(to: Self.scene.resampled(width: 160, height: 120)) > 0.95)
    }

    /// Four planes of bytes in runs, the last of which is alpha: half of it covers nothing.
    @Test func aTransparentPCXIsShown() throws {
        let sides = [0, 0, 63, 47, 72, 72].flatMap { Self.number($0, 2) }
        let head = [10, 5, 1, 8] + sides + [UInt8](repeating: 0, count: 49) + [4] + Self.number(66, 2)
        // A run of 63 in a row of 66 bytes.
        func row(_ values: [UInt8]) -> [UInt8] { values.flatMap { [0xFF, $0, 0xC3, $0] } }
        let rows = (0..<48).flatMap { row([200, 100, 50, $0 < 24 ? 255 : 0]) }
        let file = head + [UInt8](repeating: 0, count: 128 - head.count) + rows
        let media = try Examined.media(file, as: .pcx, sizes: [64])
        #expect(media.facts.width == 64 && media.facts.height == 48 && media.facts.notes == [])
        #expect(media.facts.background != nil)
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(zip(shown.pixel(60, 10), [200, 100, 50]).allSatisfy { abs(Int($0) - $1) <= 4 })
        #expect(shown.pixel(60, 40).allSatisfy { $0 > 250 })
        let cut = try Examined.media(Array(file.prefix(file.count / 2)), as: .pcx, sizes: [64])
        #expect(cut.facts.notes == ["Damaged: 20 of 48 rows are there"])
    }

    /// A cut in the rows, or in the palette of 769 bytes behind them.
    @Test(arguments: [(AV_PIX_FMT_RGB24, false), (AV_PIX_FMT_GRAY8, false), (AV_PIX_FMT_GRAY8, true)])
    func aPCXThatWasCutIsShown(format: AVPixelFormat, isInPalette: Bool) throws {
        let file = try Self.encoded("pcx", format)
        let missing = isInPalette ? 1 : file.count / 8
        let media = try [file, Array(file.dropLast(missing))].map { try Examined.media($0, as: .pcx, sizes: [160]) }
        let note = try #require(media[1].facts.notes.first)
        #expect(isInPalette ? note == "Damaged: The palette is missing" : note.hasSuffix(" of 240 rows are there"))
        let shown = try media.map { try Bitmap(jpeg: try #require($0.thumbnails.first).bytes) }
        // The upper half is far from the missing rows.
        let upper = shown.map { Bitmap(width: 160, height: 60, rgb: Array($0.rgb.prefix(160 * 60 * 3))) }
        #expect(upper[0].likeness(to: upper[1]) > 0.98)
        let isSame = shown[0] == shown[1]
        #expect(isSame == isInPalette)
    }

    /// One row is there; of 65,536 rows the others would take half a gigabyte even in runs.
    @Test(arguments: [(2, true), (65_536, false)]) func aPCXIsNotFilledBeyondAnyPicture(height: Int, isFilled: Bool) {
        let sides = [0, 0, 99, height - 1, 72, 72].flatMap { Self.number($0, 2) }
        let head = [10, 5, 1, 8] + sides + [UInt8](repeating: 0, count: 49) + [4] + Self.number(65_535, 2)
        let row = (0..<(4 * 65_535 + 62) / 63).flatMap { _ in [0xFF, 9] as [UInt8] }
        let file = head + [UInt8](repeating: 0, count: 128 - head.count) + row
        #expect(file.withUnsafeBufferPointer { PCXFile($0)?.filled != nil } == isFilled)
    }

    /// Rows of red, green and blue, each in a run; FFmpeg knows none of less than 251 bytes.
    @Test(arguments: [0, 512])
    func aPICTIsShown(place: Int) throws {
        func numbers(_ values: Int...) -> [UInt8] { values.flatMap { Self.number($0, 2).reversed() } }
        let bounds = numbers(0, 0, 48, 64)
        let head = [UInt8](repeating: 0, count: place) + numbers(0) + bounds + numbers(0x11, 0x2FF, 0xC00)
        let pixels = numbers(0x9A, 0, 0xFF, 0x8000 + 256) + bounds + numbers(0, 4, 0, 0, 72, 0, 72, 0, 16, 32, 3, 8)
        var file = head + [UInt8](repeating: 0, count: 24) + pixels
        file += [UInt8](repeating: 0, count: 12) + bounds + bounds + numbers(0)
        for y in 0..<48 { file += [0, 6, 193, 200, 193, UInt8(y * 4), 193, 50] }
        let media = try Examined.media(file, as: .pict, sizes: [64])
        #expect(media.facts.width == 64 && media.facts.height == 48 && media.facts.notes == [])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        for y in [5, 40] {
            #expect(zip(shown.pixel(20, y), [200, y * 4, 50]).allSatisfy { abs(Int($0) - $1) <= 4 }, "\(y)")
        }
        // A line instead of pixels; with the last command nothing is missing.
        let drawing = head + [UInt8](repeating: 0, count: 24) + numbers(0x20, 0, 0, 48, 64)
        let words = try Examined.failure(drawing + numbers(0xFF), as: .pict)
        #expect(words == "The file is in a form that nothing here decodes")
        #expect(try Examined.failure(drawing, as: .pict).hasSuffix("The file is damaged or cut short"))
    }

    /// A byte a pixel and a palette of greys, or eight planes of bits.
    @Test(arguments: ["PBM ", "ILBM"])
    func aPictureInAnIFFIsShown(kind: String) throws {
        let (width, height) = (64, 48)
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + Self.number(content.count, 4).reversed() + content
        }
        let sizes = [width, height].flatMap { Self.number($0, 2).reversed() }
        let rows = (0..<height).flatMap { y -> [UInt8] in
            let row = (0..<width).map { UInt8($0 * 3 + y) }
            guard kind == "ILBM" else { return row }
            return (0..<8).flatMap { plane in
                (0..<width / 8).map { byte in (0..<8).reduce(0) { $0 << 1 | row[byte * 8 + $1] >> plane & 1 } }
            }
        }
        let content =
            Array(kind.utf8) + chunk("BMHD", sizes + [0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 1, 1] + sizes)
            + chunk("CMAP", (0..<256).flatMap { [UInt8](repeating: UInt8($0), count: 3) }) + chunk("BODY", rows)
        let media = try Examined.media(chunk("FORM", content), as: .iff, sizes: [64])
        #expect(media.facts.width == 64 && media.facts.height == 48 && media.facts.kind == .photo)
        #expect(media.facts.notes == [] && media.facts.duration == nil)
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        for (x, y) in [(4, 4), (60, 4), (30, 40)] { #expect(abs(Int(shown.pixel(x, y)[1]) - (x * 3 + y)) <= 4) }
    }

    /// FFmpeg's demuxer leaves out a picture without its end.
    @Test func aCutGIFIsShownInPart() throws {
        let frame = try Scaler.convert(
            try Frame.copy(of: Self.scene), to: Scaler.Target(width: 320, height: 240, format: AV_PIX_FMT_RGB8),
            flags: Scaler.exact)
        let file = try Encoder.file(of: frame, by: "gif")
        let media = try Examined.media(Array(file.prefix(file.count * 2 / 3)), as: .gif, sizes: [160])
        #expect(media.facts.notes == ["Damaged: the file ends within its first picture"])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        let whole = Self.scene.resampled(width: 160, height: 120)
        #expect(
            (0..<160).allSatisfy { x in
                zip(shown.pixel(x, 20), whole.pixel(x, 20)).allSatisfy { abs(Int($0) - Int($1)) < 60 }
            })
        let lowest = (0..<160).map { shown.pixel($0, 118) }
        #expect(Set(lowest).count < 3, "what is lacking is of one colour: \(lowest[80])")
    }

    /// 4096 × 4096 pixels are made whatever the file holds; a row more is not, where its bytes cannot fill it.
    @Test(arguments: [(4096, true), (4097, false)])
    func aGIFCannotClaimMoreThanItsBytesCanFill(height: Int, isShown: Bool) throws {
        let frame = try Scaler.convert(
            try Frame.copy(of: Self.scene.averaged(width: 32, height: 24)),
            to: Scaler.Target(width: 32, height: 24, format: AV_PIX_FMT_RGB8), flags: Scaler.exact)
        var file = try Encoder.file(of: frame, by: "gif")
        file.replaceSubrange(6..<10, with: Self.number(4096, 2) + Self.number(height, 2))
        #expect(file.count * 2731 < 4096 * 4096)
        if isShown {
            #expect(try Examined.media(file, as: .gif, sizes: [64]).facts.height == height)
            return
        }
        let reason = try Examined.failure(file, as: .gif)
        #expect(reason.contains("cannot fill the 4096 × 4097 pixels"), "\(reason)")
        // Empty room at the end is enough, since more pictures may lie there.
        file += [UInt8](repeating: 0, count: 4096 * 4097 / 2731)
        #expect(try Examined.media(file, as: .gif, sizes: [64]).facts.height == height)
    }

    /// Grey on the left; the right half is transparent.
    @Test func aGreyTGAMayHaveAlpha() throws {
        let size: [UInt8] = Self.number(64, 2) + Self.number(32, 2)
        let head: [UInt8] = [0, 0, 3] + Self.number(0, 9) + size + [16, 0x28]
        let pixels = (0..<64 * 32).flatMap { $0 % 64 < 32 ? [90, 255] : [90, 0] as [UInt8] }
        let media = try Examined.media(head + pixels, as: .tga, sizes: [64])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.pixel(8, 16).allSatisfy { abs(Int($0) - 90) <= 3 }, "\(shown.pixel(8, 16))")
        #expect(shown.pixel(56, 16).allSatisfy { $0 > 250 }, "\(shown.pixel(56, 16))")
    }

    /// OpenEXR has linear light: what is written of these samples must come back lighter.
    @Test func linearLightIsShownInSRGB() throws {
        let grey = Bitmap(width: 64, height: 64, rgb: (0..<64 * 64 * 3).map { $0 / 3 % 64 < 32 ? 55 : 128 })
        let target = Scaler.Target(width: 64, height: 64, format: AV_PIX_FMT_GBRPF32LE)
        let frame = try Scaler.convert(try Frame.copy(of: grey), to: target, flags: Scaler.exact)
        let media = try Examined.media(try Encoder.file(of: frame, by: "exr"), as: .exr, sizes: [64])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        // 55/255 and 128/255 of white in linear light.
        #expect(abs(Int(shown.pixel(10, 10)[0]) - 128) < 6)
        #expect(abs(Int(shown.pixel(50, 10)[0]) - 188) < 6)
    }

    private static func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Pixels as they are, blue first; or blocks of four by four pixels that have all one colour (BC1).
    @Test(arguments: [false, true])
    func aTextureIsShown(isPacked: Bool) throws {
        let masks: [Int] = [32, 0xFF0000, 0xFF00, 0xFF, 0xFF00_0000]
        let plain: [UInt8] = Self.number(0x41, 4) + Self.number(0, 4) + masks.flatMap { Self.number($0, 4) }
        let packed: [UInt8] = Self.number(4, 4) + Array("DXT1".utf8) + Self.number(0, 20)
        let fields: [Int] = [124, 0x1007, 32, 64, 0, 0, 1]
        let head: [UInt8] = fields.flatMap { Self.number($0, 4) } + Self.number(0, 44) + Self.number(32, 4)
        let caps: [UInt8] = Self.number(0x1000, 4) + Self.number(0, 16)
        // Red in bytes, and in the five highest of sixteen bits, twice for a block.
        let pixel: [UInt8] = isPacked ? [0, 0xF8, 0, 0xF8, 0, 0, 0, 0] : [0, 0, 255, 255]
        let pixels = [[UInt8]](repeating: pixel, count: isPacked ? 16 * 8 : 64 * 32).flatMap(\.self)
        let start: [UInt8] = Array("DDS ".utf8) + head + (isPacked ? packed : plain) + caps
        let media = try Examined.media(start + pixels, as: .dds, sizes: [64])
        #expect(media.facts.width == 64 && media.facts.height == 32)
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes).pixel(30, 10)
        #expect(zip(shown, [255, 0, 0]).allSatisfy { abs(Int($0) - $1) <= 3 }, "\(shown)")
    }

    private static func icon(_ pictures: [(side: Int, bytes: [UInt8])]) -> [UInt8] {
        var start = 6 + 16 * pictures.count
        var file = number(0, 2) + number(1, 2) + number(pictures.count, 2)
        for picture in pictures {
            file += [UInt8(picture.side), UInt8(picture.side), 0, 0, 1, 0, 32, 0]
            file += number(picture.bytes.count, 4) + number(start, 4)
            start += picture.bytes.count
        }
        return file + pictures.flatMap(\.bytes)
    }

    /// Red where it is shown; its left half is masked, or transparent.
    private static func part(bits: Int) -> [UInt8] {
        let head = number(40, 4) + number(32, 4) + number(64, 4) + number(1, 2) + number(bits, 2)
        let pixel: (Int) -> [UInt8] = { bits == 32 ? [0, 0, 255, $0 < 16 ? 0 : 255] : [0, 0, 255] }
        let pixels = (0..<32).flatMap { _ in (0..<32).flatMap(pixel) }
        let mask = (0..<32).flatMap { _ in [0xFF, 0xFF, 0, 0] as [UInt8] }
        return head + [UInt8](repeating: 0, count: 24) + pixels + mask
    }

    @Test(arguments: [24, 32]) func anIconIsTransparentWhereItSaysSo(bits: Int) throws {
        let small = [UInt8](Self.part(bits: 24).prefix(60))
        let media = try Examined.media(Self.icon([(16, small), (32, Self.part(bits: bits))]), as: .icon, sizes: [64])
        #expect(media.facts.width == 32 && media.facts.height == 32)
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.pixel(4, 16).allSatisfy { $0 > 240 })
        let red = shown.pixel(26, 16)
        #expect(red[0] > 200 && red[1] < 40)
    }

    @Test func theLargestPictureOfAnIconMayBeAPNG() throws {
        let large = Scene(seed: 3, width: 200, height: 200, hasGrain: false).bitmap()
        let png = try PictureWriter.encode(large, as: .png)
        let media = try Examined.media(Self.icon([(32, Self.part(bits: 24)), (200, png)]), as: .icon, sizes: [100])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.likeness(to: large.resampled(width: 100, height: 100)) > 0.95)
    }

    /// Some programs write a length that none can have; the picture's own header is right.
    @Test(arguments: [0, 8, 39]) func theLengthOfAnIconsPictureIsNotTrusted(length: Int) throws {
        var file = Self.icon([(32, Self.part(bits: 24))])
        file.replaceSubrange(14..<18, with: Self.number(length, 4))
        let media = try Examined.media(file, as: .icon, sizes: [64])
        #expect(media.facts.width == 32 && media.facts.height == 32 && media.facts.notes == [])
        #expect(try !Examined.failure(Array(file.prefix(61)), as: .icon).isEmpty, "no header is there")
    }

    @Test func aCutIconIsHarmless() throws {
        let whole = Self.icon([(32, Self.part(bits: 24))])
        for count in stride(from: 22, to: whole.count, by: 97) {
            _ = try Examined.answer(Array(whole.prefix(count)), as: .icon)
        }
    }

    @Test func aDrawingIsShownOverTheBackground() throws {
        let drawing =
            "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='40'><rect x='30' width='30'"
            + " height='40' fill='#008000' fill-opacity='0.5'/></svg>"
        let media = try Examined.media(Array(drawing.utf8), as: .svg, sizes: [60])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.pixel(10, 20).allSatisfy { $0 > 250 })
        let green = shown.pixel(48, 20)
        #expect(abs(Int(green[0]) - 127) < 8 && abs(Int(green[1]) - 191) < 8)
    }

    /// Of pixels a little fewer than those of the largest thumbnail; FFmpeg counts those of its longer rows.
    @Test(arguments: [(264, 226), (256, 256), (257, 255), (300, 218)])
    func aDrawingOfAboutTheLargestSizeIsShown(width: Int, height: Int) throws {
        let drawing =
            "<svg xmlns='http://www.w3.org/2000/svg' width='\(width)' height='\(height)'>"
            + "<rect width='\(width)' height='\(height)' fill='#F00'/></svg>"
        let media = try Examined.media(Array(drawing.utf8), as: .svg, sizes: [256])
        #expect(media.facts.width == width && media.facts.height == height)
        #expect(try Bitmap(jpeg: try #require(media.thumbnails.first).bytes).pixel(100, 100)[0] > 240)
    }

    /// Larger than what is decoded at all: only the size of the thumbnail counts.
    @Test func aDrawingIsDrawnAsLargeAsItsThumbnail() throws {
        let drawing =
            "<svg xmlns='http://www.w3.org/2000/svg' width='60000' height='40000'>"
            + "<rect x='30000' width='30000' height='40000' fill='#F00'/></svg>"
        let media = try Examined.media(Array(drawing.utf8), as: .svg, sizes: [60, 30])
        #expect(media.facts.width == 60_000 && media.facts.height == 40_000 && media.facts.notes == [])
        #expect(media.thumbnails.map(\.width) == [60, 30] && media.thumbnails.map(\.height) == [40, 20])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.pixel(10, 20).allSatisfy { $0 > 240 })
        #expect(shown.pixel(50, 20)[0] > 200 && shown.pixel(50, 20)[1] < 50)
    }

    /// The letter stands where the drawing has it: thin in one family, with feet in the others.
    @Test(arguments: [
        ("font-family='Helvetica'", 4...9), ("font-family='Unknown, sans-serif'", 4...9), ("", 10...15),
        ("font-family='serif'", 10...15), ("font-family='Consolas'", 16...30),
    ])
    func aDrawingsTextIsDrawn(family: String, width: ClosedRange<Int>) throws {
        let drawing =
            "<svg xmlns='http://www.w3.org/2000/svg' width='120' height='80'>"
            + "<text x='60' y='60' font-size='50' \(family)>i</text></svg>"
        let media = try Examined.media(Array(drawing.utf8), as: .svg, sizes: [120])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        let ink = (0..<120).filter { x in (0..<80).contains { shown.pixel(x, $0)[0] < 128 } }
        let (first, last) = (try #require(ink.first), try #require(ink.last))
        #expect(first >= 60 && width.contains(last - first + 1), "\(first)...\(last)")
        #expect((0..<120).allSatisfy { x in (62..<80).allSatisfy { shown.pixel(x, $0)[0] > 220 } })
        #expect(media.facts.notes == [])
    }

    @Test func aDrawingOfTextAloneHasASize() throws {
        let drawing = "<svg xmlns='http://www.w3.org/2000/svg'><text y='30'>A word</text></svg>"
        #expect(try Examined.media(Array(drawing.utf8), as: .svg).thumbnails.count == 1)
    }

    /// Thin red lines on white: with colours of half the size they would be pink.
    ///
    /// Both are too large for an icon.
    @Test(arguments: [true, false]) func onlyDrawingsKeepAllTheirColours(isDrawing: Bool) throws {
        let lines = Bitmap(
            width: 64, height: 80, rgb: (0..<64 * 80).flatMap { $0 % 64 % 4 == 0 ? [255, 0, 0] : [255, 255, 255] })
        let texture = Bitmap(width: 64, height: 80, rgb: (0..<64 * 80 * 3).map { UInt8($0 * 7919 % 251) })
        let png = try PictureWriter.encode(isDrawing ? lines : texture, as: .png)
        let jpeg = try #require(try Examined.media(png, sizes: [80]).thumbnails.first).bytes
        let frame = try PhotoReader.decoded(
            try Packet.copy(of: jpeg), by: "mjpeg", options: Decoder.Options(maxPixels: 1 << 20))
        #expect(frame.format == (isDrawing ? AV_PIX_FMT_YUVJ444P : AV_PIX_FMT_YUVJ420P))
    }
}
