import Transfer

/// Says as whom to ask, right now; given the credentials that were just refused, it may have better ones.
///
/// Throws `signedOut`, or `noAnswer` where a renewal got none.
package typealias CredentialsSource =
    @Sendable (_ refused: StorageCredentials?) async throws(StorageError) -> StorageCredentials

extension HTTPBody {
    /// Tells who watches that the body is sent from its first byte again.
    func restart() {
        if case .file(_, _, _, let observer) = self { observer?.restarted() }
    }
}
