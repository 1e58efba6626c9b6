package import FoundationEssentials

/// A user's sign-in: what to ask with now, and what to renew it with.
///
/// Shows neither when printed. Its JSON is what `session.json` holds.
package struct AuthSession: Codable, Hashable, Sendable {
    package let accessToken: String
    /// Good for one renewal, which answers the next one.
    package let refreshToken: String
    package let expiresAt: Date
    package let user: AuthUser

    package init(accessToken: String, refreshToken: String, expiresAt: Date, user: AuthUser) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
        self.user = user
    }
}

/// Who signed in.
package struct AuthUser: Codable, Hashable, Sendable {
    /// What policies compare with: the first segment of every key of theirs.
    package let id: String
    package let email: String?

    package init(id: String, email: String? = nil) {
        self.id = id
        self.email = email
    }
}

extension AuthSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "AuthSession(hidden)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A session as Auth answers it.
struct SessionAnswer: Decodable {
    let accessToken: String
    let refreshToken: String
    let expiresAt: Double?
    let expiresIn: Double?
    let user: AuthUser

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token", refreshToken = "refresh_token", expiresAt = "expires_at"
        case expiresIn = "expires_in", user
    }

    /// The session of an answer that arrived at `now`.
    ///
    /// It ends by our clock, so the seconds that are left count before the server's idea of the time.
    func session(at now: Date) -> AuthSession {
        let end = expiresIn.map { now + $0 } ?? expiresAt.map(Date.init(timeIntervalSince1970:)) ?? now + 3600
        return AuthSession(accessToken: accessToken, refreshToken: refreshToken, expiresAt: end, user: user)
    }
}
