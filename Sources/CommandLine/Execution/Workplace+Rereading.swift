import Access
import Configuration
import Supabase
import Transfer

extension Workplace {
    /// The source `found`, renewed with the key that `setup` finds now, once the destination has refused its own.
    ///
    /// It stays with the same user, or with a key, because another user's objects have other names.
    static func reread(
        _ found: @escaping CredentialsSource, _ key: AccountKey?, _ user: String?, _ setup: Setup,
        in surroundings: Surroundings, _ transport: any Transport, at url: String
    ) -> RereadCredentials {
        RereadCredentials(found, key: key) { () throws(SettingsError) in
            try await setup.key(in: surroundings)
        } sign: { key throws(StorageError) in
            guard let user else {
                guard let key else { throw .signedOut(noKey(for: url)) }
                guard !key.kind.opensNothing else { throw .signedOut(signedOut(at: url, key)) }
                return always(StorageCredentials(key: key.secret, origin: key.origin))
            }
            let session = try session(setup, key, transport, at: url)
            guard let session, session.user.id == user else { throw .signedOut(Session.forgotten) }
            return session.source
        } advice: { () throws(StorageError) in
            guard user == nil, let key, let session = try session(setup, key, transport, at: url) else { return }
            let name = session.user.email ?? session.user.id
            throw .signedOut(
                "The key from \(key.origin) is refused, and \(name), who has signed in since, stores into a folder of "
                    + "their own. Put the right key there to go on, or stop this and run it again to begin as that user."
            )
        }
    }

    private static func session(
        _ setup: Setup, _ key: AccountKey?, _ transport: any Transport, at url: String
    ) throws(StorageError) -> Session? {
        do {
            return try Session.find(setup.locations, url: url, apiKey: key?.secret, transport: transport)
        } catch {
            throw .signedOut("\(error)")
        }
    }
}
