package import Gallery
package import Providers
package import Rescue

/// Jobs to follow.
package struct AddJobsOrder: AgentRequest {
    let references: [JobReference]

    /// A request about the jobs of `references`.
    package init(_ references: [JobReference]) {
        self.references = references
    }

    /// Writes the jobs down; returns those that are followed now.
    package func perform(by agent: Agent) async throws -> AgentReply<[Job]> {
        .answered(try await agent.jobOrders.add(references))
    }
}
