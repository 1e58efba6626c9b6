import CommandLine
import Output

/// `logout`: ends the sign-in.
struct LogoutRequest: Command {
    func perform(in run: Run) async throws -> ExitCode { try await run.logout() }
}
