package import Gallery
package import Reconciling
package import Records

/// Objects whose files are gone.
package struct PruneOrder: AgentRequest {
    /// Whether they are deleted, and not only listed.
    let isDeleting: Bool
    /// Only the objects of these files; `nil` for all, leftovers included.
    let files: [RootedPath]?
    /// The root whose objects are all meant; `nil` for objects without files.
    let root: String?

    /// A request about objects without files, or about all of a root.
    package init(deleting isDeleting: Bool, of files: [RootedPath]? = nil, root: String? = nil) {
        (self.isDeleting, self.files, self.root) = (isDeleting, files, root)
    }

    /// Lists the objects, and deletes them if that is asked for.
    package func perform(by agent: Agent) async throws -> AgentReply<PruneResult> {
        let (result, ending) = try await agent.prune(deleting: isDeleting, of: files, root: root)
        return .answered(result, ending)
    }
}
