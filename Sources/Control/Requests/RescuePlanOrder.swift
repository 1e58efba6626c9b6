package import Gallery
package import Rescue

/// What a rescue would bring.
package struct RescuePlanOrder: AgentRequest {
    let order: RescueOrder

    /// A request about the rescue `order`.
    package init(_ order: RescueOrder) {
        self.order = order
    }

    /// Asks the providers, and fetches nothing.
    package func perform(by agent: Agent) async throws -> AgentReply<RescueListing> {
        .answered(try await agent.rescuePlan(order))
    }
}
