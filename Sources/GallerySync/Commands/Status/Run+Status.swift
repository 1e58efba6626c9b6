import Cleansing
import Gallery
import Platform
import Reporting
import Rescue

extension Run {
    /// `status`: the report, from the running agent or from what it left on disk.
    func status(_ request: StatusRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        if request.follows { return try await follow(setup) }
        var report = try await report(setup, request.html == nil ? .summary : .page, looksAtDisk: request.checks)
        if request.isRedacted { report = report.redacted }
        if let page = request.html {
            try write(HTMLReport(report), to: page)
        } else if !request.checks || !invocation.isQuiet || invocation.isJSON {
            try show(report)
        }
        guard request.checks, let reason = report.reasons(maxAge: request.maxAge).first else { return .success }
        console.note("gallery-sync: " + surroundings.cleanser.text(reason.sentence))
        return ExitCode(reason.kind)
    }

    private func write(_ page: HTMLReport, to name: FilePath) throws {
        if name == "-" { return try console.result([page.text]) }
        let path = surroundings.absolute(name)
        try OutputFile(path: path, mark: Array(HTMLReport.mark.utf8), kind: "page").write(Array(page.text.utf8))
        if !invocation.isQuiet { console.note("Wrote \(path)") }
    }

    /// Shows the report whenever it changes, until a signal comes.
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
}
