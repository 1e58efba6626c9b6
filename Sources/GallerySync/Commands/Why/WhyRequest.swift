import CommandLine
import Output
import Platform

/// `why`: prints the decisions taken about files.
struct WhyRequest: Command {
    var files: [FilePath]

    func perform(in run: Run) async throws -> ExitCode { try await run.why(self) }
}
