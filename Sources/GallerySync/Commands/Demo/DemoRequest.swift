import CommandLine
import Output

/// `demo`: all of it on made-up media.
struct DemoRequest: Command {
    /// Whether what was made stays, and keeps running.
    var keeps = false

    var hasJSON: Bool { false }

    func perform(in run: Run) async throws -> ExitCode { try await run.demo(self) }
}
