import CommandLine
import Output
import Platform

/// `reupload`: sends files again.
struct ReuploadRequest: Command {
    enum Selection: String, Hashable, Sendable {
        case failed, missing, changed, all
    }

    var paths: [FilePath] = []
    /// `nil` if none is named, which means everything below the paths, or without paths what failed.
    var selection: Selection?
    var code: String?
    var since: Since?
    /// Whether to send bytes again that storage has already.
    var isForced = false
    var isDryRun = false
    /// Whether to go on without asking.
    var isConfirmed = false

    func perform(in run: Run) async throws -> ExitCode { try await run.reupload(self) }
}
