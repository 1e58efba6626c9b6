import MediaModel
import Platform
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// Which frame becomes the poster of a video.
@Suite(.serialized) struct PosterTests {
    private static let scene = Scene(seed: 31, width: 160, height: 96, hasGrain: false)

    /// A film with the brightness of each frame from 0 to 1; its facts and poster.
    private static func media(
        of light: [Double], keyInterval: Int, as format: MovieWriter.Format = .mp4, limits: MediaLimits? = nil
    ) throws -> (facts: MediaFacts, poster: Bitmap) {
        try media(frames: light.count, keyInterval: keyInterval, as: format, limits: limits) {
            scene.bitmap(light: light[$0])
        }
    }

    /// A film of frames that are drawn by their number; its facts and poster.
    private static func media(
        frames: Int, keyInterval: Int, as format: MovieWriter.Format = .mp4, limits: MediaLimits? = nil,
        drawn: (Int) -> Bitmap
    ) throws -> (facts: MediaFacts, poster: Bitmap) {
        let film = MovieWriter.Film(width: 160, height: 96, frames: frames, keyInterval: keyInterval)
        let bytes = try MovieWriter.encode(film, as: format, picture: drawn)
        let limits = limits ?? MediaLimits(posterSeconds: 60)
        guard case .examined(let facts, let thumbnails) = try Examined.answer(bytes, sizes: [160], limits: limits)
        else {
            throw Examined.Unreadable(reason: "failed")
        }
        return (facts, try Bitmap(jpeg: try #require(thumbnails.first).bytes))
    }

    private static func poster(
        of light: [Double], keyInterval: Int, as format: MovieWriter.Format = .mp4
    ) throws -> Bitmap {
        try media(of: light, keyInterval: keyInterval, as: format).poster
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let light: [Double]
        let keyInterval: Int

        init(_ fact: String, _ light: [Double], keyInterval: Int) {
            testDescription = fact
            self.light = light
            self.keyInterval = keyInterval
        }
    }

    private static func repeated(_ light: Double, _ count: Int) -> [Double] {
        [Double](repeating: light, count: count)
    }

    @Test(arguments: [
        Row("all is light", repeated(1, 20), keyInterval: 5),
        Row("one frame", [1], keyInterval: 1),
        Row("it begins black", repeated(0, 15) + repeated(1, 15), keyInterval: 3),
        Row("it ends black", repeated(1, 8) + repeated(0, 22), keyInterval: 3),
        Row("it fades in and out", (0..<40).map { 1 - abs(Double($0) - 20) / 20 }, keyInterval: 2),
        Row(
            "a flash of light at one of the places", repeated(0.02, 20) + repeated(1, 4) + repeated(0.02, 16),
            keyInterval: 2),
        Row("its only key frame is black", repeated(0, 10) + repeated(1, 30), keyInterval: 100),
    ])
    func thePosterIsWellLit(_ row: Row) throws {
        let poster = try Self.poster(of: row.light, keyInterval: row.keyInterval)
        #expect(FrameScore(poster).isMeaningful)
        #expect(poster.likeness(to: Self.scene.bitmap()) > 0.75)
    }

    @Test(arguments: MovieWriter.Format.allCases)
    func everyContainerCanBeSearched(format: MovieWriter.Format) throws {
        let light = Self.repeated(0, 12) + Self.repeated(1, 12)
        #expect(FrameScore(try Self.poster(of: light, keyInterval: 4, as: format)).isMeaningful)
    }

    @Test func aBlackFilmHasABlackPoster() throws {
        let poster = try Self.poster(of: Self.repeated(0, 30), keyInterval: 10)
        #expect(FrameScore(poster).brightness < 5)
    }

    /// Without time left, the first frame that decodes is taken, whatever it shows.
    @Test func theSearchEndsWithItsTime() throws {
        let limits = MediaLimits(posterSeconds: 0, posterCandidates: 5)
        let light = Self.repeated(0, 20) + Self.repeated(1, 20)
        let media = try Self.media(of: light, keyInterval: 5, limits: limits)
        #expect(FrameScore(media.poster).brightness < 5)
        #expect(media.facts.posterFrames == 1)
    }

    struct Choice: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let light: [Double]
        let candidates: Int
        let decoded: ClosedRange<Int>

        init(_ fact: String, _ light: [Double], candidates: Int = 5, decoded: ClosedRange<Int>) {
            testDescription = fact
            self.light = light
            self.candidates = candidates
            self.decoded = decoded
        }
    }

    /// Each has a key frame at all five places: frames 4, 10, 20, 30 and 36 of 40.
    @Test(arguments: [
        Choice("of candidates that took bytes two are looked at", repeated(1, 40), decoded: 2...2),
        Choice("a bright one at the last place is among them", repeated(0, 32) + repeated(1, 8), decoded: 2...2),
        Choice("one candidate is looked at", repeated(1, 40), candidates: 1, decoded: 1...1),
        Choice("when all are empty, all are looked at, and more", repeated(0, 40), decoded: 6...40),
        Choice(
            "a candidate alone that is empty is not enough", repeated(0, 12) + repeated(1, 28), candidates: 1,
            decoded: 2...40),
    ])
    func fewFramesAreDecoded(_ row: Choice) throws {
        let limits = MediaLimits(posterSeconds: 60, posterCandidates: row.candidates)
        let media = try Self.media(of: row.light, keyInterval: 2, limits: limits)
        #expect(row.decoded.contains(try #require(media.facts.posterFrames)))
        #expect(FrameScore(media.poster).isMeaningful == row.light.contains(1))
    }

    /// A lamp in the night: little light, but much contrast.
    private static let lamp = Bitmap(
        width: 160, height: 96,
        rgb: (0..<96).flatMap { y in
            (0..<160).flatMap { x in [UInt8](repeating: y < 24 && x < 24 ? 220 : 0, count: 3) }
        })

    /// Each has a key frame at all five places, or at the first frame alone.
    @Test(arguments: [
        (keyInterval: 2, lamps: 40, decoded: 5...5), (keyInterval: 100, lamps: 20, decoded: 2...40),
    ])
    func aDarkFilmIsNotDecodedFromItsStartIfItsKeyFramesAgree(
        keyInterval: Int, lamps: Int, decoded: ClosedRange<Int>
    ) throws {
        let media = try Self.media(frames: 40, keyInterval: keyInterval) {
            $0 < lamps ? Self.lamp : Self.scene.bitmap()
        }
        #expect(decoded.contains(try #require(media.facts.posterFrames)))
        #expect(FrameScore(media.poster).isMeaningful == (lamps < 40))
    }

    /// Edges between blocks are softened only where the poster is nearly as large as the frame.
    ///
    /// Grain makes the edges that the filter is for; without it in H.264 and HEVC the means of 3 × 3 pixels differ
    /// less than a JPEG of them does.
    @Test(arguments: [MovieWriter.Format.mp4, .mov])
    func aSmallPosterDoesNotShowThatTheFilterWasLeftOut(format: MovieWriter.Format) throws {
        let scene = Scene(seed: 31, width: 960, height: 576)
        let film = MovieWriter.Film(width: 960, height: 576, frames: 1)
        let file = try Examined.file(try MovieWriter.encode(film, as: format) { _ in scene.bitmap() })
        let posters = try [320, 960].map { longSide in
            let demuxer = try Demuxer.opened(file.descriptor, as: ["mov"], limits: MediaLimits())
            var search = PosterSearch(limits: MediaLimits(posterSeconds: 60), longSide: longSide)
            guard let stream = demuxer.movie, let frame = try search.poster(of: stream, in: demuxer) else {
                throw Examined.Unreadable(reason: "no poster")
            }
            return try Scaler.bitmap(from: frame, width: 320, height: 192)
        }
        #expect(posters[0] != posters[1])
        #expect(posters[0].likeness(to: posters[1]) > 0.99)
    }

    @Test func oneCandidateIsEnoughWhenItIsGood() throws {
        let limits = MediaLimits(posterSeconds: 60, posterCandidates: 1)
        let media = try Self.media(of: Self.repeated(1, 20), keyInterval: 5, limits: limits)
        #expect(FrameScore(media.poster).isMeaningful)
    }
}
