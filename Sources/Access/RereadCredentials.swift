package import Configuration
package import Supabase

/// The credentials of a long-running process, which reads its key again once the destination has refused it.
///
/// If the key is still the same, nothing changes, so that a token which is refused in spite of it is not renewed again
/// and again.
package actor RereadCredentials {
    /// The key that `found` was made with.
    private var key: String?
    private var found: CredentialsSource
    private let read: @Sendable () async throws(SettingsError) -> AccountKey?
    private let sign: @Sendable (AccountKey?) throws(StorageError) -> CredentialsSource
    private let advice: @Sendable () throws(StorageError) -> Void

    /// - Parameters:
    ///   - key: The key that was read at the start, with which `found` was made.
    ///   - read: Reads the key from its present place.
    ///   - sign: Makes the credentials with another key; throws `signedOut` if there are none.
    ///   - advice: Throws `signedOut` with better advice, if there is any, when the same key is refused.
    package init(
        _ found: @escaping CredentialsSource, key: AccountKey?,
        read: @escaping @Sendable () async throws(SettingsError) -> AccountKey?,
        sign: @escaping @Sendable (AccountKey?) throws(StorageError) -> CredentialsSource,
        advice: @escaping @Sendable () throws(StorageError) -> Void = { () throws(StorageError) in }
    ) {
        self.found = found
        self.key = key?.secret
        self.read = read
        self.sign = sign
        self.advice = advice
    }

    /// The closure that clients call for the credentials of each request.
    package nonisolated var source: CredentialsSource {
        { refused throws(StorageError) in try await self.credentials(after: refused) }
    }

    /// The credentials for the next request; made anew if the current ones are `refused` and the key has changed.
    package func credentials(
        after refused: StorageCredentials? = nil
    ) async throws(StorageError) -> StorageCredentials {
        do {
            let credentials = try await found(refused)
            guard credentials == refused else { return credentials }
            return try await isReread() ? await found(nil) : credentials
        } catch {
            guard case .signedOut = error, try await isReread() else { throw error }
            return try await found(nil)
        }
    }

    /// Reads the key; if it has changed, makes `found` anew with it and returns true.
    private func isReread() async throws(StorageError) -> Bool {
        let now: AccountKey?
        do {
            now = try await read()
        } catch {
            throw .signedOut("\(error)")
        }
        guard now?.secret != key else {
            try advice()
            return false
        }
        found = try sign(now)
        key = now?.secret
        return true
    }
}
