import Synchronization

/// Passes a connection that has left HTTP from its thread to the handler's task.
final class Handover: Sendable {
    private enum State {
        case nothing
        case awaited(CheckedContinuation<Conversation?, Never>)
        case given(Conversation)
        case over
    }

    private let state = Mutex(State.nothing)

    /// Offers the connection to the task; `false` if no task will take it.
    func give(_ conversation: Conversation) -> Bool {
        state.withLock { state in
            switch state {
            case .nothing: state = .given(conversation)
            case .awaited(let continuation):
                state = .over
                continuation.resume(returning: conversation)
            case .given, .over: return false
            }
            return true
        }
    }

    /// Waits for the connection; `nil` if the client left first, or the server stops.
    func take() async -> Conversation? {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                switch state {
                case .nothing: state = .awaited(continuation)
                case .given(let conversation):
                    state = .over
                    continuation.resume(returning: conversation)
                case .awaited, .over: continuation.resume(returning: nil)
                }
            }
        }
    }

    /// Ends the handover; a connection that was given but not taken is closed.
    func close() {
        let unwanted = state.withLock { state -> Conversation? in
            defer { state = .over }
            switch state {
            case .awaited(let continuation): continuation.resume(returning: nil)
            case .given(let conversation): return conversation
            case .nothing, .over: break
            }
            return nil
        }
        unwanted?.abandon()
    }
}
