/// A benchmark: one row of the table, or some rows that need the same preparation.
struct Benchmark: Sendable {
    /// The name on the command line.
    let name: String
    let summary: String
    private let measure: @Sendable (Workbench) async throws -> [Measurement]

    init(_ name: String, _ summary: String, _ measure: @escaping @Sendable (Workbench) async throws -> [Measurement]) {
        self.name = name
        self.summary = summary
        self.measure = measure
    }

    /// The measurements on `bench`; an error becomes a failed row, so that the next benchmark still runs.
    func measurements(on bench: Workbench) async -> [Measurement] {
        do {
            return try await measure(bench).map { $0.named(name) }
        } catch let absence as ProgramAbsent {
            return [Measurement(what: summary, outcome: .unmeasured("\(absence)")).named(name)]
        } catch {
            return [Measurement(what: summary, outcome: .failed("\(error)")).named(name)]
        }
    }

    /// Every benchmark, in the order of the table.
    static let all: [Benchmark] = [
        ThumbnailRow.benchmark, PosterRow.benchmark, RescanRow.benchmark, UploadRow.benchmark, LargeUploadRow.benchmark,
        QueueRow.benchmark,
        FirstSyncRow.benchmark, StatusRow.benchmark, IdleRow.benchmark, CorpusRow.benchmark,
    ]
}
