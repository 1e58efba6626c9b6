/// What the command line asks for: one command, its words understood.
protocol Command: Hashable, Sendable {
    /// Carries the command out, and says how it ended.
    func perform(in run: Run) async throws -> ExitCode
}
