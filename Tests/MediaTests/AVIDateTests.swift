import FoundationEssentials
import MediaModel
import Testing

@testable import Facts
@testable import Frames
@testable import Media
@testable import MediaMaking

/// The date of an AVI in its list of facts, which some cameras write behind the pictures.
@Suite(.serialized) struct AVIDateTests {
    private static func chunk(_ name: String, _ content: [UInt8], length: Int? = nil) -> [UInt8] {
        let stated = length ?? content.count
        let digits = (0..<4).map { UInt8(truncatingIfNeeded: stated >> (8 * $0)) }
        return Array(name.utf8) + digits + content + (content.count % 2 == 1 ? [0] : [])
    }

    private static func list(_ text: String, length: Int? = nil) -> [UInt8] {
        let date = chunk("ICRD", Array(text.utf8), length: length)
        return chunk("LIST", Array("INFO".utf8) + chunk("ISFT", [UInt8](repeating: 65, count: 9)) + date)
    }

    private static func avi(_ chunks: [UInt8]) -> [UInt8] {
        let movie = chunk("LIST", Array("movi".utf8) + [UInt8](repeating: 7, count: 301))
        return chunk("RIFF", Array("AVI ".utf8) + movie + chunks)
    }

    private static func time(in bytes: [UInt8]) -> CivilTime? {
        AVIDate.time { Array(bytes.dropFirst($0).prefix($1)) }
    }

    @Test(
        arguments: [
            ("2020-08-28\0\0", "2020-08-28 12:00:00"), ("2020-08-28", "2020-08-28 12:00:00"),
            ("2020-08-28 09:10:11", "2020-08-28 09:10:11"), ("2020", nil), ("2020-08", nil), ("2020-08-32", nil),
            ("0000-00-00", nil), ("August 28", nil), ("", nil),
        ] as [(String, String?)])
    func theDayIsRead(text: String, expected: String?) {
        let time = Self.time(in: Self.avi(Self.list(text)))
        var plain = time
        plain?.isDayAlone = false
        #expect(plain == expected.flatMap { CivilTime(iso8601: $0) })
        #expect(time?.isDayAlone ?? false == expected?.hasSuffix("12:00:00") ?? false)
        #expect(Self.time(in: Self.avi([]) + Self.avi(Self.list(text))) == time, "in a later part")
        #expect(Self.time(in: Self.avi(Self.list("") + Self.list(text))) == time, "in a later list")
    }

    @Test(arguments: [0, 9, 13, 255, Int(UInt32.max)]) func aLengthThatIsWrongIsHarmless(length: Int) {
        let found = Self.time(in: Self.avi(Self.list("2020-08-28\0\0", length: length)))
        #expect((found != nil) == (length > 9))
        for name in ["LIST", "RIFF", "junk"] {
            let bytes = Self.chunk(name, Array("INFO".utf8), length: length) + Self.list("2020-08-28")
            _ = Self.time(in: bytes)
        }
    }

    @Test func everyCutIsHarmless() {
        let bytes = Self.avi(Self.list("2020-08-28"))
        for count in 0..<bytes.count { #expect(Self.time(in: Array(bytes.prefix(count))) == nil, "\(count)") }
    }

    @Test func endlessChunksEnd() {
        var reads = 0
        let empty = Array("junk".utf8) + [0, 0, 0, 0] + Array("junk".utf8)
        let found = AVIDate.time { _, _ in
            reads += 1
            return empty
        }
        #expect(found == nil && reads == 1000)
    }

    @Test func aVideoHasTheDayOfItsList() throws {
        let scene = Scene(seed: 3, width: 64, height: 48, hasGrain: false).bitmap()
        let movie = try MovieWriter.encode(MovieWriter.Film(width: 64, height: 48, frames: 3), as: .avi) { _ in scene }
        let media = try Examined.media(movie + Self.list("2020-08-28"))
        let day = try #require(CivilTime(dayAlone: "2020-08-28"))
        #expect(media.facts.takenAt == CaptureDate(day, source: .container)?.date)
        #expect(media.facts.takenAtSource == .container && media.facts.notes == [] && media.thumbnails.count == 1)
    }
}
