import Configuration
import Control
import Gallery
import Output
import Platform
import Records

extension Run {
    /// The answer of the lock's holder, else of an agent on a copy of a read-only state; `nil` if another process has
    /// taken the lock meanwhile, or has ended.
    func replyOfCopy<Asked: AgentRequest>(
        to request: Asked, _ setup: Setup, mode: Agent.Mode
    ) async throws -> AgentReply<Asked.Answer>? {
        let temporary = surroundings.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? FilePath($0) : nil } ?? "/tmp"
        guard let copy = try await StateCopy.make(of: setup.locations, below: temporary) else {
            return try await reply(of: try StateLock.holder(setup.locations), to: request, setup)
        }
        defer { copy.remove() }
        guard case .taken(let lock) = try StateLock.acquire(copy.locations) else { return nil }
        if !invocation.isQuiet {
            console.note(
                "gallery-sync: \(setup.locations.state.display) can only be read: a copy of it is looked at, and what is "
                    + "found is not remembered")
        }
        return try await reply(to: request, setup, lock, mode, isForReading: true, state: copy.locations)
    }
}
