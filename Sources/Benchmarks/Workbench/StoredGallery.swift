import Gallery
import Platform

/// A gallery of many small files, stored by a first sync that was measured.
struct StoredGallery: Sendable {
    let folder: FilePath
    let state: FilePath
    let count: Int
    let firstSync: FirstSync

    /// What was measured of the first sync from outside.
    struct FirstSync: Hashable, Sendable {
        var seconds = 0.0
        /// Seconds until the newest hundred files were stored.
        var newestSeconds = Double.infinity
        /// The most bytes of memory that the agent had.
        var peakBytes = 0
        /// The bytes of the largest `queue.json`.
        var queueBytes: Int64 = 0
    }

    /// Makes the files and stores them, with the storage server in a process of its own.
    init(on bench: Workbench) async throws {
        count = bench.scale.assets
        folder = try await bench.fresh(.gallery)
        state = try await bench.fresh(.state)
        Output.note("  making \(count) files")
        let made = GalleryFiles(folder: folder, count: count)
        try made.write()
        let server = try await LocalServer(on: bench, data: state.appending("storage"))
        Output.note("  storing them for the first time")
        let watched = try await Self.watch(made, agent: Self.agent(bench, "sync", on: folder, state), state: state)
        await server.stop()
        firstSync = watched
        Output.note("  stored \(Figure(Double(count) / watched.seconds, .filesPerSecond).text)")
    }

    /// A command of the agent on this gallery, with its own embedded storage.
    func execution(_ command: String, on bench: Workbench) throws -> Execution {
        try Self.agent(bench, command, on: folder, state)
    }

    private static func agent(
        _ bench: Workbench, _ command: String, on folder: FilePath, _ state: FilePath
    ) throws -> Execution {
        Execution(
            try bench.agent(),
            [
                command, folder.display, "--local", "--quiet", "--state-dir", state.display, "--set",
                "thumbnails.enabled=false",
            ])
    }

    /// Runs the first sync and measures it twenty times a second.
    private static func watch(_ files: GalleryFiles, agent: Execution, state: FilePath) async throws -> FirstSync {
        let own = state.appending("state/default")
        var seen = FirstSync()
        let start = ContinuousClock.now
        let process = try agent.start()
        let gauge = ProcessGauge(process.id)
        while let peak = gauge.peakBytes {
            seen.peakBytes = peak
            let queue = try FileFacts.existing(own.appending("queue.json"))
            seen.queueBytes = max(seen.queueBytes, queue?.size ?? 0)
            if seen.newestSeconds.isInfinite, try await files.areNewestStored(in: own.appending("library.sqlite")) {
                seen.newestSeconds = (ContinuousClock.now - start) / .seconds(1)
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        let exit = await process.exit
        guard exit == .exited(0) else { throw UnsuccessfulRun(program: "gallery-sync sync", exit: exit) }
        seen.seconds = (ContinuousClock.now - start) / .seconds(1)
        return seen
    }
}
