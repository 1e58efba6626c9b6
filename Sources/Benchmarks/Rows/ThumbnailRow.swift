/// Thumbnails of large photos, beside programs that only make thumbnails.
enum ThumbnailRow {
    /// One format, and the promised speed relative to each peer.
    private struct Photos {
        let name: String
        let format: String
        let goals: [(Peer, Double)]
    }

    private static let photos = [
        Photos(name: "JPEG", format: "jpeg", goals: [(.vipsthumbnail, 2.5), (.ffmpegthumbnailer, 9)]),
        // ffmpegthumbnailer does not read HEIC.
        Photos(name: "HEIC", format: "heic", goals: [(.vipsthumbnail, 1.1)]),
        Photos(name: "PNG", format: "png", goals: [(.vipsthumbnail, 1)]),
    ]

    static let benchmark = Benchmark("thumbnails", "thumbnails of 12-megapixel JPEG, HEIC and PNG, 512 px") { bench in
        var measurements: [Measurement] = []
        for photos in photos { measurements += try await measure(photos, on: bench) }
        return measurements
    }

    private static func measure(_ photos: Photos, on bench: Workbench) async throws -> [Measurement] {
        let count = bench.scale.media
        let files = try await MediaFiles(photos.format, size: "4000x3000", count: count, on: bench)
        let makers = PictureMakers(bench: bench, files: files.paths)
        var measurements: [Measurement] = []
        for (peer, goal) in photos.goals {
            let taken = try await makers.compare(with: peer)
            measurements.append(
                Measurement(
                    "thumbnails of \(count) × \(photos.name) of 12 megapixels, 512 px",
                    Figure(Double(count) / taken.ours, .filesPerSecond), beside: peer,
                    taken.theirs.map { Figure(Double(count) / $0, .filesPerSecond) }, goal: .atLeast(goal)))
        }
        return measurements
    }
}
