package import Gallery
package import Platform

/// A pass over files, then their state.
package struct SyncOrder: AgentRequest {
    /// Absolute; the roots of the settings when empty.
    let paths: [FilePath]
    /// Bytes per second that are sent at most until it ends; `nil` for the agent's own limit.
    let rate: Int?

    /// A request about `paths`, absolute.
    package init(paths: [FilePath], rate: Int? = nil) {
        (self.paths, self.rate) = (paths, rate)
    }

    /// The limit of its call.
    package static var obeyedSettings: Set<String> { ["upload.limitRate"] }

    /// Stores what is new or changed.
    package func perform(by agent: Agent) async throws -> AgentReply<RunSummary> {
        let (ending, summary) = try await agent.summing {
            try await agent.limiting(to: rate) { try await agent.sync(paths) }
        }
        return .answered(summary, ending)
    }
}
