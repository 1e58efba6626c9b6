import Configuration
package import Gallery
import Platform
import Records

/// URLs that show stored files.
package struct LinkOrder: AgentRequest {
    let files: [RootedPath]
    /// How long signed URLs work.
    let seconds: Int

    /// A request about `files`, whose signed URLs work for that many seconds.
    init(_ files: [RootedPath], seconds: Int) {
        (self.files, self.seconds) = (files, seconds)
    }

    /// Makes the URLs; files that are not stored are left out, and counted by the ending.
    package func perform(by agent: Agent) async throws -> AgentReply<[Linker.Link]> {
        let destination = agent.setup.destination
        if let sentence = Linker.refusal(at: destination) { throw Refusal(.needsHuman(sentence)) }
        let linker = Linker(library: agent.library, storage: agent.storage, destination: destination)
        let (links, last) = try await linker.links(to: files, seconds: seconds, now: agent.setup.clock())
        if links.isEmpty, let last { throw last }
        return .answered(links, last == nil ? .done : .someFailed(files.count - links.count))
    }
}
