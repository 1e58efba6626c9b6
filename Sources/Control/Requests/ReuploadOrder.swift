package import Gallery
package import Records

/// Files to be looked at and sent again, then their state.
package struct ReuploadOrder: AgentRequest {
    let selection: Selection

    /// A request about the files of `selection`.
    package init(_ selection: Selection) {
        self.selection = selection
    }

    /// Whether it names no path.
    package var namesNoRoot: Bool { selection.paths.isEmpty }

    /// Queues the files, and waits until they are settled.
    package func perform(by agent: Agent) async throws -> AgentReply<RunSummary> {
        let (ending, summary) = try await agent.summing { try await agent.reupload(selection).ending }
        return .answered(summary, ending)
    }
}
