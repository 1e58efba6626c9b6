import Platform

/// `init`: what is not given is asked on a terminal.
struct InitRequest: Command {
    var roots: [FilePath] = []
    var keyFile: FilePath?
    var isAutomatic: Bool?
    var changesDestination = false
    /// Ask nothing.
    var acceptsDefaults = false

    func perform(in run: Run) async throws -> ExitCode { try await run.initialize(self) }
}
