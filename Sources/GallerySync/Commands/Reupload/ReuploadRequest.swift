import CommandLine
import Output
import Platform

/// `reupload`: what is to be sent again.
struct ReuploadRequest: Command {
    enum Selection: String, Hashable, Sendable {
        case failed, missing, changed, all
    }

    var paths: [FilePath] = []
    /// `nil` where none is named: everything below the paths, or what failed without any.
    var selection: Selection?
    var code: String?
    var since: Since?
    /// Identical bytes are sent again too.
    var isForced = false
    var isDryRun = false
    /// Ask nothing.
    var isConfirmed = false

    func perform(in run: Run) async throws -> ExitCode { try await run.reupload(self) }
}
