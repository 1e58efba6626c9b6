import Catalog
import Configuration
import Desktop
import FoundationEssentials
import Narration
import Queue
import Reporting
import Sync
import Text
import Uploading

extension Agent {
    /// Tells the log what a watch does and what stands in its way, until the agent is told to stop.
    ///
    /// It looks only when others wake it, and gathers for a second, so that it costs a quiet agent nothing.
    func narrate() async throws {
        var narration = Narration(notices: try await noticeBoard())
        while !watching.isStopping {
            let (wakeups, stop) = (wake.wakeups, ending.wakeups)
            let due = try await tell(&narration)
            try Task.checkCancellation()
            await wake.wait(after: wakeups, until: due)
            guard !watching.isStopping else { break }
            let wokenAt = setup.clock()
            let wasQuiet = isQuiet
            await ending.wait(after: stop, until: wokenAt + Narration.gathering)
            // The file that woke it may have been added before a stage took it in hand, which wakes nothing.
            if !wasQuiet || !isQuiet { narration.batches.begin(at: wokenAt) }
        }
        tellBatch(&narration, isEnding: true)
        try await keepLastMetrics()
    }

    /// What a watch has said so far.
    private struct Narration {
        var voice = WatchVoice()
        var batches = BatchTeller()
        /// What it saw at the last look, without and with the library.
        var outside: WatchState?
        var revision: Int?
        var lookedAt = Date.distantPast
        /// What the supervisor was told last.
        var status = ""
        var metrics = MetricsPace()
        var memory = MemoryPace()
        var notices: NoticeBoard
        /// What the tray was told last.
        var tray: TrayState?

        /// Seconds that a look waits for events that come together with the one that woke it.
        static let gathering = 1.0
    }

    /// Whether no stage has anything in hand.
    private var isQuiet: Bool { activity.snapshot.isQuiet && reading.isIdle }

    /// Says what is to be said now; returns when to look again without being woken.
    private func tell(_ narration: inout Narration) async throws -> Date? {
        let now = setup.clock()
        let outside = WatchState(
            isPaused: uploader.isPaused, restraint: uploader.restraint, obstacle: uploader.obstacle, absences: absences)
        let isQuiet = isQuiet
        let revision = library.revision
        // While work goes on, the library is asked once a minute; what is known without it is said at once.
        let pause = DatedWait(from: narration.lookedAt, seconds: BatchTeller.longest)
        let isDue = isQuiet ? revision != narration.revision : pause.isOver(at: now)
        if isDue || outside != narration.outside {
            narration.outside = outside
            narration.revision = revision
            narration.lookedAt = now
            let report = try await report(.counts)
            tellSupervisor(report, &narration)
            narration.metrics.note(report)
            var state = outside
            state.add(report)
            for remark in narration.voice.remarks(on: state, isQuiet: isQuiet, at: now) { say(remark) }
            try await tellNotices(state, report, &narration.notices)
            showTray(TrayState(state, report, hasPage: setup.hooks.gate != nil), &narration)
            narration.memory.note(isQuiet: isQuiet, at: now)
        }
        if narration.memory.take(isQuiet: isQuiet, at: now) { try await giveBackMemory() }
        tellBatch(&narration, isEnding: false)
        if setup.hooks.keepMetrics != nil { keepMetrics(&narration, at: now) }
        let due = narration.batches.due(activity.events.tally, isQuiet: isQuiet)
        let metricsDue = setup.hooks.keepMetrics == nil ? nil : narration.metrics.due
        return [due, metricsDue, isQuiet ? narration.memory.due : nil].compactMap(\.self).min()
    }

    /// Writes the metrics of a stopped agent, because the file outlives the agent.
    private func keepLastMetrics() async throws {
        guard setup.hooks.keepMetrics != nil else { return }
        var report = try await report(.counts)
        (report.agent.running, report.agent.paused) = (false, report.queue.paused)
        write(metrics: report)
    }

    private func keepMetrics(_ narration: inout Narration, at now: Date) {
        guard let report = narration.metrics.take(at: now) else { return }
        write(metrics: report)
    }

    private func write(metrics report: Report) {
        do {
            try setup.hooks.keepMetrics?(MetricsText(report).text)
            watching.note(nil, about: Self.metricsTopic)
        } catch {
            let text = "The metrics could not be written: \(error)"
            if watching.note(text, about: Self.metricsTopic) { setup.log.warning(text) }
        }
    }

    /// The topic of a note about the file of metrics; no root has such a name.
    private static let metricsTopic = "report/prometheusFile"

    private func tellSupervisor(_ report: Report, _ narration: inout Narration) {
        guard let supervisor = setup.hooks.supervisor, report.line != narration.status else { return }
        narration.status = report.line
        supervisor.tell(.status(DisplayText.safe(report.line)))
    }

    private func showTray(_ tray: TrayState, _ narration: inout Narration) {
        guard let link = setup.hooks.host, setup.settings.watch.tray, tray != narration.tray else { return }
        narration.tray = tray
        link.present(tray)
    }

    private func say(_ remark: Remark) {
        switch remark.level {
        case .error: setup.log.error(remark.sentence)
        case .warning: setup.log.warning(remark.sentence)
        case .info, .debug, .trace: setup.log.info(remark.sentence)
        }
        setup.hooks.hear(.state(remark))
    }

    private func tellBatch(_ narration: inout Narration, isEnding: Bool) {
        let events = activity.events
        let batch = narration.batches.batch(
            events.tally, changedAt: events.changedAt, isQuiet: isQuiet, isEnding: isEnding, at: setup.clock())
        guard let batch else { return }
        setup.log.info(batch.tally.line(in: batch.time))
        setup.hooks.hear(.batch(batch.tally, batch.time))
    }
}
