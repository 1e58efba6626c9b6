import Database
import ObjectStore
import Platform

/// A user as the index stores it.
struct Account: Hashable, Sendable {
    let id: String
    /// In lower case.
    let email: String
    /// Milliseconds since 1970.
    let createdAt: Int64
    var signedInAt: Int64?
}

extension Account {
    static let columns = "id, email, created_at, signed_in_at"

    init(_ row: Row) {
        id = row.text(0)
        email = row.text(1)
        createdAt = row.integer(2)
        signedInAt = row.integerOrNil(3)
    }

    /// The user's id, derived from the e-mail address, in the form of a UUID.
    static func id(of email: String) -> String { Randomness.uuid(of: SHA256.hash(email.utf8)) }

    private static let provider: JSON = ["provider": "email", "providers": ["email"]]

    /// The user as answers describe it.
    var json: JSON {
        let created = JSON.text(ServerTime(milliseconds: createdAt).iso8601)
        return [
            "id": .text(id), "aud": "authenticated", "role": "authenticated", "email": .text(email),
            "email_confirmed_at": created, "phone": "", "confirmed_at": created,
            "last_sign_in_at": .optional(signedInAt.map { ServerTime(milliseconds: $0).iso8601 }),
            "app_metadata": Self.provider, "user_metadata": [:], "identities": [], "created_at": created,
            "updated_at": created, "is_anonymous": false,
        ]
    }

    /// The claims of an access token issued to this user at `now`; no two tokens are equal.
    ///
    /// - Parameters:
    ///   - now: Seconds since 1970, as `end`.
    func claims(issuer: String, session: String, method: String, now: Int64, end: Int64) -> JSON {
        [
            "iss": .text(issuer), "sub": .text(id), "aud": "authenticated", "exp": .integer(end), "iat": .integer(now),
            "email": .text(email), "phone": "", "app_metadata": Self.provider, "user_metadata": [:],
            "role": "authenticated", "aal": "aal1", "amr": [["method": .text(method), "timestamp": .integer(now)]],
            "session_id": .text(session), "jti": .text(Randomness.bytes(16).hexadecimal), "is_anonymous": false,
        ]
    }
}
