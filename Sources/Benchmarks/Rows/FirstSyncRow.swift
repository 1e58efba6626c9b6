/// The resources that a first sync of a large gallery needs, and how soon the newest files are stored.
enum FirstSyncRow {
    static let benchmark = Benchmark("first-sync", "first sync of a large gallery") { bench in
        let gallery = try await bench.storedGallery()
        let first = gallery.firstSync
        let files = "\(Figure.digits(Double(gallery.count))) files"
        return [
            Measurement(
                "\(files): newest 100 stored after", Figure(first.newestSeconds, .seconds), goal: .atMost(10)),
            Measurement(
                "first sync of \(files): queue.json", Figure(Double(first.queueBytes), .bytes), goal: .atMost(10e6)),
            Measurement(
                "first sync of \(files): agent's peak", Figure(Double(first.peakBytes), .memory),
                goal: .atMost(64 * 1_048_576)),
        ]
    }
}
