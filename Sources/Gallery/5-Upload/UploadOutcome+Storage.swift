package import Supabase
import Transfer

extension UploadOutcome {
    /// What a failed request means for the item it was made for.
    ///
    /// Decides on `code`, then the body's `statusCode`, then the HTTP status (contract, 2.2 and 2.3).
    package init(_ error: StorageError) {
        switch error {
        case .noAnswer(let lost): self.init(lost)
        case .refused(let refusal): self.init(refusal)
        case .signedOut(let reason):
            self = .blocked(.signIn, Item.Failure(code: "auth.signedOut", message: reason, retryable: false))
        case .unreadable(let status, _):
            self = .retry(
                Item.Failure(code: "http.\(status)", message: error.description, retryable: true), after: nil)
        }
    }

    private init(_ lost: TransferError) {
        let failure = Item.Failure(code: "network.\(lost.kind.name)", message: lost.message, retryable: true)
        switch lost.kind {
        case .cancelled: self = .interrupted
        case .unreachable: self = .unreachable(failure)
        case .local(let error): self = .refused(Item.Failure(error))
        case .secure:
            self = .refused(Item.Failure(code: failure.code, message: failure.message, retryable: false))
        case .sourceShrank: self = .withdrawn
        case .unsendable: self = .refused(Item.Failure(code: failure.code, message: failure.message, retryable: false))
        case .lost, .timedOut, .tooLarge: self = .retry(failure, after: nil)
        }
    }

    private init(_ refusal: StorageRefusal) {
        let failure = Item.Failure(
            code: refusal.code.map { "storage.\($0.rawValue)" } ?? "http.\(refusal.statusCode)",
            message: refusal.advice ?? refusal.message, retryable: refusal.isRetryable)
        switch refusal.answerClass {
        case .signIn, .wrongKind: self = .blocked(.signIn, failure)
        case .retry: self = .retry(failure, after: refusal.retryAfter)
        case .destinationClosed(.quota): self = .blocked(.budget, failure)
        // It may be woken any time; until then there is nobody, and no attempt is consumed.
        case .destinationClosed(.projectPaused): self = .unreachable(failure)
        default: self = .refused(failure)
        }
    }
}

extension TransferError.Kind {
    /// A stable word for `lastError`.
    fileprivate var name: String {
        switch self {
        case .unreachable: "unreachable"
        case .lost: "lost"
        case .timedOut: "timedOut"
        case .secure: "secure"
        case .cancelled: "cancelled"
        case .tooLarge: "tooLarge"
        case .sourceShrank: "sourceShrank"
        case .unsendable: "unsendable"
        case .local: "local"
        }
    }
}
