import CommandLine
import Output
import Platform

/// `thumbnail`: thumbnails only, without queue, catalog or storage.
struct ThumbnailRequest: Command {
    var files: [FilePath]
    var target: FilePath
    /// Pixels along the longer side; those of the settings when empty.
    var sizes: [Int] = []

    func perform(in run: Run) async throws -> ExitCode { try await run.thumbnail(self) }
}
