import Platform

/// Runs a program and watches the memory and the processor time of every process below it.
enum MemoryWatch {
    /// The seconds of a run by the clock and of processor time, and the most bytes that one of its processes had.
    struct Watched: Hashable, Sendable {
        var seconds = 0.0
        var processorSeconds = 0.0
        var peakBytes = 0
    }

    /// Runs a program to its end, and looks at its processes fifty times a second.
    ///
    /// - Parameter mayFail: Whether another end than exit code 0 is accepted.
    /// - Parameter leavesWorkers: Whether the program ends without waiting for its children, so that only watching
    ///   shows their time.
    static func run(
        _ execution: Execution, output: OpenFile? = nil, mayFail: Bool = false, leavesWorkers: Bool = false
    ) async throws -> Watched {
        var watched = Watched()
        let own = ProcessGauge.own
        let before = own.ticksOfChildren
        var ticks: [FilePath: Int] = [:]
        let start = ContinuousClock.now
        let process = try execution.start(output: output)
        do {
            while ProcessGauge(process.id).peakBytes != nil {
                let family = ProcessGauge.family(of: process.id)
                for gauge in family { watched.peakBytes = max(watched.peakBytes, gauge.peakBytes ?? 0) }
                for gauge in family.dropFirst() { ticks[gauge.folder] = max(ticks[gauge.folder] ?? 0, gauge.ticks) }
                try await Task.sleep(for: .milliseconds(20))
            }
        } catch {
            process.kill()
            _ = await process.exit
            throw error
        }
        let exit = await process.exit
        guard mayFail || exit == .exited(0) else { throw UnsuccessfulRun(program: execution.program, exit: exit) }
        watched.seconds = (ContinuousClock.now - start) / .seconds(1)
        let left = leavesWorkers ? ticks.values.reduce(0, +) : 0
        watched.processorSeconds = Double(own.ticksOfChildren - before + left) / ProcessGauge.ticksPerSecond
        return watched
    }
}
