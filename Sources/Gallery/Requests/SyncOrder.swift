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
    package func perform(by agent: Agent) async throws -> AgentReply<Never> {
        .ended(try await agent.sync(paths))
    }
}
