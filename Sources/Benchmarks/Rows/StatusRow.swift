import Platform

/// The time for a report of a large gallery.
enum StatusRow {
    static let benchmark = Benchmark("status", "`status --json` of a large gallery, whole process") { bench in
        let gallery = try await bench.storedGallery()
        let status = Execution(
            try bench.agent(), ["status", "--json", "--state-dir", gallery.state.display] + StoredGallery.settings)
        let taken = try await Rounds(count: 4 * bench.scale.rounds).medians(
            ours: { try await status.time() }, theirs: nil)
        return [
            Measurement(
                "status with \(Figure.digits(Double(gallery.count))) assets", Figure(taken.ours, .seconds),
                goal: .atMost(0.03))
        ]
    }
}
