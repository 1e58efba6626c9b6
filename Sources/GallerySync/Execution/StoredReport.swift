import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Queue
import Reporting
import Rescue
import Sync

/// The report as the files of a profile tell it, without an agent.
struct StoredReport {
    private let setup: Setup

    init(_ setup: Setup) {
        self.setup = setup
    }

    func report(_ depth: Reporter.Depth) async throws -> Report {
        let locations = setup.locations
        let isRunning = try StateLock.holder(locations) != nil
        guard let library = try Library.existing(at: locations.library) else {
            var report = Report(createdAt: Date(), profile: setup.loaded.profile, destination: destination(nil))
            report.agent.running = isRunning
            return report
        }
        let reporter = Reporter(
            library: library, settings: setup.settings, cache: ThumbnailCache(folder: locations.thumbnails),
            profile: setup.loaded.profile)
        let snapshot = try QueueSnapshot(state: locations.state)
        let now = Date()
        let isPaused = try await library.fact(Agent.pausedFact) != nil
        var sources = ReportSources(
            createdAt: now,
            agent: Report.Agent(running: isRunning, paused: isPaused),
            destination: destination(try await library.fact(Library.destinationFact)),
            queue: snapshot.counts, nextAttempt: snapshot.nextAttempt, blocked: snapshot.blocked,
            rescue: try JobSnapshot(state: locations.state).report(at: now))
        if depth == .page {
            sources.waiting = try QueueStore(state: locations.state).load().entries.filter { $0.blocked != nil }
        }
        return try await reporter.report(depth, sources)
    }

    private func destination(_ remembered: String?) -> Report.Destination? {
        let wanted = setup.settings.destination
        if wanted.local || remembered?.hasPrefix("local ") == true {
            return Report.Destination(url: nil, bucket: wanted.bucket, prefix: wanted.prefix, local: true)
        }
        return wanted.url.map { Report.Destination(url: $0, bucket: wanted.bucket, prefix: wanted.prefix) }
    }
}
