import CommandLine
import Output
import Platform

/// `init`: what is not given is asked on a terminal.
struct InitRequest: Command {
    var roots: [FilePath] = []
    var keyFile: FilePath?
    var isAutomatic: Bool?
    var changesDestination = false
    /// Whether a new computer gets back what is stored: no folder is needed.
    var isRestoring = false
    /// Whether what was answered is tried at the destination before it is written.
    var tries = true
    /// Ask nothing.
    var acceptsDefaults = false

    func perform(in run: Run) async throws -> ExitCode { try await run.initialize(self) }
}
