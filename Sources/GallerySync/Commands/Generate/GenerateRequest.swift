import CommandLine
import Output
import Platform

/// `generate`: orders a video.
struct GenerateRequest: Command {
    var provider: String
    var model: String
    var prompt: String?
    /// A file with the model's input in JSON.
    var input: FilePath?
    /// The most that the video may cost, in the provider's unit.
    var cost: Double?
    /// Whether to order even if the cost is not known.
    var isConfirmed = false

    func perform(in run: Run) async throws -> ExitCode { try await run.generate(self) }
}
