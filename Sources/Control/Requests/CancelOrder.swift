package import Gallery
package import Platform

/// Files that are not to be sent.
package struct CancelOrder: AgentRequest {
    /// Absolute.
    let paths: [FilePath]

    /// A request about what lies at or below `paths`, absolute.
    package init(paths: [FilePath]) {
        self.paths = paths
    }

    /// Leaves the files out; returns how many.
    package func perform(by agent: Agent) async throws -> AgentReply<Int> {
        .answered(try await agent.cancel(paths))
    }
}
