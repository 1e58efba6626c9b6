package import FoundationEssentials
package import Gallery
import Records

/// Sends nothing more until `ResumeOrder`, or until a given time.
package struct PauseOrder: AgentRequest {
    let until: Date?

    /// A request to pause; uploads resume by themselves at `until`, if it is given.
    package init(until: Date? = nil) {
        self.until = until
    }

    /// The pause also lasts through restarts.
    package func perform(by agent: Agent) async throws -> AgentReply<Never> {
        try await agent.pause(until: until)
        return .ended(.done)
    }
}
