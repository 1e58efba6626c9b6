import Catalog

/// Sends again after `PauseOrder`.
package struct ResumeOrder: AgentRequest {
    /// A request without parameters.
    package init() {}

    /// Starts what waits.
    package func perform(by agent: Agent) async throws -> AgentReply<Never> {
        try await agent.resume()
        return .ended(.done)
    }
}
