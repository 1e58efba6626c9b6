import CommandLine
import Output

/// `gallery`: the gallery page without an agent.
struct GalleryRequest: Command {
    /// 0 means any free one.
    var port: UInt16 = 0

    func perform(in run: Run) async throws -> ExitCode { try await run.gallery(self) }
}
