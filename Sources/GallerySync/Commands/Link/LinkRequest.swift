import CommandLine
import Output
import Platform

/// `link`: prints URLs that show stored files.
struct LinkRequest: Command {
    var files: [FilePath]
    /// How long a signed URL works.
    var expires = Duration.seconds(7 * 86_400)

    func perform(in run: Run) async throws -> ExitCode { try await run.link(self) }
}
