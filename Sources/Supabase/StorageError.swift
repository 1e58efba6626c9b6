package import Transfer

/// Why a Storage call did not do what it says.
package enum StorageError: Error, Hashable, Sendable {
    /// Nothing came back; the server may have acted all the same, see `mayHaveArrived`.
    case noAnswer(TransferError)
    /// The server, or a gateway before it, said no.
    case refused(StorageRefusal)
    /// There is nobody to ask as: the sentence says why, and what to do next.
    case signedOut(String)
    /// A success whose body is not what the service promises; it says how.
    case unreadable(status: Int, String)
}

extension StorageError {
    /// What the server said, where it said no.
    package var refusal: StorageRefusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }

    /// What to do about it; `nil` where no answer arrived that could be classified.
    package var answerClass: AnswerClass? {
        switch self {
        case .noAnswer: nil
        case .refused(let refusal): refusal.answerClass
        case .signedOut: .signIn
        case .unreadable: .retry(load: false)
        }
    }

    package var isDuplicate: Bool { refusal?.isDuplicate ?? false }
    package var isMissing: Bool { refusal?.isMissing ?? false }
    package var isBucketMissing: Bool { refusal?.isBucketMissing ?? false }
    package var isTooLarge: Bool { refusal?.isTooLarge ?? false }
    package var isSignIn: Bool { if case .signedOut = self { true } else { refusal?.isSignIn ?? false } }
    package var isDenied: Bool { refusal?.isDenied ?? false }
    package var retryAfter: Duration? { refusal?.retryAfter }

    /// Whether the same call may succeed later.
    package var isRetryable: Bool {
        switch self {
        case .refused(let refusal): refusal.isRetryable
        case .signedOut: false
        case .unreadable: true
        case .noAnswer(let error): [.unreachable, .lost, .timedOut, .secure].contains(error.kind)
        }
    }

    /// Whether the server may have done what was asked all the same.
    package var mayHaveArrived: Bool {
        switch self {
        case .refused(let refusal): refusal.httpStatus >= 500
        case .signedOut: false
        case .unreadable: true
        case .noAnswer(let error): error.mayHaveArrived
        }
    }
}

extension StorageError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noAnswer(let error): "\(error)"
        case .refused(let refusal): "\(refusal)"
        case .signedOut(let reason): reason
        case .unreadable(let status, let reason): "The server's answer makes no sense (HTTP \(status)): \(reason)"
        }
    }
}
