/// Thumbnails of large photos, beside the programs that do little else.
enum ThumbnailRow {
    static let benchmark = Benchmark("thumbnails", "thumbnails of 12-megapixel JPEGs, 512 px") { bench in
        let count = bench.scale.media
        let photos = try await MediaFiles("jpeg", size: "4000x3000", count: count, on: bench)
        let makers = PictureMakers(bench: bench, media: photos)
        var measurements: [Measurement] = []
        for (peer, goal) in [(Peer.vipsthumbnail, 1.5), (.ffmpegthumbnailer, 8)] {
            let taken = try await makers.compare(with: peer)
            measurements.append(
                Measurement(
                    "thumbnails of \(count) JPEGs of 12 megapixels, 512 px",
                    Reading(Double(count) / taken.ours, .filesPerSecond), beside: peer,
                    taken.theirs.map { Reading(Double(count) / $0, .filesPerSecond) }, goal: .atLeast(goal)))
        }
        return measurements
    }
}
