package import Gallery
package import Queue

/// The items of the queue.
package struct ItemsOrder: AgentRequest {
    /// A request without parameters.
    package init() {}

    /// Returns all items that the queue holds now.
    package func perform(by agent: Agent) async throws -> AgentReply<[Item]> {
        .answered(await agent.queue.all())
    }
}
