package import Supabase

/// The content of `session.json`: a sign-in, and the server it is for.
package struct SavedSession: Codable, Hashable, Sendable {
    /// The version of the format, for later programs.
    package var version = 1
    /// The base URL of the Auth server that issued it, which is the only one it is sent to.
    let server: String
    /// The user, the tokens and when they expire; secret.
    package let session: AuthSession
    /// Why the sign-in has ended, as a sentence; `nil` while it has not.
    package var ended: String?

    /// A session as it is saved, before it is first used.
    package init(server: String, session: AuthSession, ended: String? = nil) {
        self.server = server
        self.session = session
        self.ended = ended
    }

    /// The signed-in user's id, if the sign-in is for the project or storage with that URL.
    package func userID(at url: String) -> String? { AuthPlace.base(for: url) == server ? session.user.id : nil }
}
