package import Cleansing
package import Transfer

/// What a service's refusal can tell beside its own fields.
package protocol ServiceRefusal: Hashable, Sendable, CustomStringConvertible {
    /// Reads an answer whose status is not a success; `cleanser` knows what the request carried.
    init(_ response: HTTPResponse, cleanser: Cleanser)
    /// What it asks of whoever sent the request.
    var answerClass: AnswerClass { get }
}

/// Why a call to Auth or to the database did not do what it says.
package enum CallError<Refusal: ServiceRefusal>: Error, Hashable, Sendable {
    /// Nothing came back; the server may have acted all the same.
    case noAnswer(TransferError)
    /// The server, or a gateway before it, said no.
    case refused(Refusal)
    /// There is nobody to ask as: the sentence says why, and what to do next.
    case signedOut(String)
    /// A success whose body is not what the service promises; it says how.
    case unreadable(status: Int, String)
}

extension CallError {
    /// What the server said, where it said no.
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
}

extension CallError {
    /// Whether the same call may succeed later.
    package var isRetryable: Bool {
        switch answerClass {
        case nil, .retry: true
        default: false
        }
    }
}

extension CallError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noAnswer(let error): "\(error)"
        case .refused(let refusal): "\(refusal)"
        case .signedOut(let reason): reason
        case .unreadable(let status, let reason): "The server's answer makes no sense (HTTP \(status)): \(reason)"
        }
    }
}
