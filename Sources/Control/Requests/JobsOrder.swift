package import Gallery
package import Rescue

/// The jobs that are followed.
package struct JobsOrder: AgentRequest {
    /// A request without parameters.
    package init() {}

    /// Returns all jobs, without the queries of their links.
    package func perform(by agent: Agent) async throws -> AgentReply<[Job]> {
        .answered(await agent.jobOrders.all())
    }
}
