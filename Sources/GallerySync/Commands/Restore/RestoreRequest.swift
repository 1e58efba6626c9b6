import CommandLine
import Output
import Platform

/// `restore`: objects back to files.
struct RestoreRequest: Command {
    /// Below roots, such as `Pictures/2026`; all when empty.
    var paths: [FilePath] = []
    var target: FilePath
    var since: Since?
    var isDryRun = false

    var teller: String? { isDryRun ? nil : "restore" }

    func perform(in run: Run) async throws -> ExitCode { try await run.restore(self) }
}
