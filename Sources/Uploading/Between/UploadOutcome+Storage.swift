package import FoundationEssentials
package import Platform
import Queue
package import Supabase
import Transfer

extension UploadOutcome {
    /// What a failed request means for the item it was made for.
    ///
    /// Decides on `code`, then the body's `statusCode`, then the HTTP status (contract, 2.2 and 2.3).
    ///
    /// - Parameter now: The time by this computer's clock, which may be the cause of a refused sign-in.
    package init(_ error: StorageError, at now: Date = Date()) {
        switch error {
        case .noAnswer(let lost): self.init(lost, error.untrustedSentence)
        case .refused(let refusal): self.init(refusal, at: now)
        case .signedOut(let reason):
            self = .blocked(.signIn, Item.Failure(code: .auth(.signedOut), message: reason, retryable: false))
        case .unreadable(let status, _):
            self = .retry(
                Item.Failure(code: .http(status), message: error.description, retryable: true), after: nil)
        }
    }

    /// What it means for the item that its file could not be read although it is there.
    package init(reading error: SystemError) {
        let failure = Item.Failure(error)
        if error.isDiskAway {
            self = .blocked(.away, failure)
        } else {
            self = error.isPassing ? .retry(failure, after: nil) : .refused(failure)
        }
    }

    private init(_ lost: TransferError, _ sentence: String?) {
        let failure = Item.Failure(
            code: .network(lost.kind.word), message: sentence ?? lost.message, retryable: true)
        switch lost.kind {
        case .cancelled: self = .interrupted
        // No server got the request, so all of them wait until one answers.
        case .unreachable, .secure, .untrusted: self = .unreachable(failure)
        case .local(let error): self.init(reading: error)
        case .sourceShrank: self = .withdrawn
        case .unsendable, .forbiddenPeer:
            self = .refused(Item.Failure(code: failure.code, message: failure.message, retryable: false))
        case .lost, .timedOut, .tooLarge: self = .retry(failure, after: nil)
        }
    }

    private init(_ refusal: StorageRefusal, at now: Date) {
        let said = refusal.code.map { FailureCode.storage($0) } ?? .http(refusal.statusCode)
        func failure(_ code: FailureCode, _ message: String? = nil, retryable: Bool? = nil) -> Item.Failure {
            Item.Failure(
                code: code, message: message ?? refusal.advice ?? refusal.message,
                retryable: retryable ?? refusal.isRetryable)
        }
        switch refusal.answerClass {
        case .signIn: self = .blocked(.signIn, failure(.auth(.refused), refusal.signInSentence(at: now)))
        case .wrongKind: self = .blocked(.signIn, failure(.auth(.wrongKind)))
        case .denied: self = .blocked(.signIn, failure(said, refusal.deniedSentence))
        case .tooLarge(let speaker): self = .blocked(.tooLarge, SizeLimits.failure(by: speaker))
        case .retry: self = .retry(failure(said), after: refusal.retryAfter)
        // The caller could not settle the conflict: the next attempt sees what is there by then.
        case .duplicate, .conflict: self = .retry(failure(said, retryable: true), after: refusal.retryAfter)
        case .notThere(.bucket): self = .blocked(.bucket, failure(.storage(.noSuchBucket), refusal.bucketSentence))
        case .destinationClosed(.quota): self = .blocked(.budget, failure(.http(402)))
        case .destinationClosed(.diskFull): self = .blocked(.budget, failure(.http(507)))
        // The project may be woken at any time; until then no server answers, and no attempt is consumed.
        case .destinationClosed(.projectPaused): self = .unreachable(failure(.http(540)))
        default: self = .refused(failure(said))
        }
    }
}

extension TransferError.Kind {
    /// The word for it in `lastError`.
    fileprivate var word: FailureCode.Network {
        switch self {
        case .unreachable: .unreachable
        case .lost: .lost
        case .timedOut: .timedOut
        case .secure: .secure
        case .untrusted: .untrusted
        case .cancelled: .cancelled
        case .tooLarge: .tooLarge
        case .sourceShrank: .sourceShrank
        case .unsendable: .unsendable
        case .forbiddenPeer: .forbiddenPeer
        case .local: .local
        }
    }
}
