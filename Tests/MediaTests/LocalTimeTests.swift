import FoundationEssentials
import Glibc
import MediaModel
import Testing

@testable import Facts
@testable import Frames
@testable import Media
@testable import MediaMaking

/// Dates without a zone are this computer's local time; each test has a process of its own, nine hours east of UTC.
@Suite struct LocalTimeTests {
    /// Makes this process's clock that of Japan, by a rule that needs no file.
    private static func moveToJapan() {
        setenv("TZ", "JST-9", 1)
        tzset()
    }

    /// 2026-06-20 10:00:00 in Japan.
    private static let morning = Date(timeIntervalSince1970: 1_781_917_200)

    @Test func aClockWithoutAZoneIsLocal() async {
        await #expect(processExitsWith: .success) {
            Self.moveToJapan()
            var exif = ExifFacts()
            exif.taken = CivilTime(exif: "2026:06:20 10:00:00")
            let taken = try #require(CaptureDate(exif))
            #expect(taken.date == Self.morning && taken.source == .exifLocal && taken.offset == 32_400)
        }
    }

    /// A camera's clock: RIFF has no zones.
    @Test func theDateOfAnAVIIsLocal() async {
        await #expect(processExitsWith: .success) {
            Self.moveToJapan()
            let scene = Scene(seed: 3, width: 64, height: 48, hasGrain: false).bitmap()
            let film = MovieWriter.Film(width: 64, height: 48, frames: 3, keyInterval: 5)
            let movie = try MovieWriter.encode(film, as: .avi) { _ in scene }
            for text in ["Sat Jun 20 10:00:00 2026", "2026/06/20 10:00:00"] {
                let media = try Examined.media(try #require(MarkedMovie.avi(movie, takenAt: text)))
                #expect(media.facts.takenAt == Self.morning && media.facts.takenAtSource == .container, "\(text)")
            }
        }
    }

    /// FFmpeg long wrote the moment without saying that it is in UTC.
    @Test func aMomentWithoutAZoneInMatroskaIsInUTC() async {
        await #expect(processExitsWith: .success) {
            Self.moveToJapan()
            let scene = Scene(seed: 3, width: 64, height: 48, hasGrain: false).bitmap()
            let film = MovieWriter.Film(width: 64, height: 48, frames: 3, keyInterval: 5)
            let movie = try MovieWriter.encode(film, as: .mkv) { _ in scene }
            let marked = try #require(MarkedMovie.matroska(movie, madeAt: "2026-06-20 01:00:00"))
            let facts = try Examined.media(marked).facts
            #expect(facts.takenAt == Self.morning && facts.takenAtOffset == nil)
        }
    }

    /// What states a zone is not moved.
    @Test func aDateWithAZoneIsNotLocal() async {
        await #expect(processExitsWith: .success) {
            Self.moveToJapan()
            let scene = Scene(seed: 3, width: 64, height: 48, hasGrain: false).bitmap()
            let film = MovieWriter.Film(width: 64, height: 48, frames: 3, keyInterval: 5)
            let movie = try MovieWriter.encode(film, as: .mkv) { _ in scene }
            let facts = try Examined.media(movie).facts
            #expect(facts.takenAt == Self.morning && facts.takenAtOffset == nil)
        }
    }
}
