/// What an answer that is not a success asks of whoever sent the request; decided once, here.
package enum AnswerClass: Hashable, Sendable {
    /// The same request may succeed later; with `load` the other side has too much to do, so send less.
    case retry(load: Bool)
    /// The token is missing, expired or wrong: refresh once, then a person must sign in.
    case signIn
    /// The server cannot read keys of this kind: refreshing does not help, another key does.
    case wrongKind(KeyKind)
    /// Signed in, but not permitted: by a policy, or by a proxy that never passed the request on.
    case denied(by: Speaker)
    /// The key, or the bucket, is taken: compare before anything else.
    case duplicate
    /// Another state than the request assumed: ask for the state, then go on from it.
    case conflict
    /// What was named is not there, or not visible to who asks.
    case notThere(Thing)
    /// More bytes than somebody on the way takes.
    case tooLarge(by: Speaker)
    /// The destination as a whole takes and gives nothing, deletes included.
    case destinationClosed(Closure)
    /// A signed URL that is old or another key's: have a new one made.
    case expiredLink
    /// The server does not offer this: use another way.
    case unsupported
    /// Nothing but a person changes this answer.
    case permanent

    /// Who said it.
    package enum Speaker: Hashable, Sendable {
        case storage
        /// A gateway or proxy before it, in HTML or without words.
        case proxy
    }

    package enum Thing: Hashable, Sendable {
        case object, bucket
        /// A resumable upload, expired or ended: begin a new one.
        case upload
    }

    package enum Closure: Hashable, Sendable {
        /// 402: the organisation is over its plan.
        case quota
        /// 540: the project sleeps until somebody wakes it.
        case projectPaused
    }

    /// Whether the same request may succeed later, with nobody doing anything.
    package var isRetryable: Bool { if case .retry = self { true } else { false } }
}
