package import Gallery
package import Generating
package import Rescue

extension GenerateOrder: AgentRequest {
    /// No, because a video that is ordered twice is paid twice.
    package static var mayBeRepeated: Bool { false }

    /// Orders the video once, and follows its job.
    package func perform(by agent: Agent) async throws -> AgentReply<Job> {
        let (job, ending) = try await agent.generate(self)
        return .answered(job, ending)
    }
}
