package import Gallery
package import Rescue

extension RescueOrder: AgentRequest {
    /// Brings the files into storage.
    package func perform(by agent: Agent) async throws -> AgentReply<RescueListing> {
        let (result, ending) = try await agent.rescue(self)
        return .answered(result, ending)
    }
}
