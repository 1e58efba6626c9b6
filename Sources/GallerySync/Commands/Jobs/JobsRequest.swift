import CommandLine
import Output

/// `jobs add|list|cancel`.
enum JobsRequest: Command {
    case list
    case add(provider: String, ids: [String], model: String?)
    /// Cancels jobs by the identifiers that `list` shows.
    case cancel([String])

    func perform(in run: Run) async throws -> ExitCode { try await run.jobs(self) }
}
