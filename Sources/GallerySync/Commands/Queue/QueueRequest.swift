import CommandLine
import Output
import Platform

/// `queue list|pause|resume|cancel`.
enum QueueRequest: Command {
    case list
    case pause
    /// With `now`, files are sent over a metered network, too.
    case resume(now: Bool)
    case cancel([FilePath])

    func perform(in run: Run) async throws -> ExitCode { try await run.queue(self) }
}
