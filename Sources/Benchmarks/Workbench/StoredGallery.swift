import Gallery
import Platform

/// A gallery of many small files, stored by a measured first sync.
struct StoredGallery: Sendable {
    let folder: FilePath
    let state: FilePath
    let count: Int
    let firstSync: FirstSync

    /// The figures of the first sync, measured from outside the process.
    struct FirstSync: Hashable, Sendable {
        var seconds = 0.0
        /// Seconds until the newest hundred files were stored.
        var newestSeconds = Double.infinity
        /// The most bytes of memory that the agent had.
        var peakBytes = 0
        /// The bytes of the largest `queue.json`.
        var queueBytes: Int64 = 0

        /// Updates the figures by what the state shows now.
        fileprivate mutating func look(
            at state: FilePath, _ files: GalleryFiles, _ peak: Int, since start: ContinuousClock.Instant
        ) async throws {
            peakBytes = peak
            queueBytes = max(queueBytes, try FileFacts.existing(state.appending("queue.json"))?.size ?? 0)
            guard newestSeconds.isInfinite, try await files.areNewestStored(in: state.appending("library.sqlite"))
            else { return }
            newestSeconds = (ContinuousClock.now - start) / .seconds(1)
        }
    }

    /// Makes the files and stores them, with the storage server in a process of its own.
    init(on bench: Workbench) async throws {
        count = bench.scale.assets
        folder = try await bench.fresh(.gallery)
        state = try await bench.fresh(.galleryState)
        Output.note("  making \(count) files")
        let made = GalleryFiles(folder: folder, count: count)
        try made.write()
        let (folder, state) = (folder, state)
        let watched = try await LocalServer.using(bench, data: state.appending("storage")) { _ in
            Output.note("  storing them for the first time")
            return try await Self.watch(made, agent: Self.agent(bench, "sync", on: folder, state), state: state)
        }
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
            [command, folder.display, "--local", "--quiet", "--state-dir", state.display] + settings)
    }

    /// Those of all its commands: one with thumbnails would look for those that no sync was asked to make.
    static let settings = ["--set", "thumbnails.enabled=false"]

    /// Runs the first sync and measures it twenty times a second.
    private static func watch(_ files: GalleryFiles, agent: Execution, state: FilePath) async throws -> FirstSync {
        let own = state.appending("state/default")
        var seen = FirstSync()
        let start = ContinuousClock.now
        let process = try agent.start()
        do {
            let gauge = ProcessGauge(process.id)
            while let peak = gauge.peakBytes {
                try await seen.look(at: own, files, peak, since: start)
                try await Task.sleep(for: .milliseconds(50))
            }
        } catch {
            process.kill()
            _ = await process.exit
            throw error
        }
        let exit = await process.exit
        guard exit == .exited(0) else { throw UnsuccessfulRun(program: agent.program, exit: exit) }
        seen.seconds = (ContinuousClock.now - start) / .seconds(1)
        // A last look, because a short run may end between two looks.
        try await seen.look(at: own, files, seen.peakBytes, since: start)
        return seen
    }
}
