import FoundationEssentials
import MediaModel
import Testing

@testable import Facts
@testable import Frames
@testable import Media
@testable import MediaMaking

/// The metadata blocks of each container, of which a file that ends early has all or nothing.
@Suite struct PicturePartsTests {
    private static let exif = ExifSegment().tiff
    private static let xmp = Array("<x:xmpmeta xmp:CreateDate='2026-06-20T10:00:00+09:00'/>".utf8)
    private static let iptc: [UInt8] =
        [0x1C, 2, 55, 0, 8] + Array("20260620".utf8) + [0x1C, 2, 60, 0, 11] + Array("100000+0900".utf8)

    private static func parts(_ file: [UInt8], _ type: MediaType) -> PictureParts {
        file.withUnsafeBufferPointer { PictureParts(of: $0, type: type) }
    }

    private static func bigEndian(_ value: Int, _ width: Int) -> [UInt8] {
        MarkedPicture.littleEndian(value, width).reversed()
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + bigEndian(content.count + 2, 2) + content
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        bigEndian(content.count + 8, 4) + Array(name.utf8) + content
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + MarkedPicture.littleEndian(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }

    private static func pngChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        bigEndian(content.count, 4) + Array(name.utf8) + content + [0, 0, 0, 0]
    }

    /// A container, its bytes, and what must be found of them.
    struct Container: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let type: MediaType
        let bytes: [UInt8]
        let exif: [UInt8]?
        let xmp: [UInt8]?
    }

    private static let containers: [Container] = [
        Container(
            testDescription: "JPEG, with a byte that fills", type: .jpeg,
            bytes: [0xFF, 0xD8] + segment(0xE0, Array("JFIF\0".utf8)) + [0xFF]
                + segment(0xE1, Array("Exif\0\0".utf8) + exif)
                + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp) + segment(0xDA, [0]),
            exif: Array("Exif\0\0".utf8) + exif, xmp: xmp),
        Container(
            testDescription: "PNG", type: .png,
            bytes: [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + pngChunk("IHDR", [UInt8](repeating: 1, count: 13))
                + pngChunk("eXIf", exif) + pngChunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp)
                + pngChunk("IEND", []),
            exif: exif, xmp: Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp),
        Container(
            testDescription: "WebP, of which a chunk has an odd length", type: .webp,
            bytes: Array("RIFF\0\0\0\0WEBP".utf8) + chunk("VP8X", [UInt8](repeating: 0, count: 10))
                + chunk("ICCP", [1, 2, 3]) + chunk("EXIF", exif) + chunk("XMP ", xmp + [10]),
            exif: exif, xmp: xmp + [10]),
        Container(
            testDescription: "JPEG XL, of which a box has a length of eight bytes", type: .jxl,
            bytes: box("JXL ", [13, 10, 0x87, 10]) + bigEndian(1, 4) + Array("Exif".utf8)
                + bigEndian(exif.count + 20, 8) + [0, 0, 0, 0] + exif + box("xml ", xmp) + box("jxlc", [0xFF, 10]),
            exif: exif, xmp: xmp),
        Container(
            testDescription: "JPEG 2000", type: .jp2,
            bytes: box("jP  ", [13, 10, 0x87, 10]) + box("uuid", Array("JpgTiffExif->JP2".utf8) + exif)
                + box(
                    "uuid",
                    [0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC]
                        + xmp), exif: exif, xmp: xmp),
    ]

    @Test(arguments: containers) func theBlocksAreFound(_ container: Container) {
        let parts = Self.parts(container.bytes, container.type)
        #expect(parts.exif == container.exif && parts.xmp == container.xmp)
        #expect(ExifFacts(parts.exif ?? []).model == "Camera 1")
        #expect(WrittenDates(parts).created?.offset == 32_400)
    }

    /// At every byte: a block is there as a whole, or not at all, and the one after another is not there before it.
    @Test(arguments: containers) func aCutFileHasWholeBlocks(_ container: Container) {
        var places: [Int] = []
        for count in 0...container.bytes.count {
            let parts = Self.parts(Array(container.bytes.prefix(count)), container.type)
            #expect(parts.exif == nil || parts.exif == container.exif, "\(count)")
            #expect(parts.xmp == nil || parts.xmp == container.xmp, "\(count)")
            #expect(parts.xmp == nil || parts.exif != nil, "\(count)")
            if parts.exif != nil, places.isEmpty { places.append(count) }
            if parts.xmp != nil, places.count == 1 { places.append(count) }
        }
        #expect(places.count == 2)
    }

    /// A type says what is looked for: another container's blocks are not found by chance.
    @Test(arguments: containers, [MediaType.jpeg, .png, .webp, .jxl, .tiff, .psd, .gif])
    func anotherTypesReaderFindsNothing(_ container: Container, type: MediaType) {
        guard type != container.type, !(type == .jxl && container.type == .jp2) else { return }
        let parts = Self.parts(container.bytes, type)
        #expect(parts.exif == nil && parts.xmp == nil && parts.iptc == nil)
    }

    @Test func theFirstEXIFOfAJPEGCounts() {
        let other = ExifSegment(model: "Another").tiff
        let head = Array("Exif\0\0".utf8)
        let bytes = [0xFF, 0xD8] + Self.segment(0xE1, head + Self.exif) + Self.segment(0xE1, head + other)
        #expect(ExifFacts(Self.parts(bytes, .jpeg).exif ?? []).model == "Camera 1")
    }

    /// What follows the first scan is the picture, whatever it looks like.
    @Test(arguments: [0xDA, 0xD9] as [UInt8]) func nothingIsReadBehindTheScan(marker: UInt8) {
        let late = Self.segment(0xE1, Array("Exif\0\0".utf8) + Self.exif)
        #expect(Self.parts([0xFF, 0xD8] + Self.segment(marker, [0]) + late, .jpeg).exif == nil)
    }

    /// Photoshop's block may be longer than a segment, and its records lie across two of them.
    @Test(arguments: [0, 1, 7, 13, 20, 24, 36]) func recordsMayLieInTwoSegments(cut: Int) {
        let mark = Array("Photoshop 3.0\0".utf8)
        let (first, second) = (Array(Self.iptc.prefix(cut)), Array(Self.iptc.dropFirst(cut)))
        let bytes = [0xFF, 0xD8] + Self.segment(0xED, mark + first) + Self.segment(0xED, mark + second)
        #expect(WrittenDates(Self.parts(bytes, .jpeg)).recorded?.offset == 32_400)
    }

    /// A day alone is noon, a time alone is nothing, and so is either of another length.
    @Test(
        arguments: [
            (Array(iptc.prefix(13)), 12), (Array(iptc.dropFirst(13)), nil), (iptc, 10), (iptc.reversed(), nil),
            (iptc.dropLast(), 12),
            ([0x1C, 2, 55, 0, 8] + Array("20261301".utf8) + iptc.dropFirst(13), nil),
            (Array(iptc.prefix(13)) + [0x1C, 2, 60, 0, 6] + Array("100000".utf8), 10),
        ] as [([UInt8], Int?)])
    func aMomentOfIPTCNeedsItsDay(records: [UInt8], hour: Int?) {
        var parts = PictureParts(exif: nil)
        parts.iptc = records
        let recorded = WrittenDates(parts).recorded
        #expect(recorded?.hour == hour)
        #expect(recorded?.isDayAlone ?? true == (hour != 10))
    }

    /// XMP in the words of many programs, and in none.
    @Test(
        arguments: [
            ("exif:DateTimeOriginal='2026-06-20T10:00'", 0), ("exif:DateTimeOriginal = \"2026-06-20T10:00:00.123\"", 0),
            ("<exif:DateTimeOriginal>\n\t2026-06-20T10:00:00-02:00\n</exif:DateTimeOriginal>", -7200),
            ("exif:DateTimeOriginal='2026:06:20 10:00:00'", 0), ("exif:DateTimeOriginal=''", nil),
            ("exif:DateTimeOriginal='soon'", nil), ("exif:DateTimeOriginal", nil),
            ("exif:DateTimeOriginal='' photoshop:DateCreated='2026-06-20T10:00:00Z'", 0),
        ] as [(String, Int?)])
    func aMomentOfXMP(text: String, offset: Int?) {
        var parts = PictureParts(exif: nil)
        parts.xmp = Array(text.utf8)
        let taken = WrittenDates(parts).taken
        #expect((taken != nil) == (offset != nil))
        #expect(taken == nil || taken?.hour == 10 && taken?.offset ?? 0 == offset)
    }
}

