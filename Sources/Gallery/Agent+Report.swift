import FoundationEssentials
import Platform
import Supabase

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
        report.rescue = Report.Rescue(await rescuer.book.all(), rate: rescuer.rate, now: setup.clock())
        report.notes += queue.warnings + rescuer.book.warnings + watching.notes
        if let sentence = uploader.obstacle?.sentence { report.notes.append(sentence) }
        return report
    }
}

extension Destination {
    /// As the report shows it.
    package var described: Report.Destination {
        Report.Destination(url: isLocal ? nil : endpoint.base, bucket: bucket, prefix: prefix, local: isLocal)
    }
}

extension Report.Blocked {
    /// What is in the way of pending items, by reason.
    package static func counted(_ items: [Item]) -> [Report.Blocked] {
        let causes = Dictionary(grouping: items.compactMap(\.blockedCause)) { $0 }
        return causes.sorted { $0.key < $1.key }.map { Report.Blocked(cause: $0.key, count: $0.value.count) }
    }

    /// What is in the way of the queue's items and of those in the library, by reason.
    static func merged(_ queue: [Report.Blocked], _ elsewhere: [BlockedSum]) -> [Report.Blocked] {
        var merged = queue
        for sum in elsewhere {
            guard let cause = sum.reason?.cause(code: sum.code) else { continue }
            let added = Report.Blocked(cause: cause, count: sum.count)
            if let index = merged.firstIndex(where: { $0.reason == added.reason && $0.next == added.next }) {
                merged[index].count += added.count
            } else {
                merged.append(added)
            }
        }
        return merged.sorted { ($0.reason, $0.next) < ($1.reason, $1.next) }
    }
}

extension Agent {
    /// The first report of which `condition` holds; looks whenever something may have changed.
    package func report(when condition: @Sendable (Report) -> Bool) async throws -> Report {
        while true {
            let rings = bell.rings
            let report = try await report(.summary)
            if condition(report) { return report }
            try Task.checkCancellation()
            await bell.wait(after: rings, until: setup.clock() + 1)
        }
    }
}
