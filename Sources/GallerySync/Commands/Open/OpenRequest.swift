import CommandLine
import Output

/// `open`: the gallery page in the browser.
struct OpenRequest: Command {
    /// Whether the link is printed, and no browser started.
    var prints = false

    func perform(in run: Run) async throws -> ExitCode { try await run.open(self) }
}
