package import Configuration
import FoundationEssentials
import Records
package import Supabase

/// Signs a user in, by password or e-mail, and saves the session.
package struct SignIn: Sendable {
    private let auth: AuthClient
    private let locations: Locations

    /// A sign-in at `auth` for the profile at `locations`.
    package init(auth: AuthClient, locations: Locations) {
        self.auth = auth
        self.locations = locations
    }

    /// Signs in with a password; throws `Refusal` where the server refuses or does not answer.
    package func run(email: String, password: String) async throws -> AuthUser {
        try await save { () async throws(AuthError) in try await auth.signIn(email: email, password: password) }
    }

    /// Has an e-mail sent that contains a code, a link, or both; throws `Refusal`.
    package func sendCode(to email: String) async throws {
        do {
            try await auth.requestCode(email: email)
        } catch {
            throw Refusal(error)
        }
    }

    /// Signs in with the code or the link from the e-mail, as pasted; throws `Refusal`.
    package func run(email: String, answer: String) async throws -> AuthUser {
        if let link = SignInLink(answer) {
            return try await save { () async throws(AuthError) in try await auth.verify(link) }
        }
        let code = answer.filter { !$0.isWhitespace }
        guard !code.isEmpty, !code.contains("/") else { throw Refusal(.notPermitted(Self.spentLink)) }
        return try await save { () async throws(AuthError) in try await auth.verify(email: email, code: code) }
    }

    private static let spentLink =
        "This is neither a code nor a link that can still be used. Copy the link from the e-mail without opening it, "
        + "or type the code."

    private func save(_ get: () async throws(AuthError) -> AuthSession) async throws -> AuthUser {
        let session: AuthSession
        do {
            session = try await get()
        } catch {
            throw Refusal(error)
        }
        let file = try SessionFile(locations)
        // Does not wait: a process that is renewing takes over what is written here.
        let turn = try file.lock()
        do {
            try file.change { try file.write(SavedSession(server: auth.base, session: session)) }
        } catch let busy as SessionFile.Busy {
            throw Refusal(.temporary("\(busy)"))
        }
        withExtendedLifetime(turn) {}
        return session.user
    }
}

extension Refusal {
    /// The ending of a command whose sign-in failed.
    init(_ error: AuthError) {
        switch error.answerClass {
        case nil, .retry?: self.init(.temporary("\(error)"))
        case .destinationClosed(.quota)?, .destinationClosed(.diskFull)?: self.init(.full("\(error)"))
        case .destinationClosed(.projectPaused)?:
            self.init(.needsHuman("The project is paused: wake it in the dashboard."))
        default: self.init(.notPermitted("\(error)"))
        }
    }
}
