import FoundationEssentials
import Supabase

extension Ending {
    /// How work ends at once by an answer that is meant for all requests; `nil` for any other error.
    init?(closedBy error: StorageError, at now: Date) {
        switch error.answerClass {
        case .signIn, .wrongKind: self = .notPermitted(error.sentence(at: now))
        case .destinationClosed(.quota): self = .full(error.refusal?.advice ?? "\(error)")
        case .destinationClosed(.projectPaused): self = .needsHuman(error.refusal?.advice ?? "\(error)")
        default: return nil
        }
    }
}
