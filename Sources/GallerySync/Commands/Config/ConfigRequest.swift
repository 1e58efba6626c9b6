import CommandLine
import Output

/// `config show` and `config check`.
enum ConfigRequest: String, Command, CaseIterable {
    case show, check

    func perform(in run: Run) async throws -> ExitCode { try await run.config(self) }
}
