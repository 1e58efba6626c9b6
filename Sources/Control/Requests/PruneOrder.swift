package import Catalog
package import Gallery

/// Objects whose files are gone.
package struct PruneOrder: AgentRequest {
    /// Whether they are deleted, or only listed.
    let isDeleting: Bool
    /// Only the objects of these files; `nil` for all, leftovers included.
    let files: [RootedPath]?

    /// A request about objects without files.
    package init(deleting isDeleting: Bool, of files: [RootedPath]? = nil) {
        (self.isDeleting, self.files) = (isDeleting, files)
    }

    /// Lists them, and deletes them where that is asked for.
    package func perform(by agent: Agent) async throws -> AgentReply<PruneResult> {
        let (result, ending) = try await agent.prune(deleting: isDeleting, of: files)
        return .answered(result, ending)
    }
}
