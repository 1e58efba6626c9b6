import Foundation
import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// One file of each container, compared with the frames it was made from.
@Suite(.serialized) struct MovieTests {
    private static let scene = Scene(seed: 21, width: 320, height: 180, hasGrain: false)

    private static func frame(_ number: Int, of count: Int) -> Bitmap {
        scene.bitmap(time: Double(number) / Double(count))
    }

    private static func video(
        _ format: MovieWriter.Format, frames: Int = 30, keyInterval: Int = 10,
        change: (inout MovieWriter.Film) -> Void = { _ in }
    ) throws -> [UInt8] {
        var film = MovieWriter.Film(width: 320, height: 180, frames: frames, keyInterval: keyInterval)
        change(&film)
        return try MovieWriter.encode(film, as: format) { frame($0, of: frames) }
    }

    private static let codecs: [MovieWriter.Format: String] = [
        .mp4: "h264", .mov: "hevc", .webm: "vp9", .mkv: "h264", .avi: "mpeg4", .ts: "h264",
    ]

    @Test(arguments: MovieWriter.Format.allCases.filter { !$0.isPicture })
    func aVideoOfEachContainerTellsItsFacts(format: MovieWriter.Format) throws {
        let facts = try Examined.media(try Self.video(format)).facts
        #expect(facts.kind == .video)
        #expect(facts.codec == Self.codecs[format])
        #expect(facts.width == 320)
        #expect(facts.height == 180)
        #expect(abs((facts.duration ?? 0) - 1.2) < 0.06, "\(facts.duration ?? 0) s")
        #expect(abs((facts.framesPerSecond ?? 0) - 25) < 0.1, "\(facts.framesPerSecond ?? 0) a second")
        #expect(facts.hasAudio == (format == .mp4))
        #expect(facts.notes == [])
    }

    private static let framesInSmall = (0..<30).map { frame($0, of: 30).averaged(width: 160, height: 90) }

    @Test(arguments: MovieWriter.Format.allCases)
    func thePosterIsOneOfTheFrames(format: MovieWriter.Format) throws {
        let media = try Examined.media(try Self.video(format), sizes: [160])
        let poster = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        let likeness = Self.framesInSmall.map { poster.likeness(to: $0) }
        // 256 colours make flat areas rough, so a GIF is less similar than a video.
        #expect((likeness.max() ?? 0) > (format == .gif ? 0.6 : 0.9))
    }

    @Test(arguments: [0, 90, 180, 270])
    func aTurnedVideoIsUpright(rotation: Int) throws {
        let turn = Orientation(rotation: rotation, isMirrored: false)
        let upright = Self.frame(5, of: 30)
        let stored = upright.turned(turn.inverse)
        let film = MovieWriter.Film(width: stored.width, height: stored.height, frames: 3, rotation: rotation)
        let media = try Examined.media(try MovieWriter.encode(film, as: .mp4) { _ in stored }, sizes: [160])
        #expect(media.facts.rotation == rotation)
        #expect(media.facts.width == 320)
        #expect(media.facts.height == 180)
        let poster = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(poster.likeness(to: upright.averaged(width: 160, height: 90)) > 0.9)
    }

    @Test(arguments: [MovieWriter.Format.mp4, .mkv, .avi])
    func pixelsThatAreNotSquareAreStretched(format: MovieWriter.Format) throws {
        let media = try Examined.media(try Self.video(format) { $0.pixelAspect = (4, 3) }, sizes: [160])
        #expect(media.facts.width == 427)
        #expect(media.facts.height == 180)
        let poster = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(poster.width == 160)
        #expect(poster.height == 67)
    }

    @Test func theContainerTellsCameraAndMoment() throws {
        let facts = try Examined.media(try Self.video(.mov, frames: 3)).facts
        #expect(facts.camera == "Gallery Phone 1")
        #expect(facts.takenAt == (try Date("2026-06-20T01:00:00Z", strategy: .iso8601)))
        #expect(facts.takenAtSource == .container)
    }

    /// The date that Apple writes when a video is shared; a release date ends in Z, and a song's is a year.
    @Test(arguments: [
        ("2026-06-19T12:00:00+0200", "2026-06-19T10:00:00Z", 7200),
        ("2026-06-19T07:00:00Z", "2026-06-20T01:00:00Z", nil), ("2026", "2026-06-20T01:00:00Z", nil),
    ])
    func aDateWithAZoneIsThatOfTheRecording(day: String, expected: String, offset: Int?) throws {
        let facts = try Examined.media(MarkedMovie.day(try Self.video(.mp4, frames: 3), day)).facts
        #expect(facts.takenAt == (try Date(expected, strategy: .iso8601)) && facts.takenAtOffset == offset)
    }

    /// The movie header says 01:00 of 2026-06-20.
    @Test(arguments: [
        ("260620090014.000", "2026-06-20T09:00:00Z", -28_800), ("260619153014.000", "2026-06-19T15:30:00Z", 34_200),
        ("260620010014.000", "2026-06-20T01:00:00Z", nil), ("150101000000.000", "2026-06-20T01:00:00Z", nil),
        ("26062009001x.000", "2026-06-20T01:00:00Z", nil),
    ])
    func theSatellitesTellTheZoneOfAGoPro(satellites: String, expected: String, offset: Int?) throws {
        let movie = try #require(MarkedMovie.telemetry(try Self.video(.mp4), satellites))
        let media = try Examined.media(movie)
        #expect(media.facts.takenAt == (try Date(expected, strategy: .iso8601)) && media.facts.takenAtOffset == offset)
        #expect(media.thumbnails.count == 1 && media.facts.notes == [])
    }

    /// By keys of Android's recorder and of GoPro's firmware.
    @Test(
        arguments: [
            ("com.android.manufacturer", "Google", "Google"), ("com.android.model", "Pixel 8", "Pixel 8"),
            ("FIRM", "HD5.02.02.00.00", "GoPro"), ("FIRM", "1.2", nil),
        ] as [(String, String, String?)])
    func theCameraIsNamed(key: String, value: String, camera: String?) throws {
        let movie = try Self.video(.mp4, frames: 3)
        let marked = key == "FIRM" ? MarkedMovie.firmware(movie, value) : MarkedMovie.quickTime(movie, key: key, value)
        #expect(try Examined.media(marked).facts.camera == camera)
    }

    @Test func anAnimationIsAPhoto() throws {
        let facts = try Examined.media(try Self.video(.gif, frames: 5)).facts
        #expect(facts.kind == .photo)
        #expect(facts.width == 320)
        #expect(facts.hasAudio == nil)
        #expect(facts.duration == nil)
    }
}
