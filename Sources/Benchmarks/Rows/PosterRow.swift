/// Posters of videos, for which we compare five candidates or take one, as the peer does.
enum PosterRow {
    private struct Films {
        let name: String
        let format: String
        let size: String
        /// What five seconds of it hold; fewer frames where one takes long to encode.
        let framesPerSecond: Int
    }

    private static let films = [
        Films(name: "1080p H.264", format: "mp4", size: "1920x1080", framesPerSecond: 25),
        Films(name: "4K HEVC", format: "mov", size: "3840x2160", framesPerSecond: 10),
        Films(name: "1080p VP9", format: "webm", size: "1920x1080", framesPerSecond: 25),
    ]

    /// Frames that are compared, and how many times as fast as the peer we promise to be with so many.
    private static let goals = [(candidates: 5, ratio: 1.0), (candidates: 1, ratio: 2)]

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
        for (candidates, goal) in goals {
            let makers = PictureMakers(bench: bench, media: files, candidates: candidates)
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

    /// Of how many candidates a poster is taken, and how many of them are decoded for it.
    private static func choice(_ candidates: Int, _ decoded: Double) -> String {
        candidates == 1 ? "one candidate" : "best of \(candidates), \(Figure.digits(decoded)) decoded"
    }
}
