package import Transfer

/// Why a Storage call failed.
package enum StorageError: Error, Hashable, Sendable {
    /// No answer arrived; the server may have acted on the request all the same, see `mayHaveArrived`.
    case noAnswer(TransferError)
    /// The server, or a gateway before it, refused.
    case refused(StorageRefusal)
    /// There are no credentials to send: the sentence says why, and what the user can do.
    case signedOut(String)
    /// A success whose body is not what the service promises; the text says what is wrong.
    case unreadable(status: Int, String)
}

extension StorageError {
    /// The server's refusal, where there was one.
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

    /// Whether the key, or the bucket, is taken.
    package var isDuplicate: Bool { refusal?.isDuplicate ?? false }
    /// Whether the object does not exist, or the caller may not see it.
    package var isMissing: Bool { refusal?.isMissing ?? false }
    /// Whether the bucket does not exist, or the caller may not see it.
    package var isBucketMissing: Bool { refusal?.isBucketMissing ?? false }
    /// Whether the storage, or a proxy before it, refused the number of bytes.
    package var isTooLarge: Bool { refusal?.isTooLarge ?? false }
    /// Whether the user has to sign in again, or to use another key.
    package var isSignIn: Bool { if case .signedOut = self { true } else { refusal?.isSignIn ?? false } }
    /// Whether the caller is signed in, but not permitted.
    package var isDenied: Bool { refusal?.isDenied ?? false }
    /// How long the server asks to wait; `nil` where it does not say.
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

    /// Whether the server may have acted on the request although the call failed.
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
