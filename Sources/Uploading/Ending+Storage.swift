package import FoundationEssentials
import Records
package import Supabase
import Transfer

extension Ending {
    /// How a command ends by an answer that holds for all requests; `nil` for any other error.
    package init?(closedBy error: StorageError, at now: Date) {
        if let sentence = error.untrustedSentence {
            self = .needsHuman(sentence)
            return
        }
        switch error.answerClass {
        case .signIn, .wrongKind: self = .notPermitted(error.sentence(at: now))
        case .destinationClosed(.quota), .destinationClosed(.diskFull):
            self = .full(error.refusal?.advice ?? "\(error)")
        case .destinationClosed(.projectPaused): self = .needsHuman(error.refusal?.advice ?? "\(error)")
        default: return nil
        }
    }

    /// How a command ends that could not list what the bucket holds.
    package init(looking error: StorageError, at now: Date) {
        if let closed = Ending(closedBy: error, at: now) {
            self = closed
        } else if error.isDenied {
            self = .notPermitted("\(error)")
        } else if error.isRetryable {
            self = .temporary("\(error)")
        } else if case .noAnswer(let lost) = error, lost.kind == .tooLarge {
            // No page is that long: the server that answers is broken, or it is not the storage.
            self = .temporary("The server's answer makes no sense: the bucket's listing is too long for one page")
        } else {
            self = .needsHuman("The bucket cannot be listed: \(error)")
        }
    }
}
