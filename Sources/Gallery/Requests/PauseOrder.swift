import Catalog

/// Sends nothing more until `ResumeOrder`.
package struct PauseOrder: AgentRequest {
    /// A request without parameters.
    package init() {}

    /// Holds also after a restart.
    package func perform(by agent: Agent) async throws -> AgentReply<Never> {
        try await agent.pause()
        return .ended(.done)
    }
}
