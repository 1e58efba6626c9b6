import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
package import Reporting
import Rescue
import Supabase
import Sync

extension Agent {
    /// The report as the running agent knows it.
    package func report(_ depth: Reporter.Depth) async throws -> Report {
        let reporter = Reporter(
            library: library, settings: setup.settings, cache: ThumbnailCache(folder: setup.locations.thumbnails),
            profile: setup.profile)
        let reason = pauseReason
        let state = Report.Agent(
            running: true, paused: uploader.isPaused || !roots.absences.isEmpty, reason: reason)
        let items = await queue.all()
        var report = try await reporter.report(
            depth, queue: await queue.count(), nextAttempt: await queue.nextAttempt(),
            blocked: Report.Blocked.counted(items), agent: state, destination: setup.destination.described,
            now: setup.clock())
        for index in report.roots.indices {
            report.roots[index].paused =
                self.roots.absences[report.roots[index].name]?.reason ?? report.roots[index].paused
        }
        report.rescue = RescueSummary(await rescuer.book.all(), rate: rescuer.rate, now: setup.clock())
        report.notes += queue.warnings + rescuer.book.warnings + watching.notes
        if let sentence = uploader.obstacle?.sentence { report.notes.append(sentence) }
        return report
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
            await wake.wait(after: wakeups, until: setup.clock() + 1)
        }
    }
}
