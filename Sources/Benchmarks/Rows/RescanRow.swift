import Platform

/// A second pass over files that did not change, beside `find`, which only reads their metadata.
enum RescanRow {
    static let benchmark = Benchmark("rescan", "rescan of unchanged files, whole process") { bench in
        let gallery = try await bench.storedGallery()
        let ours = try gallery.execution("sync", on: bench)
        let find = bench.programs.path(of: .find).map {
            Execution($0, [gallery.folder.display, "-printf", "%p %s %T@\n"])
        }
        let taken = try await Rounds(count: bench.scale.rounds).medians(
            ours: { try await ours.time() }, theirs: find.map { find in { try await find.time() } })
        return [
            Measurement(
                "rescan of \(Figure.digits(Double(gallery.count))) unchanged files", Figure(taken.ours, .seconds),
                beside: .find, taken.theirs.map { Figure($0, .seconds) }, goal: .atMost(1.1))
        ]
    }
}
