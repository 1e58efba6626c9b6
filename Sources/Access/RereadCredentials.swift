package import Configuration
package import Supabase

/// The credentials of a process that runs for long: its key is read again once the destination refused it.
///
/// A key that is the same as before changes nothing, so that a token that is refused in spite of it is not renewed
/// again and again.
package actor RereadCredentials {
    /// The key that `found` was made with.
    private var key: String?
    private var found: CredentialsSource
    private let read: @Sendable () async throws(SettingsError) -> AccountKey?
    private let sign: @Sendable (AccountKey?) throws(StorageError) -> CredentialsSource
    private let advice: @Sendable () throws(StorageError) -> Void

    /// - Parameters:
    ///   - key: What was read at the start, and `found` was made with.
    ///   - read: Reads the key from where it stands now.
    ///   - sign: Makes the credentials with another key; throws `signedOut` where there are none.
    ///   - advice: Throws `signedOut` where something better can be said than that the same key is refused.
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

    /// The credentials for the next request; made anew where `refused` are the current ones and the key is another.
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

    /// Reads the key; whether it is another one, which `found` is made with from now on.
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
