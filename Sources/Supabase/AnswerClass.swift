/// What an answer that is not a success requires of the caller; every answer is classified here.
package enum AnswerClass: Hashable, Sendable {
    /// The same request may succeed later; with `load` the server is overloaded, so send less.
    case retry(load: Bool)
    /// The token is missing, expired or wrong: refresh it once, then the user must sign in.
    case signIn
    /// The server cannot read keys of this kind: refreshing does not help, another key does.
    case wrongKind(KeyKind)
    /// Signed in, but not permitted: by a policy, or by a proxy that never passed the request on.
    case denied(by: Speaker)
    /// The key, or the bucket, is taken: compare before anything else.
    case duplicate
    /// Another state than the request assumed: ask for the state, then go on from it.
    case conflict
    /// What was named does not exist, or the caller may not see it.
    case notThere(Thing)
    /// More bytes than the storage, or a proxy before it, accepts.
    case tooLarge(by: Speaker)
    /// The destination as a whole refuses every request, deletes included.
    case destinationClosed(Closure)
    /// A signed URL that has expired or was signed with another key: request a new one.
    case expiredLink
    /// The server does not offer this: use another way.
    case unsupported
    /// Repeating the request never helps: the user has to change something.
    case permanent

    /// Which side refused.
    package enum Speaker: Hashable, Sendable {
        case storage
        /// A gateway or proxy before it, which answers HTML or an empty body.
        case proxy
    }

    /// What a request named and the server did not find.
    package enum Thing: Hashable, Sendable {
        case object, bucket
        /// A resumable upload, expired or ended: begin a new one.
        case upload
    }

    /// Why a destination refuses every request.
    package enum Closure: Hashable, Sendable {
        /// 402: the organisation is over its plan.
        case quota
        /// 507: the disk of the storage is full; what is there can still be read.
        case diskFull
        /// 540: the project is paused until its owner wakes it.
        case projectPaused
    }

    /// Whether the same request may succeed later without any action by the user.
    package var isRetryable: Bool { if case .retry = self { true } else { false } }
}
