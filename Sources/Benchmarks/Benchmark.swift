/// One row of the table, or some rows that need the same preparation.
struct Benchmark: Sendable {
    /// As the command line names it.
    let name: String
    let summary: String
    private let measure: @Sendable (Workbench) async throws -> [Measurement]

    init(_ name: String, _ summary: String, _ measure: @escaping @Sendable (Workbench) async throws -> [Measurement]) {
        self.name = name
        self.summary = summary
        self.measure = measure
    }

    /// What it measures on `bench`; an error is a row that failed, and the next goes on.
    func measurements(on bench: Workbench) async -> [Measurement] {
        do {
            return try await measure(bench).map { $0.named(name) }
        } catch let absence as ProgramAbsent {
            return [Measurement(what: summary, outcome: .unmeasured("\(absence)")).named(name)]
        } catch {
            return [Measurement(what: summary, outcome: .failed("\(error)")).named(name)]
        }
    }

    /// Every row, in the order of the table.
    static let all: [Benchmark] = [
        ThumbnailRow.benchmark, PosterRow.benchmark, RescanRow.benchmark, UploadRow.benchmark, LargeUploadRow.benchmark,
        QueueRow.benchmark,
        FirstSyncRow.benchmark, StatusRow.benchmark, IdleRow.benchmark,
    ]
}
