package import Gallery
import Reconciling
import Records
import Rescue

/// What another process asks the agent that holds the lock to do.
package protocol AgentRequest: Codable, Hashable, Sendable {
    /// What is told besides the ending; `Never` where the ending is all.
    associatedtype Answer: Codable, Hashable, Sendable

    /// The settings of its call that it brings along, by their dotted keys; an agent keeps its own of all others.
    static var obeyedSettings: Set<String> { get }

    /// Whether it does no harm to ask once more where an agent ended before it answered.
    static var mayBeRepeated: Bool { get }

    /// Has `agent` carry it out; throws `Refusal` where the user has to do something first.
    func perform(by agent: Agent) async throws -> AgentReply<Answer>
}

extension AgentRequest {
    /// Its word on the control socket.
    static var name: String { String(describing: self) }

    /// None, where a request does not say otherwise.
    package static var obeyedSettings: Set<String> { [] }

    /// It may, where a request does not say otherwise.
    package static var mayBeRepeated: Bool { true }
}

/// The requests that can be asked for over the control socket.
enum AgentRequestTable {
    static let all: [any AgentRequest.Type] = [
        SyncOrder.self, ReuploadOrder.self, ReuploadPlanOrder.self, PauseOrder.self,
        ResumeOrder.self, CancelOrder.self, ItemsOrder.self, SignInNotice.self, PruneOrder.self, VerifyOrder.self,
        VerifyVolumeOrder.self, RescueOrder.self, RescuePlanOrder.self, JobsOrder.self, AddJobsOrder.self,
        CancelJobsOrder.self, GenerateOrder.self, PageLinkOrder.self, SettingsQuestion.self,
    ]

    /// The request of that name; `nil` where another version of the program asks for one of its own.
    static func request(named name: some StringProtocol) -> (any AgentRequest.Type)? {
        all.first { $0.name == name }
    }
}

extension Agent {
    /// Carries out `request`; refusals are replies, errors are the agent's own.
    package func answer<Asked: AgentRequest>(_ request: Asked) async throws -> AgentReply<Asked.Answer> {
        do {
            return try await request.perform(by: self)
        } catch let refusal as Refusal {
            return .ended(refusal.ending)
        }
    }
}
