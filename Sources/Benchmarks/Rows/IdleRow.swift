import Platform

/// The memory and wakeups of a watch while nothing happens.
enum IdleRow {
    static let benchmark = Benchmark("idle", "`watch` of a large gallery while nothing happens") { bench in
        let gallery = try await bench.storedGallery()
        let process = try gallery.execution("watch", on: bench).start()
        defer { process.kill(.kill) }
        let gauge = ProcessGauge(process.id)
        try await rest(of: gauge)
        let before = gauge.sleeps
        try await Task.sleep(for: .seconds(bench.scale.idleSeconds))
        let wakeups =
            Double(ProcessGauge.wakeups(from: before, to: gauge.sleeps)) / Double(bench.scale.idleSeconds)
        guard let resident = gauge.residentBytes, let anonymous = gauge.anonymousBytes else {
            throw UnsuccessfulRun(program: "gallery-sync watch", exit: await process.exit)
        }
        process.kill(.terminate)
        _ = await process.exit
        let what = "watch, idle, \(Figure.digits(Double(gallery.count))) assets"
        return [
            Measurement("\(what): resident", Figure(Double(resident), .memory), goal: .atMost(35 * 1_048_576)),
            Measurement("\(what): anonymous", Figure(Double(anonymous), .memory), goal: .atMost(20 * 1_048_576)),
            Measurement("\(what): wakeups", Figure(wakeups, .wakeupsPerSecond), goal: .atMost(1)),
        ]
    }

    /// Waits until the process has used no processor time for three seconds, for one minute at most.
    private static func rest(of gauge: ProcessGauge) async throws {
        for _ in 0..<20 {
            let before = gauge.ticks
            try await Task.sleep(for: .seconds(3))
            if gauge.ticks == before, before > 0 { return }
        }
    }
}
