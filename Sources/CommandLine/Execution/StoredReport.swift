import Access
package import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Queue
import Records
package import Reporting
import Rescue
import Roots
import Supabase
import Sync
import Uploading

/// The report from the files of a profile, without an agent.
package struct StoredReport {
    private let setup: Setup
    private let library: Library?

    /// A report on what the profile of `setup` has written down.
    ///
    /// - Parameter library: The profile's library, if it is open already; it does not recount what has not changed.
    package init(_ setup: Setup, library: Library? = nil) {
        (self.setup, self.library) = (setup, library)
    }

    /// - Parameter looksAtDisk: Whether new files are counted, unless another process holds the lock.
    package func report(_ depth: Reporter.Depth, looksAtDisk: Bool = false) async throws -> Report {
        let locations = setup.locations
        let isRunning = try StateLock.holder(locations) != nil
        guard let library = try library ?? Library.existing(at: locations.library) else {
            var report = Report(createdAt: Date(), profile: setup.loaded.profile, destination: destination(nil))
            report.agent.running = isRunning
            return report
        }
        let reporter = Reporter(
            library: library, settings: setup.settings, cache: ThumbnailCache(folder: locations.thumbnails),
            profile: setup.loaded.profile)
        let snapshot = try QueueSnapshot(state: locations.state)
        let now = Date()
        let isPaused = try await library.isPaused(at: now)
        var sources = ReportSources(
            createdAt: now,
            agent: Report.Agent(running: isRunning, paused: isPaused),
            destination: destination(try await library.fact(Library.destinationFact)),
            queue: snapshot.counts, nextAttempt: snapshot.nextAttempt, blocked: snapshot.blocked,
            rescue: try JobSnapshot(state: locations.state).report(at: now))
        let roots = try await setup.roots(of: library)
        sources.dropped = Set(roots.dropped.map(\.name))
        sources.replaced = Set(roots.replaced(where: \.isHere).map(\.name))
        // Reading the completed items, which are kept for a while, takes longer than all the rest.
        if depth >= .details, snapshot.hasWaits {
            sources.waiting = try QueueStore(state: locations.state).load().entries.filter { $0.blocked != nil }
        }
        var report = try await reporter.report(depth, sources)
        report.storedElsewhere = try await setup.storedElsewhere(library)
        let refusal = isRunning ? nil : StateCopy.refusal(of: locations)
        report.stateTrouble = refusal.flatMap { $0.isDiskFull || $0.isReadOnly ? $0.reason : nil }
        if looksAtDisk, !isRunning { try await lookAtDisk(library, for: &report) }
        return report
    }

    /// Counts the files that the next sync would take, and notes the roots that are away; writes nothing.
    private func lookAtDisk(_ library: Library, for report: inout Report) async throws {
        let roots = try await setup.roots(of: library)
        let scanner = setup.scanner(of: library)
        var count = 0
        for (root, below) in roots.usual(setup.settings) {
            let absence = try await scanner.preview(root, below: below, withRetries: false) {
                count += root.autoUpload ? $0.count : 0
            }
            guard let absence else { continue }
            for index in report.roots.indices where report.roots[index].name == root.name {
                report.roots[index].paused = absence.reason
            }
        }
        report.unscanned = count
    }

    private func destination(_ remembered: String?) -> Report.Destination? {
        let wanted = setup.settings.destination
        if wanted.local || remembered?.hasPrefix("local ") == true {
            return Report.Destination(url: nil, bucket: wanted.bucket, prefix: wanted.prefix, local: true)
        }
        return wanted.url.map { Report.Destination(url: $0, bucket: wanted.bucket, prefix: wanted.prefix) }
    }
}
