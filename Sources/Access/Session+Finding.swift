package import Configuration
package import FoundationEssentials
import Platform
import Records
import Supabase
package import Transfer

extension Session {
    /// The sign-in of a profile at the destination `url`; `nil` if no user is signed in there.
    ///
    /// A sign-in that has ended is returned, too; its `credentials` throw the reason. Throws `Refusal` if the file
    /// cannot be decoded, and `SystemError`.
    package static func find(
        _ locations: Locations, url: String, apiKey: String?, transport: any Transport,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) throws -> Session? {
        guard let file = try SessionFile.existing(locations), let server = AuthPlace.base(for: url) else { return nil }
        let saved: SavedSession?
        do {
            saved = try file.read()
        } catch let error as SessionFile.Unreadable {
            throw Refusal(.notPermitted("\(locations.state.display)/\(error)"))
        }
        guard let saved, saved.server == server else { return nil }
        let auth = AuthClient(base: server, apiKey: apiKey, transport: transport, clock: clock)
        return Session(saved, file: file, auth: auth, clock: clock)
    }
}

extension Session {
    /// Ends the sign-in on the server and removes it here; returns whether the server has ended it.
    ///
    /// It is removed here in any case, because a server that cannot be reached must not keep the user signed in.
    package func end() async throws -> Bool {
        var isEnded = false
        do throws(StorageError) {
            let token = try await credentials().bearer
            isEnded = (try? await endOnServer(token)) != nil
        } catch {
            isEnded = error.answerClass == .signIn
        }
        do {
            try forget()
        } catch let busy as SessionFile.Busy {
            throw Refusal(.temporary("\(busy)"))
        }
        return isEnded
    }
}
