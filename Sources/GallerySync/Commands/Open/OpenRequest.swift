import CommandLine
import Output

/// `open`: shows the gallery page in the browser.
struct OpenRequest: Command {
    /// Whether to print the link instead of starting a browser.
    var prints = false

    func perform(in run: Run) async throws -> ExitCode { try await run.open(self) }
}
