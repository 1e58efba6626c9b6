import CommandLine
import Output

/// `demo`: shows the whole program at work on made-up media.
struct DemoRequest: Command {
    /// Whether to keep the demo's files, and its server running.
    var keeps = false

    var hasJSON: Bool { false }

    func perform(in run: Run) async throws -> ExitCode { try await run.demo(self) }
}
