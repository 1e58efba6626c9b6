import FoundationEssentials
import MediaModel
import Testing

@testable import Facts
@testable import Frames
@testable import Media
@testable import MediaMaking

/// What cameras and editors state in boxes of a movie that FFmpeg does not hand over.
@Suite(.serialized) struct CameraNoteTests {
    /// What a file says whose movie has this user data, followed by these boxes.
    private static func note(_ user: [UInt8], file: [UInt8] = []) -> CameraNote? {
        let bytes =
            MarkedMovie.box("ftyp", Array("mp42".utf8)) + MarkedMovie.box("moov", MarkedMovie.box("udta", user)) + file
        return CameraNote(
            MovieBoxes(size: bytes.count) { Array(bytes.dropFirst($0).prefix($1)) })
    }

    private static func time(_ text: String?) -> CivilTime? { text.flatMap { CivilTime(iso8601: $0) } }

    @Test(
        arguments: [
            ("2018-02-07T10:15:08-0500", "2018-02-07T10:15:08-0500"),
            ("2020-11-20T15:04:02+01:00\0", "2020-11-20T15:04:02+01:00"),
            ("2021-05-16T19:27:55Z", nil), ("2021-05-16T19:27:55", nil), ("2021-05-16", nil), ("yesterday", nil),
            ("", nil),
        ] as [(String, String?)])
    func aSharedMovieHasItsDate(text: String, expected: String?) {
        let note = Self.note(MarkedMovie.box("free", [0]) + MarkedMovie.box("date", Array(text.utf8)))
        #expect(note?.time == Self.time(expected) && note?.maker == nil && (note != nil) == (expected != nil))
    }

    /// The settings of a GoPro, in which other devices come before and behind the camera's name.
    @Test(
        arguments: [
            ("MINFc\u{1}\0\u{1E}GoPro Max" + String(repeating: "\0", count: 21), "GoPro Max"),
            ("MINFc\u{1}\0\u{B}HERO9 Black\0", "GoPro HERO9 Black"),
            ("MINFc\u{B}\0\u{1}HERO6 Black\0", "GoPro HERO6 Black"),
            ("MINFc\u{1}\0\0HERO9 Black\0", nil), ("MINFc\u{7F}\u{7F}\u{7F}HERO", "GoPro HERO"),
            ("MINFL\u{4}\0\u{1}ABCD", nil),
            ("MINFc\u{1}", nil), ("MINFc\u{1}\0\u{1}", nil), ("MINFc\u{1}\0\u{4}\u{1}\u{2}\u{3}\u{4}", nil), ("", nil),
        ] as [(String, String?)])
    func aGoProNamesItself(record: String, camera: String?) {
        let settings = "DEVC\0\u{1}\0\u{40}DVNMc\u{1}\0\u{F}Global Settings\0" + record
        let note = Self.note(MarkedMovie.box("GPMF", Array(settings.utf8)))
        #expect(MediaFacts.camera(maker: note?.maker, model: note?.model) == camera && note?.time == nil)
    }

    private static func sony(date: String, device: String) -> [UInt8] {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?><NonRealTimeMeta xmlns="urn:schemas-professionalDisc:nonRealTimeMeta:ver.2.00" \
            lastUpdate="2020-01-01T00:00:00+09:00"><Duration value="100"/>\(date)<Lens modelName="E 50mm"/>\(device)</NonRealTimeMeta>
            """
        let handler = MarkedMovie.box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("nrtm".utf8))
        return MarkedMovie.box("meta", [0, 0, 0, 0] + handler + MarkedMovie.box("xml ", Array(text.utf8)))
    }

    private static let device = "<Device manufacturer=\"Sony\" modelName=\"ILCE-7M4\" serialNo=\"1\"/>"

    @Test(
        arguments: [
            (
                sony(date: "<CreationDate value=\"2020-08-01T12:00:00+09:00\"/>", device: device),
                "2020-08-01T12:00:00+09:00", "Sony ILCE-7M4"
            ),
            (sony(date: "<CreationDate value='2020-08-01T12:00:00Z'/>", device: ""), "2020-08-01T12:00:00Z", nil),
            (sony(date: "<CreationDate value=\"\"/>", device: device), nil, "Sony ILCE-7M4"),
            (sony(date: "<CreationDate value=\"2020-08-01T12", device: "<Device manufacturer=\"Sony"), nil, "Sony"),
            (sony(date: "", device: ""), nil, nil), (MarkedMovie.box("meta", [0, 0, 0, 0]), nil, nil),
        ] as [([UInt8], String?, String?)])
    func aSonyDescribesItsClip(file: [UInt8], date: String?, camera: String?) {
        let note = Self.note([], file: file)
        #expect(note?.time == Self.time(date))
        #expect(MediaFacts.camera(maker: note?.maker, model: note?.model) == camera)
    }

    private static func xmp(_ date: String) -> [UInt8] {
        Array("<x:xmpmeta><rdf:Description exif:DateTimeOriginal=\"\(date)\" tiff:Model=\"X\"/></x:xmpmeta>".utf8)
    }

    /// Both places of XMP; a day alone would say less than the movie's header.
    @Test(
        arguments: [("2014-07-15T06:57:34Z", "2014-07-15T06:57:34Z"), ("2014-07-15", nil), ("", nil)]
            as [(String, String?)])
    func anEditorStatesADate(text: String, expected: String?) {
        let notes = [
            Self.note(MarkedMovie.box("XMP_", Self.xmp(text))),
            Self.note([], file: MarkedMovie.box("uuid", PictureParts.xmpBox + Self.xmp(text))),
        ]
        for note in notes { #expect(note?.time == Self.time(expected) && note?.model == "X") }
    }

    /// In a file: before the header's date, which is that of the conversion, and behind Apple's own tag.
    @Test func theNoteComesBeforeTheHeader() throws {
        let scene = Scene(seed: 91, width: 96, height: 64, hasGrain: false).bitmap()
        let movie = try MovieWriter.encode(MovieWriter.Film(width: 96, height: 64, frames: 3), as: .mp4) { _ in scene }
        let marked = MarkedMovie.user(movie, "date", Array("2018-02-07T10:15:08-0500".utf8))
        let facts = try Examined.media(marked).facts
        #expect(facts.takenAt?.timeIntervalSince1970 == 1_518_016_508 && facts.takenAtOffset == -18_000)
        #expect(facts.takenAtSource == .container && facts.isExposureDate == true && facts.notes == [])
        let apple = MarkedMovie.quickTime(
            marked, key: "com.apple.quicktime.creationdate", "2018-02-07T11:00:00-0500")
        #expect(try Examined.media(apple).facts.takenAt?.timeIntervalSince1970 == 1_518_019_200)
    }
}
