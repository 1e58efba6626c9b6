import CommandLine
import Output
import Platform

/// `sync`: makes one pass over the roots.
struct SyncRequest: Command {
    var roots: [FilePath] = []
    var isDryRun = false

    var teller: String? { isDryRun ? nil : "sync" }

    func perform(in run: Run) async throws -> ExitCode { try await run.sync(self) }
}
