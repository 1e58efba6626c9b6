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
    /// The most that the video costs by the user's word, in the provider's unit.
    var cost: Double?
    /// Whether to order even if the cost is unknown or unlimited.
    var isConfirmed = false

    func perform(in run: Run) async throws -> ExitCode { try await run.generate(self) }
}
