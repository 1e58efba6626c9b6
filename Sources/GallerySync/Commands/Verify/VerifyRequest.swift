import CommandLine
import Output

/// `verify`: receipts against what the bucket holds.
struct VerifyRequest: Command {
    /// Of 100, to download and hash; nil compares listings only.
    var percent: Double?
    var isRepairing = false

    var teller: String? { "verify" }

    func perform(in run: Run) async throws -> ExitCode { try await run.verify(self) }
}
