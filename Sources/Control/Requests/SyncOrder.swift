package import Gallery
package import Platform

/// A pass over files, then their state.
package struct SyncOrder: AgentRequest {
    /// Absolute; the roots of the settings when empty.
    let paths: [FilePath]

    /// A request about `paths`, absolute.
    package init(paths: [FilePath]) {
        self.paths = paths
    }

    /// Stores what is new or changed.
    package func perform(by agent: Agent) async throws -> AgentReply<RunSummary> {
        let (ending, summary) = try await agent.summing { try await agent.sync(paths) }
        return .answered(summary, ending)
    }
}
