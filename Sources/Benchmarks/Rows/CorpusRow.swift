import MediaModel
import Platform

/// Thumbnails of real files, each format by itself, beside a program that only makes thumbnails.
enum CorpusRow {
    /// The promised speed relative to the peer, by format; 1 for the others.
    private static let goals: [MediaType: Double] = [
        .jpeg: 2, .webp: 1.5, .heic: 1.5, .avif: 1.7, .png: 2.4, .tiff: 2.4, .gif: 2.4, .bmp: 2.4, .jxl: 1.4, .jp2: 1,
        .mp4: 2, .quickTime: 2, .webm: 2, .matroska: 2, .avi: 2, .mpegTS: 2,
    ]

    static let benchmark = Benchmark("corpus", "thumbnails of the files in --corpus DIR, 512 px, by format") { bench in
        guard let folder = bench.corpus else { throw ProgramAbsent(text: "only with --corpus DIR") }
        var measurements: [Measurement] = []
        for files in try await Corpus(folder, on: bench).formats {
            do {
                measurements += try await measure(files, on: bench)
            } catch {
                measurements.append(Measurement(what: files.type.name, outcome: .failed("\(error)")))
            }
        }
        return measurements
    }

    /// Measures how many files each side opens, then speed and memory of both on the files that both open.
    private static func measure(_ files: Corpus.Files, on bench: Workbench) async throws -> [Measurement] {
        let peer: Peer = files.type.kind == .video ? .ffmpegthumbnailer : .vipsthumbnail
        let name = files.type.name
        let makers = PictureMakers(bench: bench, files: files.paths)
        let opened = try await makers.opened(peer)
        Output.note("  \(name): \(opened.ours.count) of \(files.paths.count)")
        let count = Figure(Double(opened.ours.count), .files)
        var measurements = [
            Measurement(
                "\(name): files opened of \(files.paths.count)", count, beside: peer,
                opened.theirs.map { Figure(Double($0.count), .files) }, goal: .atLeast(1))
        ]
        let common = opened.theirs.map { $0.intersection(opened.ours) } ?? opened.ours
        guard !common.isEmpty else { return measurements }
        let both = PictureMakers(bench: bench, files: files.paths.filter(common.contains))
        let taken = try await both.compareWatched(with: peer)
        // Both are shown, because the clock also counts what else this computer does, and processor time does not.
        let times = [("", \MemoryWatch.Watched.seconds), (", of processor time", \.processorSeconds)]
        for (words, time) in times {
            func speed(_ side: MemoryWatch.Watched) -> Figure {
                Figure(Double(common.count) / side[keyPath: time], .filesPerSecond)
            }
            measurements.append(
                Measurement(
                    "\(name): thumbnails of \(common.count) files\(words)", speed(taken.ours), beside: peer,
                    taken.theirs.map(speed), goal: .atLeast(goals[files.type] ?? 1)))
        }
        measurements.append(
            Measurement(
                "\(name): peak of one process", Figure(Double(taken.ours.peakBytes), .memory), beside: peer,
                taken.theirs.map { Figure(Double($0.peakBytes), .memory) }, goal: .atMost(1)))
        return measurements
    }
}
