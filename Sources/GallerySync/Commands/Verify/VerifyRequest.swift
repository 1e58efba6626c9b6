import CommandLine
import Output

/// `verify`: compares receipts with what the bucket holds.
struct VerifyRequest: Command {
    /// The percentage of objects to download and hash; `nil` compares listings only.
    var percent: Double?
    var isRepairing = false

    var teller: String? { "verify" }

    func perform(in run: Run) async throws -> ExitCode { try await run.verify(self) }
}
