import Catalog
package import Gallery

/// A user has signed in: what waited for that goes on.
package struct SignInNotice: AgentRequest {
    /// A request without parameters.
    package init() {}

    /// Starts what waited.
    package func perform(by agent: Agent) async throws -> AgentReply<Never> {
        try await agent.goOn()
        return .ended(.done)
    }
}
