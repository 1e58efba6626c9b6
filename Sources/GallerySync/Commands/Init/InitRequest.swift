import CommandLine
import Output
import Platform

/// `init`: asks on a terminal for everything that the options do not say.
struct InitRequest: Command {
    var roots: [FilePath] = []
    var keyFile: FilePath?
    var isAutomatic: Bool?
    var changesDestination = false
    /// Whether a new computer is to get stored files back, for which no folder is needed.
    var isRestoring = false
    /// Whether the answers are tried at the destination before they are written.
    var tries = true
    /// Whether to take the default answers without asking.
    var acceptsDefaults = false

    func perform(in run: Run) async throws -> ExitCode { try await run.initialize(self) }
}
