import CommandLine
import Output
import Platform

/// `thumbnail`: makes thumbnails, without queue, catalog or storage.
struct ThumbnailRequest: Command {
    var files: [FilePath]
    var target: FilePath
    /// Pixels along the longer side; empty for the sizes of the settings.
    var sizes: [Int] = []

    func perform(in run: Run) async throws -> ExitCode { try await run.thumbnail(self) }
}
