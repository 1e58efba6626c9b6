import CommandLine
import Output
import Platform

/// `login`: asks for everything that the options do not say.
struct LoginRequest: Command {
    var email: String?
    /// `-` means standard input.
    var passwordFile: FilePath?
    /// Whether to sign in with a code or link by e-mail instead of a password.
    var sendsCode = false

    func perform(in run: Run) async throws -> ExitCode { try await run.login(self) }
}
