package import Gallery
package import Rescue

/// Jobs to follow no more.
package struct CancelJobsOrder: AgentRequest {
    /// As `JobIdentifier` spells them.
    let ids: [String]

    /// A request about the jobs with `ids`.
    package init(_ ids: [String]) {
        self.ids = ids
    }

    /// Gives them up; those that were followed.
    package func perform(by agent: Agent) async throws -> AgentReply<[Job]> {
        .answered(try await agent.jobOrders.cancel(ids))
    }
}
