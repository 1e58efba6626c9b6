import CommandLine
import Output
import Platform
import Reporting

/// `status`: the report.
struct StatusRequest: Command {
    /// A page is written there instead of text.
    var html: FilePath?
    var follows = false
    /// Whether the report is written as metrics for Prometheus.
    var isPrometheus = false
    /// Exit with what a monitor wants to know.
    var checks = false
    var maxAge = Report.usualAge
    var isRedacted = false

    func perform(in run: Run) async throws -> ExitCode { try await run.status(self) }
}
