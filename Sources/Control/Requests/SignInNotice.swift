import Configuration
package import Gallery

/// A user has signed in: what waited for that goes on.
package struct SignInNotice: AgentRequest {
    /// A request without parameters.
    package init() {}

    /// Starts what waited; whether the agent stores as a user, not with a key that it began with.
    package func perform(by agent: Agent) async throws -> AgentReply<Bool> {
        try await agent.goOn()
        return .answered(agent.setup.destination.userID != nil)
    }
}
