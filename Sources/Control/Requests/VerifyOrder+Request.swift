package import Gallery
package import Reconciling

extension VerifyOrder: AgentRequest {
    /// Compares what storage holds with the receipts.
    package func perform(by agent: Agent) async throws -> AgentReply<VerifyResult> {
        let (result, ending) = try await agent.verify(self)
        return .answered(result, ending)
    }
}
