package import Gallery
import Records

/// Sends again after `PauseOrder`.
package struct ResumeOrder: AgentRequest {
    let now: Bool

    /// A request to go on; with `now`, even if the network is metered or the battery is low.
    package init(now: Bool = false) {
        self.now = now
    }

    /// Starts whatever waits.
    package func perform(by agent: Agent) async throws -> AgentReply<Never> {
        try await agent.resume(now: now)
        return .ended(.done)
    }
}
