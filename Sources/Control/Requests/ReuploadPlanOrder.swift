package import Gallery
package import Records

/// What a reupload would look at.
package struct ReuploadPlanOrder: AgentRequest {
    let selection: Selection

    /// A request about the files of `selection`.
    package init(_ selection: Selection) {
        self.selection = selection
    }

    /// Counts the files, and changes nothing.
    package func perform(by agent: Agent) async throws -> AgentReply<SelectionResult> {
        .answered(try await agent.plan(selection))
    }
}