/// The directories of TIFF, which a hostile file may make endless.
@Suite struct TIFFDirectoryTests {
    private static func gathered(_ file: [UInt8]) -> [UInt8]? {
        file.withUnsafeBufferPointer { TIFFDirectories.gathered(from: $0) }
    }

    /// A header and its first directory, behind so many bytes of a picture, in either order of bytes.
    private static func file(
        _ entries: [[UInt8]], isBig: Bool = false, gap: Int = 0, tail: [UInt8] = []
    ) -> [UInt8] {
        func number(_ value: Int, _ width: Int) -> [UInt8] {
            let little = MarkedPicture.littleEndian(value, width)
            return isBig ? little.reversed() : little
        }
        let head = Array((isBig ? "MM" : "II").utf8) + number(42, 2) + number(8 + gap, 4)
        let picture = [UInt8](repeating: 9, count: gap)
        return head + picture + number(entries.count, 2) + entries.joined() + number(0, 4) + tail
    }

    private static func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
        MarkedPicture.littleEndian(tag, 2) + MarkedPicture.littleEndian(type, 2)
            + MarkedPicture.littleEndian(count, 4) + MarkedPicture.littleEndian(value, 4)
    }

    /// libexif reads no more than 65,520 bytes.
    @Test(arguments: [0, 65_510, 1 << 20]) func aDirectoryBehindThePictureIsRead(gap: Int) throws {
        let little = Self.file([Self.entry(0x110, 2, 4, 0x0072_6146)], gap: gap)
        let big = Self.file([[1, 0x10, 0, 2, 0, 0, 0, 4] + Array("Far\0".utf8)], isBig: true, gap: gap)
        for file in [little, big] {
            let block = try #require(Self.gathered(file))
            #expect(block.count < 100 && ExifFacts(block).model == "Far")
        }
    }

    /// Each cut has a block that can be read, or none.
    @Test func everyCutIsHarmless() {
        let tiff = ExifSegment().tiff
        for count in 0..<tiff.count {
            if let block = Self.gathered(Array(tiff.prefix(count))) { _ = ExifFacts(block) }
        }
        #expect(Self.gathered(tiff).map { ExifFacts($0).model } == "Camera 1")
    }

    /// A pointer to the directory that it is in, and two that point at each other, end.
    @Test(arguments: [8, 0, 1, 1 << 20, Int(UInt32.max)]) func aPointerThatLeadsNowhereEnds(place: Int) throws {
        let file = Self.file([Self.entry(0x110, 2, 4, 0x0072_6146), Self.entry(0x8769, 4, 1, place)])
        let block = try #require(Self.gathered(file))
        #expect(block.count < 200 && ExifFacts(block).model == "Far")
    }

    /// 5,000 entries that name one long value would be ten megabytes.
    @Test func entriesOfOneValueDoNotFillTheMemory() throws {
        let count = 5000
        let place = 8 + 2 + count * 12 + 4
        let entries = (0..<count).map { Self.entry($0 + 1, 2, 2000, place) }
        let block = try #require(Self.gathered(Self.file(entries, tail: [UInt8](repeating: 65, count: 2000))))
        #expect(block.count < 1 << 20 + 4000)
    }

    /// Values of a length or a place that no number of four bytes can hold together.
    @Test(arguments: [(2, Int(UInt32.max), 0), (5, 1 << 30, 8), (2, 5, Int(UInt32.max)), (9, 3, Int(UInt32.max) - 4)])
    func aValueOutsideOfTheFileIsLeftOut(type: Int, count: Int, place: Int) throws {
        let file = Self.file([Self.entry(0x10F, type, count, place), Self.entry(0x110, 2, 4, 0x0072_6146)])
        let exif = ExifFacts(try #require(Self.gathered(file)))
        #expect(exif.maker == nil && exif.model == "Far")
    }

    /// The last byte of a value is the last of the file, or one beyond.
    @Test(arguments: [(9, true), (8, false)]) func aValueMayEndWithTheFile(tail: Int, isRead: Bool) throws {
        let place = 8 + 2 + 12 + 4
        let text = Array("Far away\0".utf8.prefix(tail))
        let file = Self.file([Self.entry(0x110, 2, 9, place)], tail: text)
        #expect((ExifFacts(try #require(Self.gathered(file))).model == "Far away") == isRead)
    }
}

