import FoundationEssentials
import MediaModel
import Testing

@testable import Media

/// The rule for the moment of capture: own offset, else satellites, else local, else the file's.
@Suite struct CaptureDateTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let taken: CivilTime?
        let satellites: CivilTime?
        /// In UTC, as `hour:minute`.
        let expected: (hour: Int, minute: Int)
        let source: CaptureDateSource

        init(
            _ fact: String, _ taken: String?, offset: String? = nil, gps: String? = nil, _ expected: (Int, Int),
            _ source: CaptureDateSource
        ) {
            testDescription = fact
            self.taken = taken.flatMap { CivilTime(exif: "2026:06:20 \($0)", offset: offset) }
            satellites = gps.flatMap { CivilTime(exif: "2026:06:20 \($0)", offset: "+00:00") }
            self.expected = expected
            self.source = source
        }
    }

    @Test(arguments: [
        Row("its own offset counts", "10:00:00", offset: "+09:00", (1, 0), .exif),
        Row("even beside satellites", "10:00:00", offset: "+09:00", gps: "02:00:00", (1, 0), .exif),
        Row("satellites tell the offset", "10:00:00", gps: "01:00:20", (1, 0), .exifGPS),
        Row("an offset of half an hour", "10:00:00", gps: "04:29:00", (4, 30), .exifGPS),
        Row("no zone explains seven minutes", "10:00:00", gps: "01:07:30", (1, 7), .gps),
        Row("satellites alone", nil, gps: "01:07:00", (1, 7), .gps),
    ])
    func theFirstThatKnowsIsBelieved(_ row: Row) throws {
        var exif = ExifFacts()
        (exif.taken, exif.satellites) = (row.taken, row.satellites)
        let taken = try #require(CaptureDate(exif))
        let seconds = Int(taken.date.timeIntervalSince1970) % 86_400
        #expect(seconds / 3600 == row.expected.hour)
        #expect(seconds / 60 % 60 == row.expected.minute)
        #expect(taken.source == row.source)
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
