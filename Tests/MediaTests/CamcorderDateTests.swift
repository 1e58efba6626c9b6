import FoundationEssentials
import MediaModel
import Testing

@testable import Facts
@testable import Frames
@testable import Media
@testable import MediaMaking

/// The dates that camcorders write into their pictures (AVCHD), whose container has no place for one.
@Suite(.serialized) struct CamcorderDateTests {
    private static let mark: [UInt8] = [
        0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66,
    ]

    /// The message with these entries.
    private static func message(_ entries: [UInt8]...) -> [UInt8] {
        mark + Array("MDPM".utf8) + [UInt8(entries.count)] + entries.joined()
    }

    /// 2012-01-26 09:18:35, by a clock that is set to this zone.
    private static func entries(_ zone: UInt8) -> [UInt8] {
        message([0x18, zone, 0x20, 0x12, 0x01], [0x19, 0x26, 0x09, 0x18, 0x35])
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        /// `nil` for no date; else the hour, and seconds east of UTC.
        let expected: (hour: Int, offset: Int)?
    }

    @Test(arguments: [
        Row(testDescription: "in UTC", bytes: entries(0), expected: (9, 0)),
        Row(testDescription: "east", bytes: entries(0x12), expected: (9, 9 * 3600)),
        Row(testDescription: "west and half an hour", bytes: entries(0x27), expected: (9, -12_600)),
        Row(testDescription: "in summer, when the clock is an hour ahead", bytes: entries(0x42), expected: (9, 7200)),
        Row(
            testDescription: "after another entry",
            bytes: message([0x13, 1, 2, 3, 4], [0x18, 0, 0x20, 0x12, 0x01], [0x19, 0x26, 0x09, 0x18, 0x35]),
            expected: (9, 0)),
        Row(
            testDescription: "midnight, whose zeros have a byte between them that keeps them from being a mark",
            bytes: message([0x18, 0, 0x20, 0x12, 0x01], [0x19, 0x26, 0, 0, 3, 0]), expected: (0, 0)),
        Row(testDescription: "the day alone", bytes: message([0x18, 0, 0x20, 0x12, 0x01]), expected: nil),
        Row(
            testDescription: "no decimal digits", bytes: message([0x18, 0, 0x20, 0x12, 0x1A], [0x19, 1, 1, 1, 1]),
            expected: nil),
        Row(
            testDescription: "an unset clock", bytes: message([0x18, 0, 0, 0, 0], [0x19, 0, 0, 0, 0]), expected: nil),
        Row(testDescription: "no message", bytes: [UInt8](repeating: 0x20, count: 64), expected: nil),
    ])
    func theDateIsRead(_ row: Row) {
        let start: [UInt8] = [0, 0, 0, 1, 6, 5, 30]
        let found = CameraNote(avchd: start + row.bytes + [0x80])?.time
        #expect(found?.hour == row.expected?.hour && found?.offset == row.expected?.offset)
        if row.expected != nil { #expect(found?.year == 2012 && found?.month == 1 && found?.day == 26) }
    }

    /// The makers' numbers as ExifTool has them; all but Sony's camcorders leave their names out.
    @Test(arguments: [
        (0x0108, "ILCE-7M3\0\0\0\0", "Sony ILCE-7M3"), (0x0108, "\0\0\0\0\0\0\0\0\0\0\0\0", "Sony"),
        (0x0103, "\u{1}23456789012", "Panasonic"), (0x1011, "123456789012", "Canon"), (0x7777, "ILCE-7M3\0\0\0\0", nil),
    ])
    func theCamcorderIsNamed(maker: Int, name: String, camera: String?) {
        var bytes = Self.mark + Array("MDPM".utf8)
        bytes += [4, 0xE0, UInt8(maker >> 8), UInt8(maker & 0xFF), 0xFF, 0xFF]
        for (index, letter) in name.utf8.enumerated() {
            if index % 4 == 0 { bytes.append(UInt8(0xE4 + index / 4)) }
            bytes.append(letter)
        }
        let note = CameraNote(avchd: bytes)
        #expect(MediaFacts.camera(maker: note?.maker, model: note?.model) == camera)
        #expect(note != nil && note?.time == nil)
    }

    /// The packs of a tape's date and time; of the century only two digits are written.
    @Test(
        arguments: [
            ([0x62, 0xFF, 0xD6, 0xE2, 0x10, 0x63, 0xFF, 0xA8, 0xB6, 0xE1], "2010:02:16 21:36:28"),
            ([0x62, 0xFF, 0xC5, 0xF2, 0x98, 0x63, 0xFF, 0x80, 0x80, 0xC0], "1998:12:05 00:00:00"),
            ([0x62, 0xFF, 0xFF, 0xFF, 0xFF, 0x63, 0xFF, 0xFF, 0xFF, 0xFF], nil),
            ([0x62, 0xFF, 0xD6, 0xE2, 0x10, 0x60, 0xFF, 0xA8, 0xB6, 0xE1], nil),
        ] as [([UInt8], String?)])
    func theDateOfATapeIsRead(packs: [UInt8], expected: String?) {
        var frame = [UInt8](repeating: 0xFF, count: 480)
        frame.replaceSubrange(400..<403, with: [0x50, 7, 2])
        frame.replaceSubrange(458..<468, with: packs)
        #expect(CameraNote(dv: frame)?.time == expected.flatMap { CivilTime(exif: $0) })
        for count in 0..<frame.count { #expect(CameraNote(dv: Array(frame.prefix(count))) == nil) }
    }

    @Test func everyCutIsHarmless() {
        let bytes = Self.entries(0)
        for count in 0..<bytes.count {
            #expect(CameraNote(avchd: Array(bytes.prefix(count)))?.time == nil, "\(count)")
        }
    }

    /// In the place of what x264 says of itself in its first picture.
    @Test func aVideoOfACamcorderHasItsDate() throws {
        let scene = Scene(seed: 91, width: 96, height: 64, hasGrain: false).bitmap()
        var movie = try MovieWriter.encode(MovieWriter.Film(width: 96, height: 64, frames: 4), as: .ts) { _ in scene }
        let own: [UInt8] = [0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7]
        let place = try #require(movie.withUnsafeBufferPointer { $0.place(of: own) })
        let message = Self.message(
            [0x18, 0x12, 0x20, 0x12, 0x01], [0x19, 0x26, 0x09, 0x18, 0x35], [0xE0, 0x10, 0x11, 0xFF, 0xFF])
        movie.replaceSubrange(place..<place + message.count, with: message)
        let media = try Examined.media(movie)
        #expect(media.facts.takenAtSource == .container && media.facts.isExposureDate == true)
        #expect(media.facts.takenAt?.timeIntervalSince1970 == 1_327_537_115 && media.facts.camera == "Canon")
        #expect(media.thumbnails.count == 1 && media.facts.notes == [])
    }
}
