import FoundationEssentials
import MediaModel
import Platform
import Testing

@testable import Facts
@testable import Frames
@testable import Media
@testable import MediaMaking

/// The rule for the moment of capture: EXIF, XMP, IPTC, satellites; own offset, else the satellites', else local.
@Suite struct CaptureDateTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let taken: CivilTime?
        let satellites: CivilTime?
        /// In UTC, as `hour:minute`.
        let expected: (hour: Int, minute: Int)
        /// Seconds by which the clock is ahead of UTC.
        let ahead: Int?
        let source: CaptureDateSource

        init(
            _ fact: String, _ taken: String?, offset: String? = nil, gps: String? = nil, _ expected: (Int, Int),
            ahead: Int?, _ source: CaptureDateSource
        ) {
            testDescription = fact
            self.taken = taken.flatMap { CivilTime(exif: "2026:06:20 \($0)", offset: offset) }
            satellites = gps.flatMap { CivilTime(exif: "2026:06:20 \($0)", offset: "+00:00") }
            self.expected = expected
            self.ahead = ahead
            self.source = source
        }
    }

    @Test(arguments: [
        Row("its own offset counts", "10:00:00", offset: "+09:00", (1, 0), ahead: 32_400, .exif),
        Row("even beside satellites", "10:00:00", offset: "+09:00", gps: "02:00:00", (1, 0), ahead: 32_400, .exif),
        Row("satellites tell the offset", "10:00:00", gps: "01:00:20", (1, 0), ahead: 32_400, .exifGPS),
        Row("an offset of half an hour", "10:00:00", gps: "04:29:00", (4, 30), ahead: 19_800, .exifGPS),
        Row("UTC by a number is a zone", "10:00:00", offset: "+00:00", (10, 0), ahead: 0, .exif),
        Row("satellites alone", nil, gps: "01:07:00", (1, 7), ahead: nil, .gps),
    ])
    func theFirstThatKnowsIsBelieved(_ row: Row) throws {
        var exif = ExifFacts()
        (exif.taken, exif.satellites) = (row.taken, row.satellites)
        let taken = try #require(CaptureDate(exif))
        let seconds = Int(taken.date.timeIntervalSince1970) % 86_400
        #expect(seconds / 3600 == row.expected.hour)
        #expect(seconds / 60 % 60 == row.expected.minute)
        #expect(taken.source == row.source)
        #expect(taken.offset == row.ahead)
    }

    /// Receivers without a fix repeat an old day: then the camera's clock counts, as this computer's local time.
    @Test(arguments: ["2017:01:01 00:00:00", "2026:06:18 01:00:00", "2026:06:20 01:07:30"])
    func satellitesThatDoNotAgreeAreNotBelieved(gps: String) throws {
        var exif = ExifFacts()
        exif.taken = CivilTime(exif: "2026:06:20 10:00:00")
        exif.satellites = CivilTime(exif: gps, offset: "+00:00")
        let taken = try #require(CaptureDate(exif))
        #expect(taken.source == .exifLocal)
        #expect(abs(taken.date.timeIntervalSince1970 - 1_781_949_600) < 15 * 3600)
    }

    /// Which of several dates counts, by the day that each states.
    @Test(arguments: [
        (["taken", "xmp", "iptc", "digitized", "gps", "changed"], CaptureDateSource.exif, 1),
        (["xmp", "iptc", "digitized", "gps", "changed"], .xmp, 2), (["iptc", "digitized", "gps"], .iptc, 3),
        (["digitized", "gps", "changed"], .exif, 4), (["gps", "changed"], .gps, 5), (["changed"], .exif, 6),
    ])
    func theMostTrustworthyIsBelieved(given: [String], source: CaptureDateSource, day: Int) throws {
        func date(_ name: String, _ day: Int) -> CivilTime? {
            given.contains(name) ? CivilTime(exif: "2026:06:0\(day) 10:00:00", offset: "+00:00") : nil
        }
        var (exif, written) = (ExifFacts(), WrittenDates())
        (exif.taken, exif.digitized, exif.changed) = (date("taken", 1), date("digitized", 4), date("changed", 6))
        (written.taken, written.recorded, exif.satellites) = (date("xmp", 2), date("iptc", 3), date("gps", 5))
        let taken = try #require(CaptureDate(exif, written))
        #expect(taken.source == source)
        #expect(Int(taken.date.timeIntervalSince1970) == 1_780_308_000 + (day - 1) * 86_400)
        #expect(taken.isOfExposure == (day <= 3))
    }

    /// XMP part 1, 8.2.1.2: as an attribute or an element, with or without seconds.
    @Test(arguments: [
        "exif:DateTimeOriginal=\"2026-06-20T10:00:00+09:00\"", "<photoshop:DateCreated>2026-06-20T10:00+09:00</x>",
        "xmp:CreateDate='2026-06-20T01:00:00.25Z'",
    ])
    func xmpIsRead(text: String) {
        var parts = PictureParts(exif: nil)
        parts.xmp = Array("<x \(text)/>".utf8)
        let date = CaptureDate(ExifFacts(), WrittenDates(parts))
        #expect(date?.source == .xmp)
        #expect(date?.date.timeIntervalSince1970 == 1_781_917_200)
        // A bare Z says nothing of the clock there.
        #expect(date?.offset == (text.contains("Z") ? nil : 32_400))
    }

    @Test func xmpTellsTheOffsetOfTheSameTime() {
        var (exif, written) = (ExifFacts(), WrittenDates())
        exif.taken = CivilTime(exif: "2026:06:20 10:00:00")
        written.created = CivilTime(exif: "2026:06:20 10:00:00", offset: "+09:00")
        let date = CaptureDate(exif, written)
        #expect(date?.source == .exif)
        #expect(date?.date.timeIntervalSince1970 == 1_781_917_200)
    }

    /// A day without a time, which is noon here; a month or a day that is left out is the first.
    @Test(arguments: [
        ("2026-06-20", 20, 6), ("2026-06", 1, 6), ("2026", 1, 1),
    ])
    func xmpMayStateADayAlone(text: String, day: Int, month: Int) throws {
        var parts = PictureParts(exif: nil)
        parts.xmp = Array("<x photoshop:DateCreated=\"\(text)\"/>".utf8)
        let written = WrittenDates(parts)
        let noon = "2026:0\(month):\(day < 10 ? "0" : "")\(day) 12:00:00"
        #expect(CaptureDate(ExifFacts(), written) == CaptureDate(try #require(CivilTime(exif: noon)), source: .xmp))
    }

    @Test(arguments: [
        "", "2026-", "2026-6-20", "2026-06-31", "2026-13", "1904", "20260620", "2026-06-20-1", "-026", "2026:06:20",
    ])
    func whatIsNoDayIsNoDate(text: String) {
        var parts = PictureParts(exif: nil)
        parts.xmp = Array("<x photoshop:DateCreated=\"\(text)\"/>".utf8)
        #expect(CaptureDate(ExifFacts(), WrittenDates(parts)) == nil)
    }

    /// IIM 4.2, 2:55 alone, with parts that are not known, and with a time that has no offset or is none.
    @Test(
        arguments: [
            ("20260620", nil, "2026:06:20 12:00:00"), ("20260600", nil, "2026:06:01 12:00:00"),
            ("20260000", nil, "2026:01:01 12:00:00"), ("20260620", "103000", "2026:06:20 10:30:00"),
            ("20260620", "      +0900", "2026:06:20 12:00:00"), ("00000000", nil, nil), ("2026062", nil, nil),
        ] as [(String, String?, String?)])
    func iptcMayStateADayAlone(date: String, time: String?, expected: String?) {
        var parts = PictureParts(exif: nil)
        parts.iptc = [0x1C, 2, 55, 0, UInt8(date.utf8.count)] + Array(date.utf8)
        if let time { parts.iptc? += [0x1C, 2, 60, 0, UInt8(time.utf8.count)] + Array(time.utf8) }
        let found = CaptureDate(ExifFacts(), WrittenDates(parts))
        #expect(found == expected.flatMap { CivilTime(exif: $0) }.flatMap { CaptureDate($0, source: .iptc) })
    }

    /// As exports without EXIF state it.
    @Test(arguments: [
        ("<x tiff:Make=\"Canon\" tiff:Model='Canon EOS 5D'/>", "Canon EOS 5D"),
        ("<tiff:Make>PENTAX Corporation </tiff:Make><tiff:Model>K100D</tiff:Model>", "PENTAX Corporation K100D"),
        ("<x tiff:Model=\"\"/>", nil), ("<x/>", nil),
    ])
    func theCameraIsThatOfXMPWithoutEXIF(xmp: String, camera: String?) throws {
        var parts = PictureParts(exif: nil)
        parts.xmp = Array(xmp.utf8)
        let file = try Examined.file([])
        var facts = MediaFacts(kind: .photo, type: .png)
        facts.add(ExifFacts(), WrittenDates(parts), of: file.descriptor)
        #expect(facts.camera == camera)
        var exif = ExifFacts()
        exif.model = "Camera 1"
        facts.add(exif, WrittenDates(parts), of: file.descriptor)
        #expect(facts.camera == "Camera 1")
    }

    /// A scan has its own day by XMP; the moment of digitizing is that of another day, and satellites have none of it.
    @Test(
        arguments: [
            ("2026:06:20 10:00:00", nil, CaptureDateSource.exifLocal, "10:00:00"),
            ("2026:06:21 10:00:00", nil, .xmp, "12:00:00"), (nil, "2026:06:20 03:00:00", .gps, nil),
            (nil, "2026:06:21 03:00:00", .xmp, "12:00:00"),
        ] as [(String?, String?, CaptureDateSource, String?)])
    func aDayHasTheTimeOfWhateverStatesOne(
        digitized: String?, satellites: String?, source: CaptureDateSource, time: String?
    ) throws {
        var (exif, written) = (ExifFacts(), WrittenDates())
        written.taken = CivilTime(dayAlone: "2026-06-20")
        exif.digitized = digitized.flatMap { CivilTime(exif: $0) }
        exif.satellites = satellites.flatMap { CivilTime(exif: $0, offset: "+00:00") }
        let found = try #require(CaptureDate(exif, written))
        #expect(found.source == source)
        let clock = time.flatMap { CivilTime(exif: "2026:06:20 \($0)") } ?? exif.satellites
        #expect(found.date == CaptureDate(try #require(clock), source: source)?.date)
    }

    @Test func iptcIsRead() {
        var parts = PictureParts(exif: nil)
        let day: [UInt8] = [0x1C, 2, 55, 0, 8] + Array("20260620".utf8)
        parts.iptc = day + [0x1C, 2, 60, 0, 11] + Array("100000+0900".utf8)
        #expect(CaptureDate(ExifFacts(), WrittenDates(parts))?.date.timeIntervalSince1970 == 1_781_917_200)
    }

    /// A box of JPEG XL or JPEG 2000.
    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 8
        return [0, 0, UInt8(length >> 8), UInt8(length & 255)] + Array(name.utf8) + content
    }

    /// A Brotli stream of one block that is not packed (RFC 7932, 9.2).
    private static func brotli(_ content: [UInt8]) -> [UInt8] {
        let head = (content.count - 1) << 4 | 1 << 20
        return [UInt8(head & 255), UInt8(head >> 8 & 255), UInt8(head >> 16)] + content + [3]
    }

    @Test(arguments: [
        (MediaType.jxl, box("brob", Array("Exif".utf8) + brotli([0, 0, 0, 0] + ExifSegment().tiff))),
        (MediaType.jxl, box("Exif", [0, 0, 0, 0] + ExifSegment().tiff)),
        (MediaType.jxl, box("Exif", ExifSegment().tiff)),
        (.jp2, box("uuid", Array("JpgTiffExif->JP2".utf8) + ExifSegment().tiff)),
    ])
    func exifInBoxesIsRead(type: MediaType, box: [UInt8]) {
        let parts = (Self.box("ftyp", [0, 0, 0, 0]) + box).withUnsafeBufferPointer { PictureParts(of: $0, type: type) }
        #expect(ExifFacts(parts.exif ?? []).taken?.offset == 9 * 3600)
    }

    /// A program may say with the pointer's type that it leads to a directory.
    @Test func exifOfATIFFIsReadByEitherTypeOfPointer() throws {
        for type: UInt8 in [4, 13] {
            var tiff = ExifSegment().tiff
            let tag = try #require(tiff.indices.first { tiff[$0...].starts(with: [0x87, 0x69]) })
            tiff[tag + 3] = type
            let parts = tiff.withUnsafeBufferPointer { PictureParts(of: $0, type: .tiff) }
            #expect(ExifFacts(parts.exif ?? []).taken?.offset == 9 * 3600, "\(type)")
        }
    }

    /// A PNG with a block in a text, as ImageMagick writes it.
    private static func facts(ofText key: String, word: String, _ block: [UInt8]) throws -> MediaFacts {
        let digits = block.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let text = Array("Raw profile type \(key)\0\n\(word)\n    \(block.count)\n\(digits)\n".utf8)
        let plain = try PictureWriter.encode(Scene(seed: 1, width: 64, height: 48).bitmap(), as: .png)
        return try Examined.media(MarkedPicture.inserting("tEXt", text, into: plain)).facts
    }

    @Test(arguments: ["exif", "Exif"]) func exifInTheTextOfAPNGIsRead(word: String) throws {
        let facts = try Self.facts(ofText: "exif", word: word, ExifSegment().tiff)
        #expect(facts.takenAtSource == .exif)
        #expect(facts.camera == "Gallery Camera 1")
    }

    @Test func xmpInTheTextOfAPNGIsRead() throws {
        let xmp = Array("<x xmp:CreateDate='2026-06-20T10:00:00+09:00' tiff:Model='Camera 2'/>".utf8)
        let facts = try Self.facts(ofText: "xmp", word: "xmp", xmp)
        #expect(facts.takenAtSource == .xmp && facts.camera == "Camera 2")
    }

    @Test(arguments: ["iptc", "8bim"]) func recordsInTheTextOfAPNGAreRead(key: String) throws {
        let records = [0x1C, 2, 55, 0, 8] + Array("20260620".utf8) + [0x1C, 2, 60, 0, 11] + Array("100000+0900".utf8)
        let facts = try Self.facts(ofText: key, word: key, Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 32] + records)
        #expect(facts.takenAtSource == .iptc && facts.takenAtOffset == 9 * 3600)
    }

    /// As a program wrote it that left directory 0 with nothing but the pointer.
    @Test func theCameraMayStandInTheDirectoryOfEXIF() {
        let head: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26]
        let entry: [UInt8] = [0, 0, 0, 0, 0, 1, 0x01, 0x10, 0, 2, 0, 0, 0, 9, 0, 0, 0, 44, 0, 0, 0, 0]
        #expect(ExifFacts(head + entry + Array("Camera 3\0".utf8)).model == "Camera 3")
    }

    @Test(arguments: [Array("Exif".utf8) + [1, 2, 3], Array("Exif".utf8), [7]])
    func aPackedBoxThatIsDamagedIsLeftOut(content: [UInt8]) {
        let file = Self.box("ftyp", [0, 0, 0, 0]) + Self.box("brob", content)
        #expect(file.withUnsafeBufferPointer { PictureParts(of: $0, type: .jxl) }.exif == nil)
    }

    @Test(arguments: [(132_922_728_000_000_000, 1_647_799_200), (0, nil), (1, nil), (-1, nil)] as [(Int, Int?)])
    func windowsMediaCountsFrom1601(ticks: Int, seconds: Int?) {
        let object: [UInt8] = [
            0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0, 0xC0, 0x0C, 0x20, 0x53, 0x65,
        ]
        let date = (0..<8).map { UInt8(truncatingIfNeeded: ticks >> (8 * $0)) }
        let bytes = [9, 9] + object + [UInt8](repeating: 0, count: 32) + date
        #expect(ASFDate.seconds(in: bytes) == seconds)
        #expect(ASFDate.seconds(in: Array(bytes.dropLast())) == nil)
    }

    @Test func withoutAnythingElseTheFilesTimeCounts() throws {
        let media = try Examined.media(
            try PictureWriter.encode(Scene(seed: 1, width: 64, height: 48).bitmap(), as: .jpeg))
        #expect(media.facts.takenAtSource == .file)
    }

    @Test(arguments: [
        ("0000:00:00 00:00:00", "empty"), ("    :  :     :  :  ", "blank"), ("65535:01:01 00:00:00", "absurd"),
        ("2026:13:01 00:00:00", "thirteenth month"), ("1970:01:01 00:00:00", "an unset clock"),
    ])
    func anAbsurdDateIsDropped(text: String, why: String) {
        #expect(CivilTime(exif: text) == nil, "\(why)")
        #expect(ExifFacts(ExifSegment(takenAt: text).tiff).taken == nil)
    }

    @Test(
        arguments: [
            ([0, 0, 0, 0], true), ([0, 0, 0, 6] + Array("Exif\0\0".utf8), true), ([], true), ([0, 1, 0, 0], false),
        ] as [([UInt8], Bool)])
    func exifOfAnItemMayLackItsOffset(start: [UInt8], isRead: Bool) {
        let block = ExifSegment().tiff
        #expect(PictureParts.exif(behindOffset: start + block) == (isRead ? block : nil))
    }

    /// A directory 0 that holds the moment of exposure, or that of digitizing, and nothing else.
    @Test(arguments: [(0x03, true), (0x04, false)] as [(UInt8, Bool)])
    func aMomentMayStandInTheFirstDirectory(tag: UInt8, isOfExposure: Bool) {
        let entry: [UInt8] = [0x90, tag, 0, 2, 0, 0, 0, 20, 0, 0, 0, 26, 0, 0, 0, 0]
        let exif = ExifFacts([0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1] + entry + Array("2006:05:27 12:37:03\0".utf8))
        let moment = isOfExposure ? exif.taken : exif.digitized
        #expect(moment?.year == 2006 && moment?.second == 3)
        #expect((isOfExposure ? exif.digitized : exif.taken) == nil)
    }

    @Test func exifIsReadFromItsBlock() {
        let block = ExifSegment(orientation: 6, maker: "Maker", model: "Model 3").tiff
        for bytes in [block, Array("Exif\0\0".utf8) + block] {
            let exif = ExifFacts(bytes)
            #expect(exif.maker == "Maker")
            #expect(exif.model == "Model 3")
            #expect(exif.orientation == Orientation(exif: 6))
            #expect(exif.taken?.offset == 9 * 3600)
        }
    }

    /// Every cut and many changed bytes of a block are read without harm.
    @Test func damagedExifIsHarmless() {
        let block = ExifSegment().tiff
        for count in 0..<block.count { _ = ExifFacts(Array(block.prefix(count))) }
        var dice = BadFileTests.SystemDice(state: 1)
        for _ in 0..<500 {
            var bytes = block
            for _ in 0..<4 { bytes[Int.random(in: 8..<bytes.count, using: &dice)] = .random(in: 0...255, using: &dice) }
            _ = ExifFacts(bytes)
        }
    }
}
