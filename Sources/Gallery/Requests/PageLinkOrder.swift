import Catalog
import Dashboard

/// A link that opens the gallery page in one browser, once.
package struct PageLinkOrder: AgentRequest {
    /// A request without parameters.
    package init() {}

    /// How long the link works, in seconds: a browser may have to start first.
    static let lifetime = 300.0

    /// Makes the link; throws `Refusal` where the agent serves no page.
    package func perform(by agent: Agent) async throws -> AgentReply<String> {
        guard let link = agent.setup.gate?.link(lifetime: Self.lifetime) else {
            throw Refusal(
                .needsHuman(
                    "The running agent serves no page: start it as \"gallery-sync watch\" with page.enabled on, or run "
                        + "\"gallery-sync gallery\" to look without it"))
        }
        return .answered(link)
    }
}
