package import Platform

/// Why a request got no answer.
package struct TransferError: Error, Hashable {
    /// The kind of failure.
    package enum Kind: Hashable, Sendable {
        /// The name did not resolve, or no connection was accepted in time.
        case unreachable
        /// The connection broke, or what came over it was not HTTP.
        case lost
        /// The connection was made, but no answer came in time.
        case timedOut
        /// TLS failed before the host had identified itself: in the handshake or the record layer.
        case secure
        /// The certificate is not trusted: unknown issuer, expired, or another host's.
        case untrusted
        /// The task was cancelled, or the client was closed.
        case cancelled
        /// A successful answer exceeded the memory or the file size it was given.
        case tooLarge
        /// The host has this address, which the request does not permit.
        case forbiddenPeer(String)
        /// The file to send ended before its announced length.
        case sourceShrank
        /// A URL or header that cannot be sent.
        case unsendable
        /// Reading the body or storing the answer failed on this computer.
        case local(SystemError)
    }

    /// What failed; decides whether a retry makes sense.
    package let kind: Kind
    /// One sentence for people; contains no header and so no secret.
    package let message: String
    /// Whether bytes of the request were sent, so that the server may have acted on it.
    package let mayHaveArrived: Bool

    /// A failure whose message the caller has cleansed.
    package init(_ kind: Kind, _ message: String, mayHaveArrived: Bool) {
        self.kind = kind
        self.message = message
        self.mayHaveArrived = mayHaveArrived
    }
}

extension TransferError: CustomStringConvertible {
    /// The message, safe to show and to log.
    package var description: String { message }
}
