package import Supabase

/// What `session.json` holds: a sign-in, and the server it is for.
package struct SavedSession: Codable, Hashable, Sendable {
    package var version = 1
    /// The base of Auth that gave it; it is shown to no other.
    package let server: String
    package let session: AuthSession
    /// Why it is over, as a sentence; `nil` while it is not.
    package var ended: String?

    package init(server: String, session: AuthSession, ended: String? = nil) {
        self.server = server
        self.session = session
        self.ended = ended
    }
}
