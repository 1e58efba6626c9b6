import Transfer

/// Returns the credentials to send now; given those that were just refused, it may return newer ones.
///
/// Throws `signedOut`, or `noAnswer` where a renewal got none.
package typealias CredentialsSource =
    @Sendable (_ refused: StorageCredentials?) async throws(StorageError) -> StorageCredentials

extension HTTPBody {
    /// Tells the observer that the body is sent from its first byte again.
    func restart() {
        if case .file(_, _, _, let observer) = self { observer?.restarted() }
    }
}
