package import Queue
import Supabase

extension Circuit.Sign {
    /// What the end of an attempt tells about the destination.
    package init(_ outcome: UploadOutcome) {
        switch outcome {
        case .verified, .sent, .notStored, .moved: self = .fine
        case .interrupted, .withdrawn: self = .none
        // This computer's own disk failed, which says nothing about the destination.
        case .retry(let failure, _) where failure.code.isOfFile: self = .none
        case .unreachable(let failure): self.init(unreachable: failure)
        case .retry(let failure, let after): self = failure.isOfTheirs ? .busy(after: after) : .fine
        case .refused(let failure): self = failure.code.isOfFile ? .none : .fine
        case .blocked(let reason, let failure): self.init(reason, failure)
        }
    }

    /// The reason for which it opens the circuit, if it does.
    var closure: Circuit.Reason? {
        switch self {
        case .silent: .offline
        case .closed(let reason): reason
        case .fine, .busy, .cramped, .none: nil
        }
    }

    private init(unreachable failure: Item.Failure) {
        switch failure.code {
        case .http(540): self = .closed(.projectPaused)
        case .network(.untrusted): self = .closed(.untrusted)
        default: self = .silent
        }
    }

    private init(_ reason: Item.Blocked, _ failure: Item.Failure) {
        switch (reason, failure.code) {
        case (.budget, .http(402)): self = .closed(.quota)
        case (.budget, .http(507)): self = .cramped
        case (.bucket, _): self = .closed(.bucketMissing)
        case (.signIn, .auth): self = .closed(.signIn)
        // A policy that refuses this one object is an answer like any other.
        case (.signIn, _): self = .fine
        default: self = .none
        }
    }
}

extension Item.Failure {
    /// Whether the other side said, or showed, that it has too much to do.
    package var isLoad: Bool { code.answerClass == .retry(load: true) || code == .network(.timedOut) }

    /// Whether the server itself is in trouble, whatever the request was.
    var isOfTheirs: Bool {
        switch code {
        case .network(.lost), .http(500..<600), .storage(.internalError), .storage(.databaseError): true
        default: isLoad
        }
    }
}
