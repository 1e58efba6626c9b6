/// Posters of videos, of which we score five candidates and the peer takes one.
enum PosterRow {
    static let benchmark = Benchmark("posters", "posters of 1080p H.264 and 4K HEVC, five candidates scored") { bench in
        let count = bench.scale.videos
        var measurements: [Measurement] = []
        for (name, format, size) in [("1080p H.264", "mp4", "1920x1080"), ("4K HEVC", "mov", "3840x2160")] {
            let films = try await MediaFiles(format, size: size, count: count, on: bench)
            let taken = try await PictureMakers(bench: bench, media: films).compare(with: .ffmpegthumbnailer)
            measurements.append(
                Measurement(
                    "posters of \(count) videos, \(name)", Reading(Double(count) / taken.ours, .filesPerSecond),
                    beside: .ffmpegthumbnailer, taken.theirs.map { Reading(Double(count) / $0, .filesPerSecond) },
                    goal: .atLeast(1)))
        }
        return measurements
    }
}
