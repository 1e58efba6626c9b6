import CommandLine
import Output
import Platform

/// `watch`: background sync until it is stopped.
struct WatchRequest: Command {
    /// Directories to watch besides or instead of those of the configuration.
    var roots: [FilePath] = []

    var teller: String? { "watch" }

    func perform(in run: Run) async throws -> ExitCode { try await run.watch(self) }
}
