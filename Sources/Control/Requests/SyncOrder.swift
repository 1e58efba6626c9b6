package import Gallery
package import Platform

/// A pass over files, then their state.
package struct SyncOrder: AgentRequest {
    /// Absolute paths; empty for the roots of the settings.
    let paths: [FilePath]
    /// The limit of bytes per second until the pass ends; `nil` for the agent's own limit.
    let rate: Int?

    /// A request about `paths`, absolute.
    package init(paths: [FilePath], rate: Int? = nil) {
        (self.paths, self.rate) = (paths, rate)
    }

    /// The limit is that of the call.
    package static var obeyedSettings: Set<String> { ["upload.limitRate"] }

    /// Whether it names no path.
    package var namesNoRoot: Bool { paths.isEmpty }

    /// Stores what is new or changed.
    package func perform(by agent: Agent) async throws -> AgentReply<RunSummary> {
        let (ending, summary) = try await agent.summing {
            try await agent.limiting(to: rate) { try await agent.sync(paths) }
        }
        return .answered(summary, ending)
    }
}
