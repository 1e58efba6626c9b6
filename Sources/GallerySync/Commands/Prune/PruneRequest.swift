import CommandLine
import Output

/// `prune`: objects whose files are gone.
struct PruneRequest: Command {
    var isDeleting = false
    var isDryRun = false
    /// Ask nothing.
    var isConfirmed = false
    /// All objects of the root of that name, which is given up.
    var root: String?

    func perform(in run: Run) async throws -> ExitCode { try await run.prune(self) }
}
