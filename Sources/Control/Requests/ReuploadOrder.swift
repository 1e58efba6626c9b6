package import Gallery
package import Records

/// Files to be looked at and sent again.
package struct ReuploadOrder: AgentRequest {
    let selection: Selection
    /// Whether the answer comes once the files are settled, and not as soon as they are queued.
    let isAwaited: Bool

    /// A request about the files of `selection`.
    package init(_ selection: Selection, isAwaited: Bool = true) {
        self.selection = selection
        self.isAwaited = isAwaited
    }

    /// Queues the files, and waits until they are settled if that is asked for.
    package func perform(by agent: Agent) async throws -> AgentReply<SelectionResult> {
        guard isAwaited else { return .answered(try await agent.beginReupload(selection)) }
        let (result, ending) = try await agent.reupload(selection)
        return .answered(result, ending)
    }
}
