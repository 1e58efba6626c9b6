package import Cleansing
package import Transfer

/// What every service's refusal must provide beside its own fields.
package protocol ServiceRefusal: Hashable, Sendable, CustomStringConvertible {
    /// Reads an answer whose status is not a success; `cleanser` knows what the request carried.
    init(_ response: HTTPResponse, cleanser: Cleanser)
    /// What the answer requires of the caller.
    var answerClass: AnswerClass { get }
    /// Whether a call of this service that got no answer may succeed later; true unless the type says otherwise.
    static func isPassing(_ lost: TransferError) -> Bool
}

extension ServiceRefusal {
    /// Every lost connection may come back, unless the refusal type knows better.
    package static func isPassing(_ lost: TransferError) -> Bool { true }
}

/// Why a call to one of the project's services did not do what it says.
package enum CallError<Refusal: ServiceRefusal>: Error, Hashable, Sendable {
    /// No answer arrived; the server may have acted on the request all the same.
    case noAnswer(TransferError)
    /// The server, or a gateway before it, refused.
    case refused(Refusal)
    /// There are no credentials to send: the sentence says why, and what the user can do.
    case signedOut(String)
    /// A success whose body is not what the service promises; the text says what is wrong.
    case unreadable(status: Int, String)
}

extension CallError {
    /// The server's refusal, where there was one.
    package var refusal: Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }

    /// What to do about it; `nil` where no answer arrived that could be classified.
    package var answerClass: AnswerClass? {
        switch self {
        case .noAnswer: nil
        case .refused(let refusal): refusal.answerClass
        case .signedOut: .signIn
        case .unreadable: .retry(load: false)
        }
    }

    /// Whether the same call may succeed later.
    package var isRetryable: Bool {
        if case .noAnswer(let lost) = self { return Refusal.isPassing(lost) }
        return answerClass?.isRetryable ?? false
    }
}

extension CallError: CustomStringConvertible {
    /// One sentence for people, safe to show and to log.
    package var description: String {
        switch self {
        case .noAnswer(let error): "\(error)"
        case .refused(let refusal): "\(refusal)"
        case .signedOut(let reason): reason
        case .unreadable(let status, let reason): "The server's answer makes no sense (HTTP \(status)): \(reason)"
        }
    }
}
