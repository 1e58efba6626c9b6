import CommandLine
import Output

/// `prune`: lists or deletes objects whose files are gone.
struct PruneRequest: Command {
    var isDeleting = false
    var isDryRun = false
    /// Whether to delete without asking.
    var isConfirmed = false
    /// The name of a root to give up, with all its objects.
    var root: String?

    func perform(in run: Run) async throws -> ExitCode { try await run.prune(self) }
}
