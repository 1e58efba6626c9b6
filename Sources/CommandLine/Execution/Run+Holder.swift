package import Control
import Output
import Platform
package import Records
package import Transfer

extension Run {
    /// The answer of the lock's holder to `request`; throws `AgentSilent` if it does not answer.
    package func answer<Asked: AgentRequest>(
        to request: Asked, by holder: StateLock.Holder, over transport: any Transport
    ) async throws -> AgentReply<Asked.Answer> {
        let control = ControlClient(socket: holder.controlSocket, transport: transport)
        do {
            return try await withThrowingTaskGroup(of: AgentReply<Asked.Answer>?.self) { group in
                group.addTask { try await control.ask(request) }
                if !invocation.isJSON {
                    group.addTask {
                        await tellSilence(of: holder, control)
                        return nil
                    }
                }
                defer { group.cancelAll() }
                while let reply = try await group.next() {
                    if let reply { return reply }
                }
                throw CancellationError()
            }
        } catch let error as TransferError {
            throw AgentSilent(error, processID: holder.processID)
        }
    }

    /// Warns the user, once, if the agent does not even report its progress: it is stopped, or hangs.
    private func tellSilence(of holder: StateLock.Holder, _ control: ControlClient) async {
        while (try? await Task.sleep(for: .seconds(2))) != nil {
            guard await control.isSilent() else { continue }
            console.note(
                "gallery-sync: \(Self.silence(of: holder)); this waits for it. Ctrl-C ends only this command.")
            return
        }
    }

    /// The words for an agent that does not answer, without a full stop.
    static func silence(of holder: StateLock.Holder) -> String {
        "the running agent, process \(holder.processID), does not answer"
    }
}

/// The agent that holds the lock does not answer, or hangs up.
package struct AgentSilent: Error, CustomStringConvertible {
    private let reason: String

    /// - Parameter processID: The process that holds the lock.
    init(_ error: TransferError, processID: Int32) {
        // The address has a placeholder as its host, because the request goes to a socket.
        reason = error.message.replacing("http://agent", with: "the running agent, process \(processID),")
    }

    /// What went wrong, and what to do.
    package var description: String { "\(reason). Run it again; if that stays so, stop that process." }
}
