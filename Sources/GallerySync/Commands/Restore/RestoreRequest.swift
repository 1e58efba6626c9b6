import CommandLine
import Output
import Platform

/// `restore`: brings stored objects back as files.
struct RestoreRequest: Command {
    /// Paths that begin with a root's name, such as `Pictures/2026`; empty for everything.
    var paths: [FilePath] = []
    var target: FilePath
    var since: Since?
    var isDryRun = false

    var teller: String? { isDryRun ? nil : "restore" }

    func perform(in run: Run) async throws -> ExitCode { try await run.restore(self) }
}
