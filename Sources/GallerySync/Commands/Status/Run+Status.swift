import CommandLine
import Gallery
import Output
import Platform
import Reporting
import Rescue
import Text

extension Run {
    /// `status`: the report, from the running agent or from what it left on disk.
    func status(_ request: StatusRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        if request.follows { return try await follow(request, setup) }
        var report = try await report(setup, request.html == nil ? .summary : .page, looksAtDisk: request.checks)
        if request.isRedacted { report = report.redacted }
        if request.isPrometheus {
            try console.result(MetricsText(report).lines)
        } else if let page = request.html {
            try write(report, to: page)
        } else if !request.checks || !invocation.isQuiet || invocation.isJSON {
            try show(report, maxAge: request.maxAge)
        }
        guard request.checks, let reason = report.reasons(maxAge: request.maxAge).first else { return .success }
        complain(reason.message, next: reason.next, ExitCode(reason.kind))
        return ExitCode(reason.kind)
    }

    private func write(_ report: Report, to name: FilePath) throws {
        if name == "-" { return try console.result([HTMLReport(report).text]) }
        let path = try surroundings.absolute(name)
        try StatusPage(report: report, path: path).write()
        if !invocation.isQuiet { console.note("Wrote \(DisplayText.safe(path.display))") }
    }

    /// Shows the report whenever it changes, until a signal comes; on a terminal, redraws it in place.
    private func follow(_ request: StatusRequest, _ setup: Setup) async throws -> ExitCode {
        let ended = try await interruptible {
            var last: Report?
            while true {
                let report = try await self.report(setup, .summary)
                try self.follow(request.isRedacted ? report.redacted : report, after: &last)
                try await Task.sleep(for: .seconds(1))
                // Checked here, because while nothing changes no write would fail and show that the reader is gone.
                try console.checkReader()
            }
        }
        guard case .interrupted(let signal) = ended else { return .success }
        return ExitCode(signal)
    }

    private func follow(_ report: Report, after last: inout Report?) throws {
        if console.canRedraw, !invocation.isJSON {
            // Every second, because times such as "2 min ago" grow.
            return try console.redraw(lines(of: report), rows: Terminal.rows(1) ?? 24)
        }
        var same = report
        same.createdAt = last?.createdAt ?? report.createdAt
        guard same != last else { return }
        last = report
        if invocation.isJSON { return try console.result(json: report.json(isLine: true)) }
        try show(report)
    }
}
