/// Posters of videos, chosen from five candidates, or taken from one as the peer does.
enum PosterRow {
    private struct Films {
        let name: String
        let format: String
        let size: String
        /// The frame rate; lower if a frame takes long to encode.
        let framesPerSecond: Int
    }

    private static let films = [
        Films(name: "1080p H.264", format: "mp4", size: "1920x1080", framesPerSecond: 25),
        Films(name: "4K HEVC", format: "mov", size: "3840x2160", framesPerSecond: 10),
        Films(name: "1080p VP9", format: "webm", size: "1920x1080", framesPerSecond: 25),
    ]

    /// Frames to choose from; the peer takes the first it decodes.
    private static let choices = [5, 1]
    /// The promised speed relative to the peer, although two of five candidates are decoded.
    private static let goal = 2.0

    static let benchmark = Benchmark("posters", "posters of H.264, 4K HEVC and VP9, of five candidates and of one") {
        bench in
        var measurements: [Measurement] = []
        for films in films { measurements += try await measure(films, on: bench) }
        return measurements
    }

    private static func measure(_ films: Films, on bench: Workbench) async throws -> [Measurement] {
        let count = bench.scale.videos
        let files = try await MediaFiles(
            films.format, size: films.size, count: count, seconds: 5, framesPerSecond: films.framesPerSecond,
            on: bench)
        var measurements: [Measurement] = []
        for candidates in choices {
            let makers = PictureMakers(bench: bench, files: files.paths, candidates: candidates)
            let taken = try await makers.compare(with: .ffmpegthumbnailer)
            let decoded = try await makers.framesDecoded()
            measurements.append(
                Measurement(
                    "posters of \(count) videos, \(films.name), \(choice(candidates, decoded))",
                    Figure(Double(count) / taken.ours, .filesPerSecond), beside: .ffmpegthumbnailer,
                    taken.theirs.map { Figure(Double(count) / $0, .filesPerSecond) }, goal: .atLeast(goal)))
        }
        return measurements
    }

    /// A text with the number of candidates for a poster, and how many of them are decoded.
    private static func choice(_ candidates: Int, _ decoded: Double) -> String {
        candidates == 1 ? "one candidate" : "best of \(candidates), \(Figure.digits(decoded)) decoded"
    }
}
