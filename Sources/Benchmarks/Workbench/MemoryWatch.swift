import Platform

/// Runs a program and watches the memory of every process below it.
enum MemoryWatch {
    /// The seconds that a run took, and the most bytes that one process of it had.
    struct Watched: Hashable, Sendable {
        var seconds = 0.0
        var peakBytes = 0
    }

    /// How a run ended, watched ten times a second.
    ///
    /// - Parameter mayFail: Whether another end than exit code 0 is accepted.
    static func run(
        _ execution: Execution, output: OpenFile? = nil, mayFail: Bool = false
    ) async throws -> Watched {
        var watched = Watched()
        let start = ContinuousClock.now
        let process = try execution.start(output: output)
        while ProcessGauge(process.id).peakBytes != nil {
            for gauge in ProcessGauge.family(of: process.id) {
                watched.peakBytes = max(watched.peakBytes, gauge.peakBytes ?? 0)
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        let exit = await process.exit
        guard mayFail || exit == .exited(0) else { throw UnsuccessfulRun(program: execution.program, exit: exit) }
        watched.seconds = (ContinuousClock.now - start) / .seconds(1)
        return watched
    }
}
