import CommandLine
import Output
import Platform
import Reporting

/// `status`: shows the report.
struct StatusRequest: Command {
    /// Where to write a page instead of printing text.
    var html: FilePath?
    var follows = false
    /// Whether the report is written as metrics for Prometheus.
    var isPrometheus = false
    /// Whether the exit code tells a monitor what is wrong.
    var checks = false
    var maxAge = Report.usualAge
    var isRedacted = false

    func perform(in run: Run) async throws -> ExitCode { try await run.status(self) }
}
