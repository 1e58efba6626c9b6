package import FoundationEssentials
package import Gallery
import Records

/// Sends nothing more until `ResumeOrder`, or until a time.
package struct PauseOrder: AgentRequest {
    let until: Date?

    /// A request to pause; it goes on by itself at `until`, where there is one.
    package init(until: Date? = nil) {
        self.until = until
    }

    /// Holds also after a restart.
    package func perform(by agent: Agent) async throws -> AgentReply<Never> {
        try await agent.pause(until: until)
        return .ended(.done)
    }
}
