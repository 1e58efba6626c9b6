package import Gallery
package import Reconciling

/// What a verification would download.
package struct VerifyVolumeOrder: AgentRequest {
    let order: VerifyOrder

    /// A request about the verification `order`.
    package init(_ order: VerifyOrder) {
        self.order = order
    }

    /// Draws the sample, and downloads nothing.
    package func perform(by agent: Agent) async throws -> AgentReply<VerifyVolume> {
        .answered(try await agent.verifyVolume(order))
    }
}
