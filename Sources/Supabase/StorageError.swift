import Transfer

/// Why a Storage call did not do what it should; the server may have done it all the same, see `mayHaveArrived`.
package typealias StorageError = CallError<StorageRefusal>

extension StorageError {
    /// Whether the key, or the bucket, is taken.
    package var isDuplicate: Bool { refusal?.isDuplicate ?? false }
    /// Whether the object does not exist, or the caller may not see it.
    package var isMissing: Bool { refusal?.isMissing ?? false }
    /// Whether the bucket does not exist, or the caller may not see it.
    package var isBucketMissing: Bool { refusal?.isBucketMissing ?? false }
    /// Whether the user has to sign in again, or to use another key.
    package var isSignIn: Bool { if case .signedOut = self { true } else { refusal?.isSignIn ?? false } }
    /// Whether the caller is signed in, but not permitted.
    package var isDenied: Bool { refusal?.isDenied ?? false }
    /// How long the server asks to wait; `nil` where it does not say.
    package var retryAfter: Duration? { refusal?.retryAfter }

    /// Whether the server may have done what was asked all the same.
    ///
    /// A gateway that has lost the server, or has stopped waiting for it, says 502, 503 or 504.
    package var mayHaveArrived: Bool {
        switch self {
        case .refused(let refusal): refusal.httpStatus >= 500 && !Self.undone.contains(refusal.httpStatus)
        case .signedOut: false
        case .unreadable: true
        case .noAnswer(let error): error.mayHaveArrived
        }
    }

    /// Statuses from 500 on with which nothing is done: no room, a sign-in to the network, a paused project.
    private static let undone: Set<Int> = [507, 511, 540]
}
