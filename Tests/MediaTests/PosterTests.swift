import MediaModel
import Testing

@testable import Media

/// Which frame stands for a video.
@Suite(.serialized) struct PosterTests {
    private static let scene = Scene(seed: 31, width: 160, height: 96, hasGrain: false)

    /// A film whose light is given frame by frame, 0 black, 1 day.
    private static func poster(
        of light: [Double], keyInterval: Int, as format: MovieWriter.Format = .mp4, limits: MediaLimits? = nil
    ) throws -> Bitmap {
        let film = MovieWriter.Film(width: 160, height: 96, frames: light.count, keyInterval: keyInterval)
        let bytes = try MovieWriter.encode(film, as: format) { scene.bitmap(light: light[$0]) }
        let limits = limits ?? MediaLimits(posterSeconds: 60)
        guard case .examined(_, let thumbnails) = try Examined.answer(bytes, sizes: [160], limits: limits) else {
            throw Examined.Unreadable(reason: "failed")
        }
        return try Bitmap(jpeg: try #require(thumbnails.first).jpeg)
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

    /// Without time the first frame that decodes is taken, whatever it shows.
    @Test func theSearchEndsWithItsTime() throws {
        let limits = MediaLimits(posterSeconds: 0, posterCandidates: 5)
        let poster = try Self.poster(of: Self.repeated(0, 20) + Self.repeated(1, 20), keyInterval: 5, limits: limits)
        #expect(FrameScore(poster).brightness < 5)
    }

    @Test func oneCandidateIsEnoughWhenItIsGood() throws {
        let limits = MediaLimits(posterSeconds: 60, posterCandidates: 1)
        let poster = try Self.poster(of: Self.repeated(1, 20), keyInterval: 5, limits: limits)
        #expect(FrameScore(poster).isMeaningful)
    }
}
