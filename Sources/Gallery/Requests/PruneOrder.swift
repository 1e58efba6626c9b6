/// Objects whose files are gone.
package struct PruneOrder: AgentRequest {
    /// Whether they are deleted, or only listed.
    let isDeleting: Bool

    /// A request about objects without files.
    package init(deleting isDeleting: Bool) {
        self.isDeleting = isDeleting
    }

    /// Lists them, and deletes them where that is asked for.
    package func perform(by agent: Agent) async throws -> AgentReply<PruneResult> {
        let (result, ending) = try await agent.prune(deleting: isDeleting)
        return .answered(result, ending)
    }
}
