import Configuration
package import Gallery

/// A user has signed in, so whatever waited for that goes on.
package struct SignInNotice: AgentRequest {
    /// A request without parameters.
    package init() {}

    /// Starts what waited; returns whether the agent stores as a user, and not with a key that it began with.
    package func perform(by agent: Agent) async throws -> AgentReply<Bool> {
        try await agent.goOn()
        return .answered(agent.setup.destination.userID != nil)
    }
}
