package import Platform

/// Why a request has no answer.
package struct TransferError: Error, Hashable {
    /// What stood in the way.
    package enum Kind: Hashable, Sendable {
        /// The name did not resolve, or nobody accepted the connection in time.
        case unreachable
        /// The connection broke, or what came over it was not HTTP.
        case lost
        /// There was a connection, but not an answer in time.
        case timedOut
        /// TLS failed before anybody was known: the handshake, the record layer.
        case secure
        /// The certificate is not to be trusted: nobody known signed it, it is old, or another host's.
        case untrusted
        /// The task was cancelled, or the client closed.
        case cancelled
        /// A successful answer exceeded the memory or the file size it was given.
        case tooLarge
        /// The host is at this address, which the request does not permit.
        case forbiddenPeer(String)
        /// The file to send ended before its announced length.
        case sourceShrank
        /// A URL or header that cannot be put on the wire.
        case unsendable
        /// Reading the body or writing the answer failed on this computer.
        case local(SystemError)
    }

    package let kind: Kind
    /// One sentence for people; names no header, so no secret.
    package let message: String
    /// Whether bytes of the request were sent, so that the server may have acted on it.
    package let mayHaveArrived: Bool

    package init(_ kind: Kind, _ message: String, mayHaveArrived: Bool) {
        self.kind = kind
        self.message = message
        self.mayHaveArrived = mayHaveArrived
    }
}

extension TransferError: CustomStringConvertible {
    package var description: String { message }
}
