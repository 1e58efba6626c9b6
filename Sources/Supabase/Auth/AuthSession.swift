package import FoundationEssentials

/// A user's sign-in: the token to send now, and the token that renews it.
///
/// Printing it shows neither token. Its JSON is what `session.json` holds.
package struct AuthSession: Codable, Hashable, Sendable {
    /// The bearer token of requests until `expiresAt`; secret.
    package let accessToken: String
    /// Valid for one renewal, whose answer holds the next one; secret.
    package let refreshToken: String
    /// When the access token ends, by this computer's clock.
    package let expiresAt: Date
    /// The user that the session belongs to.
    package let user: AuthUser

    /// A session with its end already converted to this computer's clock.
    package init(accessToken: String, refreshToken: String, expiresAt: Date, user: AuthUser) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
        self.user = user
    }
}

/// The user who signed in.
package struct AuthUser: Codable, Hashable, Sendable {
    /// The id that policies compare with the first segment of a key.
    package let id: String
    /// The address the user signed in with; `nil` where the server does not tell.
    package let email: String?

    /// A user as the server or a token names it.
    package init(id: String, email: String? = nil) {
        self.id = id
        self.email = email
    }
}

extension AuthSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A constant text, so that logs never hold a token.
    package var description: String { "AuthSession(hidden)" }
    /// The same constant text as `description`.
    package var debugDescription: String { description }
    /// A mirror without children, so that dumps never hold a token.
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
    /// Its end is by this computer's clock, so the remaining seconds are preferred to the server's timestamp.
    func session(at now: Date) -> AuthSession {
        let end = expiresIn.map { now + $0 } ?? expiresAt.map(Date.init(timeIntervalSince1970:)) ?? now + 3600
        return AuthSession(accessToken: accessToken, refreshToken: refreshToken, expiresAt: end, user: user)
    }
}
