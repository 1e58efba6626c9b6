package import Gallery
import Generating
import Reconciling
import Records
import Rescue

/// A request by another process to the agent that holds the lock.
package protocol AgentRequest: Codable, Hashable, Sendable {
    /// What is answered besides the ending; `Never` if the ending is all.
    associatedtype Answer: Codable, Hashable, Sendable

    /// The settings of its call that the agent obeys, by their dotted keys; for all others the agent keeps its own.
    static var obeyedSettings: Set<String> { get }

    /// Whether it may be sent again if an agent ended before it answered.
    static var mayBeRepeated: Bool { get }

    /// Whether it names no file or directory, of which one could be out of the settings.
    var namesNoRoot: Bool { get }

    /// Has `agent` carry it out; throws `Refusal` where the user has to do something first.
    func perform(by agent: Agent) async throws -> AgentReply<Answer>
}

extension AgentRequest {
    /// Its name on the control socket.
    static var name: String { String(describing: self) }

    /// No settings, unless a request says otherwise.
    package static var obeyedSettings: Set<String> { [] }

    /// It names none, unless a request says otherwise.
    package var namesNoRoot: Bool { true }

    /// It may be repeated, unless a request says otherwise.
    package static var mayBeRepeated: Bool { true }
}

/// The requests that can be made over the control socket.
enum AgentRequestTable {
    static let all: [any AgentRequest.Type] = [
        SyncOrder.self, ReuploadOrder.self, ReuploadPlanOrder.self, PauseOrder.self,
        ResumeOrder.self, CancelOrder.self, ItemsOrder.self, SignInNotice.self, PruneOrder.self, VerifyOrder.self,
        VerifyVolumeOrder.self, RescueOrder.self, RescuePlanOrder.self, JobsOrder.self, AddJobsOrder.self,
        CancelJobsOrder.self, GenerateOrder.self, PageLinkOrder.self, SettingsQuestion.self,
    ]

    /// The request of that name; `nil` if only another version of the program knows it.
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
