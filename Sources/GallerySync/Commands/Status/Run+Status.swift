import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Queue
import Reporting
import Rescue
import Sync
import Text
import Transfer

extension Run {
    /// `status`: the report, from the running agent or from what it left on disk.
    func status(_ request: StatusRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        if request.follows { return try await follow(setup) }
        var report = try await report(setup, request.html == nil ? .summary : .page)
        if request.isRedacted { report = report.redacted }
        if let page = request.html {
            let path = surroundings.absolute(page)
            let file = try OpenFile(creating: path)
            try file.append(Array(HTMLReport(report).text.utf8))
            console.note("Wrote \(path)")
        } else {
            try show(report)
        }
        return request.checks ? ExitCode(report.verdict(maxAge: request.maxAge)) : .success
    }

    private func show(_ report: Report) throws {
        if invocation.isJSON { return try console.result(json: report.json()) }
        let width = min(Terminal.columns(1) ?? 80, 100)
        try console.result(TextReport(report, width: width, paint: console.paint).lines)
    }

    /// Shows the report whenever it changes, until a signal arrives.
    private func follow(_ setup: Setup) async throws -> ExitCode {
        let ended = try await interruptible {
            var last: Report?
            while true {
                var report = try await self.report(setup, .summary)
                let moment = report.createdAt
                report.createdAt = last?.createdAt ?? moment
                if report != last {
                    report.createdAt = moment
                    try self.show(report)
                    last = report
                }
                try await Task.sleep(for: .seconds(1))
            }
        }
        guard case .interrupted(let signal) = ended else { return .success }
        return ExitCode(signal)
    }

    /// The report of the profile, from the lock's holder; where it is silent, from the files.
    func report(_ setup: Setup, _ depth: Reporter.Depth) async throws -> Report {
        if let holder = try StateLock.holder(setup.locations) {
            let client = HTTPClient()
            defer { client.close() }
            let control = ControlClient(socket: FilePath(holder.socket), transport: client)
            // A silent holder is no error: its files hold most of the report.
            if let report = try? await control.report(depth) { return report.compared(to: Version.text) }
        }
        return try await StoredReport(setup).report(depth)
    }
}

/// The report from the files of a profile, without an agent.
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
        let isPaused = try await library.fact(Agent.pausedFact) != nil
        var report = try await reporter.report(
            depth, queue: snapshot.counts, nextAttempt: snapshot.nextAttempt, blocked: snapshot.blocked,
            agent: Report.Agent(running: isRunning, paused: isPaused, reason: isPaused ? "paused" : nil),
            destination: destination(try await library.fact(Library.destinationFact)), now: Date())
        report.rescue = try JobSnapshot(state: locations.state).report(at: report.createdAt)
        return report
    }

    private func destination(_ remembered: String?) -> Report.Destination? {
        let wanted = setup.settings.destination
        if wanted.local || remembered?.hasPrefix("local ") == true {
            return Report.Destination(url: nil, bucket: wanted.bucket, prefix: wanted.prefix, local: true)
        }
        return wanted.url.map { Report.Destination(url: $0, bucket: wanted.bucket, prefix: wanted.prefix) }
    }
}
