import FoundationEssentials
import Supabase

extension Ending {
    /// How work ends at once by an answer that is meant for all requests; `nil` for any other error.
    init?(closedBy error: StorageError, at now: Date) {
        if let sentence = error.untrustedSentence {
            self = .needsHuman(sentence)
            return
        }
        switch error.answerClass {
        case .signIn, .wrongKind: self = .notPermitted(error.sentence(at: now))
        case .destinationClosed(.quota): self = .full(error.refusal?.advice ?? "\(error)")
        case .destinationClosed(.projectPaused): self = .needsHuman(error.refusal?.advice ?? "\(error)")
        default: return nil
        }
    }

    /// How a command ends that could not look at what the bucket holds.
    init(looking error: StorageError, at now: Date) {
        self =
            Ending(closedBy: error, at: now)
            ?? (error.isRetryable ? .temporary("\(error)") : .notPermitted("\(error)"))
    }
}
