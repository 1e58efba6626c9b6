/// One command being carried out.
struct Run: Sendable {
    let invocation: Invocation
    let surroundings: Surroundings
    let console: Console

    /// Carries the command out.
    func perform() async throws -> ExitCode { try await invocation.command.perform(in: self) }
}
