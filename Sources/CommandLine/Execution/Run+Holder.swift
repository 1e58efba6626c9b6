package import Control
import Platform
package import Records
package import Transfer

extension Run {
    /// What the holder of the lock answers to `request`; throws `AgentSilent` where it does not answer.
    package func answer<Asked: AgentRequest>(
        to request: Asked, by holder: StateLock.Holder, over transport: any Transport
    ) async throws -> AgentReply<Asked.Answer> {
        do {
            return try await ControlClient(socket: holder.controlSocket, transport: transport).ask(request)
        } catch let error as TransferError {
            throw AgentSilent(error, processID: holder.processID)
        }
    }
}

/// The agent that holds the lock does not answer, or hangs up.
package struct AgentSilent: Error, CustomStringConvertible {
    private let reason: String

    /// - Parameter processID: The process that holds the lock.
    init(_ error: TransferError, processID: Int32) {
        // The host in the address is a placeholder: what is asked is a socket.
        reason = error.message.replacing("http://agent", with: "the running agent, process \(processID),")
    }

    /// What went wrong, and what to do.
    package var description: String { "\(reason). Run it again; if that stays so, stop that process." }
}
