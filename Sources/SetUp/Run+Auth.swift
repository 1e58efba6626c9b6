import Access
package import CommandLine
package import Configuration
import FoundationEssentials
import Records
package import Supabase
package import Transfer

extension Run {
    /// The server at which users of the destination of `setup` sign in; throws `Refusal` if there is none.
    ///
    /// - Parameter typed: A key that the user has just typed, which replaces the kept one.
    package func auth(
        for setup: Setup, key typed: AccountKey? = nil, over client: HTTPClient
    ) async throws -> AuthClient {
        let destination = setup.settings.destination
        let isLocal = if destination.local { true } else { try await Workplace.isLocalRemembered(setup) }
        guard !isLocal else {
            throw Refusal(.needsHuman("Storage on this computer has no users: there is nothing to sign in to."))
        }
        guard let url = destination.url else { throw Refusal(.needsHuman(Workplace.noDestination(setup))) }
        guard let base = AuthPlace.base(for: url) else {
            throw Refusal(
                .needsHuman("\(url) is a storage without a project around it: name the project's URL to sign in there.")
            )
        }
        let key = if let typed { typed } else { try await setup.key(in: surroundings) }
        var auth = AuthClient(base: base, apiKey: key?.secret, transport: client) { Date() }
        auth.timeouts.connect = setup.settings.upload.connectTimeout
        return auth
    }
}
