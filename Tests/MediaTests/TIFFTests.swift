import CFFmpeg
import CTIFF
import Glibc
import MediaModel
import Testing

@testable import Facts
@testable import Frames
@testable import Media
@testable import MediaMaking
@testable import TIFF

/// TIFF in the ways that scanners, editors and instruments store it.
@Suite(.serialized) struct TIFFTests {
    private static let scene = Scene(seed: 21, width: 240, height: 160, hasGrain: false).bitmap()

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let file: TIFFFile
        var isGrey = false

        init(_ fact: String, isBig: Bool = false, isGrey: Bool = false, _ change: (inout TIFFFile.Page) -> Void) {
            var page = TIFFFile.Page(bitmap: TIFFTests.scene)
            change(&page)
            (testDescription, self.isGrey, file) = (fact, isGrey, TIFFFile(page, isBig: isBig))
        }
    }

    private static let light: @Sendable ([Double]) -> [Double] = { [0.299 * $0[0] + 0.587 * $0[1] + 0.114 * $0[2]] }

    private static let difference: @Sendable ([Double]) -> [Double] = { colours in
        let light = light(colours)[0]
        return [light, 0.502 + (colours[2] - light) / 1.772, 0.502 + (colours[0] - light) / 1.402]
    }

    /// Brightness and colour in planes, of which those of colour are smaller.
    private static func planes(
        _ fact: String, _ across: Int, _ down: Int, _ compression: Int32, isDifferenced: Bool = false
    ) -> Row {
        Row(fact) {
            $0.isDifferenced = isDifferenced
            ($0.photometric, $0.isPlanar, $0.compression) = (PHOTOMETRIC_YCBCR, true, compression)
            ($0.subsampling, $0.samples) = ((across, down), difference)
        }
    }

    static let rows = [
        Row("plain") { _ in },
        planes("planes of brightness and colour", 1, 1, COMPRESSION_NONE),
        planes("planes of brightness and half the colour", 2, 1, COMPRESSION_LZW),
        planes("planes of brightness and a quarter of the colour", 2, 2, COMPRESSION_NONE),
        planes("planes of brightness and a quarter of the colour, by LZW", 2, 2, COMPRESSION_LZW),
        planes("the same as differences", 2, 2, COMPRESSION_LZW, isDifferenced: true),
        planes("a sixteenth of the colour as differences", 4, 4, COMPRESSION_ADOBE_DEFLATE, isDifferenced: true),
        Row("JPEG of brightness and colour, as scanners write it") {
            ($0.compression, $0.photometric) = (COMPRESSION_JPEG, PHOTOMETRIC_YCBCR)
        },
        Row("tiles") { $0.isTiled = true },
        Row("tiles of JPEG") {
            ($0.compression, $0.photometric, $0.isTiled) = (COMPRESSION_JPEG, PHOTOMETRIC_YCBCR, true)
        },
        Row("16 bits") { $0.bits = 16 },
        Row("16 bits in tiles, deflated") {
            ($0.bits, $0.isTiled, $0.compression) = (16, true, COMPRESSION_ADOBE_DEFLATE)
        },
        Row("planes") { $0.isPlanar = true },
        Row("planes in tiles, by LZW") { ($0.isPlanar, $0.isTiled, $0.compression) = (true, true, COMPRESSION_LZW) },
        Row("BigTIFF", isBig: true) { _ in },
        Row("broken numbers of 32 bits") { ($0.bits, $0.format) = (32, SAMPLEFORMAT_IEEEFP) },
        Row("broken numbers of 16 bits") { ($0.bits, $0.format) = (16, SAMPLEFORMAT_IEEEFP) },
        Row("whole numbers of 32 bits") { $0.bits = 32 },
        Row("inks") {
            $0.photometric = PHOTOMETRIC_SEPARATED
            $0.samples = { $0.map { 1 - $0 } + [0] }
        },
        Row("inks in planes") {
            ($0.photometric, $0.isPlanar) = (PHOTOMETRIC_SEPARATED, true)
            $0.samples = { $0.map { 1 - $0 } + [0] }
        },
        Row("an extra sample of unknown use") { $0.samples = { $0 + [0] } },
        Row("grey", isGrey: true) { ($0.photometric, $0.samples) = (PHOTOMETRIC_MINISBLACK, light) },
        Row("grey, where white is 0", isGrey: true) {
            $0.photometric = PHOTOMETRIC_MINISWHITE
            $0.samples = { [1 - light($0)[0]] }
        },
    ]

    /// The scene as paper shows it under three inks that would leave its red, green and blue if they were perfect.
    private static let printed: Bitmap = {
        let pixels = stride(from: 0, to: scene.rgb.count, by: 3).map { at in
            PrintedColour.of((0..<3).map { 1 - Double(scene.rgb[at + $0]) / 255 } + [0])
        }
        return Bitmap(
            width: scene.width, height: scene.height, rgb: pixels.flatMap { $0.map { UInt8($0.rounded()) } })
    }()

    @Test(arguments: rows)
    func itShowsTheScene(_ row: Row) throws {
        let media = try Examined.media(try row.file.bytes, sizes: [120])
        #expect(media.facts.width == 240 && media.facts.height == 160)
        #expect(media.facts.notes == [])
        let picture = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        let scene = (row.file.pages[0].photometric == PHOTOMETRIC_SEPARATED ? Self.printed : Self.scene)
            .averaged(width: 120, height: 80)
        #expect(picture.likeness(to: scene) > 0.93, "\(picture.likeness(to: scene))")
        if !row.isGrey { #expect(picture.distance(to: scene) < 8, "\(picture.distance(to: scene))") }
    }

    @Test(arguments: [COMPRESSION_NONE, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4])
    func aFaxIsBlackAndWhite(compression: Int32) throws {
        var page = TIFFFile.Page(bitmap: Self.scene)
        (page.bits, page.photometric, page.compression) = (1, PHOTOMETRIC_MINISBLACK, compression)
        page.samples = Self.light
        let media = try Examined.media(try TIFFFile(page).bytes, sizes: [120])
        let shown = Bitmap(
            width: 240, height: 160,
            rgb: (0..<240 * 160).flatMap { at in
                let pixel = Self.scene.pixel(at % 240, at / 240).map { Double($0) / 255 }
                return [UInt8](repeating: Self.light(pixel)[0] > 0.5 ? 255 : 0, count: 3)
            })
        let picture = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(picture.distance(to: shown.averaged(width: 120, height: 80)) < 12)
    }

    /// A sample after those of the colours is alpha where that is stated, and where nothing is and it is not 0 throughout.
    @Test(arguments: [8, 16], [false, true])
    func theBackgroundIsSeenBehindWhatIsTransparent(bits: Int, isPlanar: Bool) throws {
        var page = TIFFFile.Page(bitmap: Self.half)
        (page.bits, page.isPlanar) = (bits, isPlanar)
        page.samples = { [0, $0[1], 0, $0[1]] }
        try Self.expectGreenAndBackground(TIFFFile(page).bytes)
    }

    @Test(arguments: [8, 16], [false, true])
    func aPaletteMayHaveAlpha(bits: Int, isPlanar: Bool) throws {
        var page = TIFFFile.Page(bitmap: Self.half)
        (page.bits, page.isPlanar, page.photometric) = (bits, isPlanar, PHOTOMETRIC_PALETTE)
        page.palette = [[0, 0, 0], [0, 65_535, 0]]
        page.extraSamples = [EXTRASAMPLE_UNASSALPHA]
        let most = Double(1 << bits - 1)
        page.samples = { [1 / most, $0[1]] }
        try Self.expectGreenAndBackground(TIFFFile(page).bytes)
    }

    /// Green on the left, black on the right.
    private static let half = Bitmap(
        width: 64, height: 32, rgb: (0..<64 * 32).flatMap { $0 % 64 < 32 ? [0, 255, 0] : [0, 0, 0] as [UInt8] })

    private static func expectGreenAndBackground(_ bytes: [UInt8]) throws {
        let media = try Examined.media(bytes, sizes: [64])
        let picture = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(picture.pixel(8, 16)[1] > 245 && picture.pixel(8, 16)[0] < 12, "\(picture.pixel(8, 16))")
        #expect(picture.pixel(56, 16).allSatisfy { $0 > 245 }, "\(picture.pixel(56, 16))")
        #expect(media.facts.notes == [])
    }

    /// CIE L*a*b* of sRGB's red and of a middle grey, worked out for a white of D50.
    @Test(arguments: [([54.3, 80.8, 69.9], [255, 0, 0]), ([53.6, 0, 0], [128, 128, 128])])
    func labBecomesColour(lab: [Double], expected: [Int]) throws {
        var page = TIFFFile.Page(bitmap: Bitmap(width: 32, height: 32, rgb: [UInt8](repeating: 0, count: 3072)))
        page.photometric = PHOTOMETRIC_CIELAB
        page.samples = { _ in [lab[0] / 100, lab[1] / 255, lab[2] / 255] }
        let media = try Examined.media(try TIFFFile(page).bytes, sizes: [32])
        let found = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes).pixel(16, 16).map(Int.init)
        #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 6 }, "\(found)")
    }

    @Test func whatIsNoNumberIsBlackAndTheRestIsSeen() throws {
        var page = TIFFFile.Page(bitmap: Self.scene)
        (page.bits, page.format, page.photometric) = (32, SAMPLEFORMAT_IEEEFP, PHOTOMETRIC_MINISBLACK)
        page.samples = { $0[0] > 0.9 ? [.nan] : $0[0] < 0.1 ? [.infinity] : [$0[0] * 5000 - 700] }
        let media = try Examined.media(try TIFFFile(page).bytes)
        #expect(media.thumbnails.count == 1)
        #expect(media.facts.notes == [])
    }

    @Test func theFirstFullPageIsShownByItsReductionWhereThatSuffices() throws {
        let grey = Bitmap(width: 480, height: 320, rgb: [UInt8](repeating: 90, count: 480 * 320 * 3))
        var reduction = TIFFFile.Page(bitmap: Self.scene)
        reduction.isReduced = true
        let bytes = try TIFFFile(reduction, .init(bitmap: grey), .init(bitmap: Self.scene)).bytes
        let small = try Examined.media(bytes, sizes: [120])
        #expect(small.facts.width == 480)
        let picture = try Bitmap(jpeg: try #require(small.thumbnails.first).bytes)
        #expect(picture.likeness(to: Self.scene.averaged(width: 120, height: 80)) > 0.93)
        let large = try Examined.media(bytes, sizes: [400])
        #expect(try Bitmap(jpeg: try #require(large.thumbnails.first).bytes).pixel(5, 5) == [90, 90, 90])
        #expect(large.facts.notes == [])
    }

    @Test(arguments: [(34712, "JPEG 2000"), (50002, "JPEG XL"), (34934, "JPEG XR"), (4711, "method 4711")])
    func aCompressionThatIsNotReadHereIsNamed(compression: Int, name: String) throws {
        let bytes = MarkedPicture.tiff(try TIFFFile(.init(bitmap: Self.scene)).bytes, setting: [259: compression])
        #expect(try Examined.failure(bytes) == "Compressed with \(name), which is not read here")
    }

    /// A directory may promise what no memory holds; it is refused before anything is asked for.
    @Test(arguments: [(60_000, 60_000), (4_000_000_000, 1), (1, 4_000_000_000)])
    func aBombEndsAtTheLimit(width: Int, height: Int) throws {
        let bytes = MarkedPicture.tiff(
            try TIFFFile(.init(bitmap: Self.scene)).bytes, setting: [256: width, 257: height])
        #expect(try !Examined.failure(bytes).isEmpty)
    }

    /// One entry of a directory (TIFF 6.0, 2).
    private static func entry(_ tag: Int, type: Int, count: Int, _ value: Int) -> [UInt8] {
        [(tag, 2), (type, 2), (count, 4), (value, 4)].flatMap { MarkedPicture.littleEndian($0, $1) }
    }

    /// A file without pixels, whose directories have these tags with these numbers.
    private static func file(_ directories: [[(tag: Int, value: Int)]]) -> [UInt8] {
        var bytes = Array("II*\0".utf8) + MarkedPicture.littleEndian(8, 4)
        for (index, fields) in directories.enumerated() {
            let next = index + 1 < directories.count ? bytes.count + 6 + 12 * fields.count : 0
            bytes += MarkedPicture.littleEndian(fields.count, 2)
            for field in fields { bytes += entry(field.tag, type: 4, count: 1, field.value) }
            bytes += MarkedPicture.littleEndian(next, 4)
        }
        return bytes
    }

    /// From the second side on, a page has more pixels than a number of 64 bits holds; kind 1 is a reduction.
    @Test(arguments: [[0, 1], [1, 1]])
    func pagesWhoseAreaIsNoNumberAreRefused(kinds: [Int]) throws {
        for side in [0x7FFF_FFFF, 0xB600_0000, 0xF000_0000] {
            let pages = kinds.enumerated().map { index, kind in
                [
                    (254, kind), (256, side - 16 * index), (257, side - 16 * index), (258, 1),
                    (259, Int(COMPRESSION_CCITTFAX4)), (262, 0), (273, 8), (277, 1), (279, 16),
                ]
            }
            #expect(try !Examined.failure(Self.file(pages), as: .tiff).isEmpty)
        }
    }

    /// 65,535 samples of a bit a pixel are 537 MB a row, and 4.3 GB with a byte for each.
    @Test func aRowThatNoMemoryHoldsIsRefused() {
        let bytes = Self.file([
            [(256, 65_535), (257, 900), (258, 1), (259, 1), (262, 1), (273, 8), (277, 65_535), (279, 88)]
        ])
        #expect(throws: FFmpegError(call: "TIFFReadDirectory", code: cffmpeg_error_of_errno(EFBIG))) {
            try bytes.withUnsafeBufferPointer { bytes throws in
                _ = try TIFFPicture.decoded(bytes, longSide: 64, maxPixels: 1 << 28)
            }
        }
    }

    /// A hundred entries of EXIF name one directory, of a hundred values of 2,000 bytes that lie in one place.
    @Test func entriesThatNameOnePlaceOverAndOverFillNoMemory() throws {
        func directory(of entry: [UInt8]) -> [UInt8] {
            MarkedPicture.littleEndian(100, 2) + [[UInt8]](repeating: entry, count: 100).joined() + [0, 0, 0, 0]
        }
        let start = [UInt8]("II*\0".utf8) + [8, 0, 0, 0]
        let bytes =
            start + directory(of: Self.entry(0x8769, type: 4, count: 1, 8 + 1206))
            + directory(of: Self.entry(0x9286, type: 7, count: 2000, 8))
        let block = try #require(bytes.withUnsafeBufferPointer { TIFFDirectories.gathered(from: $0) })
        #expect(block.count < 2 << 20)
    }
}

/// A decoder that leaves a picture blank is not believed without a word.
@Suite(.serialized) struct OneColourTests {
    private static let flat = Bitmap(width: 64, height: 48, rgb: [UInt8](repeating: 200, count: 64 * 48 * 3))

    @Test(arguments: [
        (PictureWriter.Format.png, false), (.bmp, false), (.tiff, false), (.jpeg, false), (.webp, true), (.jxl, true),
    ])
    func aPictureOfOneColourIsNotedWhereItsDecoderMayHaveMissedSomething(
        format: PictureWriter.Format, isNoted: Bool
    ) throws {
        let media = try Examined.media(try PictureWriter.encode(Self.flat, as: format), as: MediaType(format))
        #expect(media.thumbnails.count == 1)
        #expect(media.facts.notes.contains { $0.hasPrefix("The picture is of one colour: ") } == isNoted)
    }
}
