package import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
package import Reporting
import Rescue
import Roots
import Supabase
import Sync
import Uploading

extension Agent {
    /// The report as the running agent knows it.
    package func report(_ depth: Reporter.Depth) async throws -> Report { try await report(depth, from: library) }

    /// The report by what `library` knows; a read-only library waits for no writer, and knows what is committed.
    package func report(_ depth: Reporter.Depth, from library: Library) async throws -> Report {
        let reporter = Reporter(
            library: library, settings: setup.settings, cache: ThumbnailCache(folder: setup.locations.thumbnails),
            profile: setup.profile)
        let state = Report.Agent(
            running: true, paused: uploader.isPaused || uploader.restraint != nil || !absences.isEmpty,
            reason: uploader.isPaused ? nil : pauseReason)
        let items = await queue.unfinished()
        let (now, jobs) = (setup.clock(), await rescuer.registry.all())
        var sources = ReportSources(
            createdAt: now, agent: state, destination: setup.destination.described(as: setup.settings.destination.url),
            queue: await queue.count(),
            nextAttempt: await queue.nextAttempt(), blocked: Report.Blocked.counted(items),
            rescue: RescueSummary(jobs, rate: rescuer.rate, now: now))
        if depth >= .details { sources.waiting = items.filter { $0.blocked != nil } }
        try await uploader.lookAtRoom()
        sources.limits = Report.Limits(
            largestFile: limits.largestFile, budget: budget.limit, room: budget.room,
            rate: rate(at: now))
        sources.settling = watching.settling
        sources.absences = roots.absences.mapValues(\.reason)
        sources.dropped = Set(roots.dropped.map(\.name))
        sources.replaced = Set(replaced.map(\.name))
        sources.notes = queue.warnings + rescuer.registry.warnings + watching.notes
        if let sentence = uploader.obstacle?.sentence { sources.notes.append(sentence) }
        var report = try await reporter.report(depth, sources)
        await compare(&report)
        return report
    }

    /// Adds what the configuration says by now, and this process does not know because it read it at its start.
    private func compare(_ report: inout Report) async {
        let setup = setup
        guard let settings = await Blocking.run({ setup.hooks.readSettings() }) else { return }
        let changed = settings.changes(since: setup.settings)
        if !changed.isEmpty { report.changedSettings = changed }
        let dropped = Set(roots.dropped.map(\.name))
        let known = roots.all.filter { !dropped.contains($0.name) }.map(\.known.path)
        let new = settings.roots.map(\.path).filter { path in
            !known.contains { $0 == path || path.relative(to: $0) != nil }
        }
        // A folder that does not exist is in no report even if the agent knows it and waits for it.
        report.unwatched = await Blocking.run { new.first { (try? FileFacts.existing($0)) != .some(nil) } }?.display
    }
}

extension Agent {
    /// The first report that meets `condition`; checked after each event, and every second.
    package func report(when condition: @Sendable (Report) -> Bool) async throws -> Report {
        while true {
            let wakeups = wake.wakeups
            let report = try await report(.summary)
            if condition(report) { return report }
            try Task.checkCancellation()
            await wake.wait(after: wakeups, for: .seconds(1))
        }
    }
}
