import Dashboard
package import Gallery
import Records

/// A link that opens the gallery page in one browser, once.
package struct PageLinkOrder: AgentRequest {
    /// A request without parameters.
    package init() {}

    /// Makes the link; throws `Refusal` where the agent serves no page.
    package func perform(by agent: Agent) async throws -> AgentReply<String> {
        guard let link = agent.setup.hooks.gate?.link(lifetime: Gate.linkLifetime) else {
            throw Refusal(
                .needsHuman(
                    "The running agent serves no page: start it as \"gallery-sync watch\" with page.enabled on, or run "
                        + "\"gallery-sync gallery\" to look without it"))
        }
        return .answered(link)
    }
}
