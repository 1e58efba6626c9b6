package import Gallery
package import Rescue

/// Jobs that are not to be followed any more.
package struct CancelJobsOrder: AgentRequest {
    /// As `JobIdentifier` spells them.
    let ids: [String]

    /// A request about the jobs with `ids`.
    package init(_ ids: [String]) {
        self.ids = ids
    }

    /// Gives the jobs up; returns those that were followed.
    package func perform(by agent: Agent) async throws -> AgentReply<[Job]> {
        .answered(try await agent.jobOrders.cancel(ids))
    }
}
