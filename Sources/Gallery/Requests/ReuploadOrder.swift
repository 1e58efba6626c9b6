package import Catalog

/// Files to be looked at and sent again.
package struct ReuploadOrder: AgentRequest {
    let selection: Selection

    /// A request about the files of `selection`.
    package init(_ selection: Selection) {
        self.selection = selection
    }

    /// Queues them, and waits until they are settled.
    package func perform(by agent: Agent) async throws -> AgentReply<SelectionResult> {
        let (result, ending) = try await agent.reupload(selection)
        return .answered(result, ending)
    }
}