/// The movie of a motion photo, by the boxes that a damaged or hostile file may have.
@Suite struct EmbeddedClipTests {
    private static func box(_ name: String, _ length: Int, _ content: Int? = nil) -> [UInt8] {
        MarkedPicture.bigEndian(length) + Array(name.utf8) + [UInt8](repeating: 0, count: content ?? length - 8)
    }

    private static let picture = [UInt8](repeating: 7, count: 40)
    private static let start = box("ftyp", 24)

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let clip: [UInt8]
        /// Bytes of the movie; `nil` for none.
        let length: Int?
    }

    @Test(arguments: [
        Row(testDescription: "index and pictures", clip: start + box("moov", 30) + box("mdat", 50), length: 104),
        Row(testDescription: "in the other order", clip: start + box("mdat", 50) + box("moov", 30), length: 104),
        Row(
            testDescription: "an unknown box ends it",
            clip: start + box("moov", 30) + box("mdat", 50) + box("SEFT", 20), length: 104),
        Row(
            testDescription: "a length of eight bytes",
            clip: start + box("moov", 30) + box("mdat", 1, 4) + [0, 0, 0, 40] + [UInt8](repeating: 0, count: 24),
            length: 94),
        Row(
            testDescription: "a length that no file has",
            clip: start + box("moov", 30) + box("mdat", 1, 3) + [9, 0, 0, 0, 40] + [UInt8](repeating: 0, count: 24),
            length: nil),
        Row(testDescription: "no index", clip: start + box("mdat", 50), length: nil),
        Row(testDescription: "no pictures", clip: start + box("moov", 30), length: nil),
        Row(
            testDescription: "a box that ends beyond", clip: start + box("moov", 30) + box("mdat", 80, 42), length: nil),
        Row(testDescription: "a box of no length", clip: start + box("moov", 0, 40) + box("mdat", 50), length: nil),
        Row(
            testDescription: "a word by chance before it",
            clip: Array("ftyp".utf8) + picture + start + box("moov", 30) + box("mdat", 50), length: 104),
        Row(testDescription: "the word alone", clip: Array("ftyp".utf8), length: nil),
    ])
    func aMovieIsFoundByItsBoxes(_ row: Row) {
        for tail in [0, 16] {
            let file = Self.picture + row.clip + [UInt8](repeating: 0xEE, count: tail)
            let found = file.withUnsafeBufferPointer { EmbeddedClip(in: $0) }
            #expect(found?.length == row.length)
            if let found {
                #expect(file[(found.offset + 4)...].starts(with: "ftyp".utf8))
                #expect(found.offset + found.length <= file.count)
            }
        }
    }

    @Test func everyCutIsHarmless() {
        let file = Self.picture + Self.start + Self.box("moov", 30) + Self.box("mdat", 50)
        for count in 0..<file.count {
            let found = file.prefix(count).withUnsafeBufferPointer { EmbeddedClip(in: $0) }
            #expect(found == nil, "\(count)")
        }
    }
}
