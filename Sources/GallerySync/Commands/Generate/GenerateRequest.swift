import CommandLine
import Output
import Platform

/// `generate`: a video to order.
struct GenerateRequest: Command {
    var provider: String
    var model: String
    var prompt: String?
    /// A file with the model's input in JSON.
    var input: FilePath?
    /// What it may cost, in the provider's unit.
    var cost: Double?
    /// The cost need not be known.
    var isConfirmed = false

    func perform(in run: Run) async throws -> ExitCode { try await run.generate(self) }
}
