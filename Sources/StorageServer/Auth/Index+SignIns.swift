import Database
import Platform
import Serving

extension Connection {
    func account(email: String) throws -> Account? {
        try first("SELECT \(Account.columns) FROM users WHERE email = ?", .text(email), read: Account.init)
    }

    func add(_ account: Account) throws {
        try run(
            "INSERT INTO users (\(Account.columns)) VALUES (?,?,?,?)", .text(account.id), .text(account.email),
            .integer(account.createdAt), Value(account.signedInAt))
    }

    /// Adds those of `users` that do not exist yet.
    func enroll(_ users: [StorageUser], at now: Int64) throws {
        for user in users {
            let email = user.email.lowercased()
            guard try account(email: email) == nil else { continue }
            try add(Account(id: user.id ?? Account.id(of: email), email: email, createdAt: now))
        }
    }

    /// The session's user and how it was opened; `nil` when it has ended.
    func holder(of session: String) throws -> (Account, method: String)? {
        try first(
            """
            SELECT u.id, u.email, u.created_at, u.signed_in_at, s.method \
            FROM sessions s JOIN users u ON u.id = s.user WHERE s.id = ?
            """, .text(session)
        ) { (Account($0), $0.text(4)) }
    }

    /// When the session was opened, in milliseconds since 1970.
    func start(of session: String) throws -> Int64? {
        try first("SELECT created_at FROM sessions WHERE id = ?", .text(session)) { $0.integer(0) }
    }

    /// Opens a session with its first refresh token.
    func openSession(of account: Account, by method: String, at now: Int64) throws -> SignInService.Grant {
        let session = Randomness.uuid()
        try run("UPDATE users SET signed_in_at = ? WHERE id = ?", .integer(now), .text(account.id))
        try run(
            "INSERT INTO sessions (id, user, method, created_at) VALUES (?,?,?,?)", .text(session), .text(account.id),
            .text(method), .integer(now))
        var signedIn = account
        signedIn.signedInAt = now
        return SignInService.Grant(
            account: signedIn, session: session, refreshToken: try addToken(to: session, replacing: nil),
            method: method)
    }

    func refreshToken(_ text: String) throws -> RefreshToken? {
        try first(
            "SELECT \(RefreshToken.columns) FROM refresh_tokens WHERE token = ?", .text(text), read: RefreshToken.init)
    }

    func activeToken(of session: String) throws -> RefreshToken? {
        try first(
            "SELECT \(RefreshToken.columns) FROM refresh_tokens WHERE session = ? AND used_at IS NULL",
            .text(session), read: RefreshToken.init)
    }

    /// Marks `token` as used; returns the token that replaces it.
    func replace(_ token: RefreshToken, at now: Int64) throws -> String {
        try withdrawTokens(of: token.session, at: now)
        return try addToken(to: token.session, replacing: token.text)
    }

    /// Marks all tokens of the session as used, so that none is active.
    func withdrawTokens(of session: String, at now: Int64) throws {
        try run(
            "UPDATE refresh_tokens SET used_at = ? WHERE session = ? AND used_at IS NULL", .integer(now),
            .text(session))
    }

    private func addToken(to session: String, replacing parent: String?) throws -> String {
        let text = Base64URL.encode(Randomness.bytes(9))
        try run(
            "INSERT INTO refresh_tokens (\(RefreshToken.columns)) VALUES (?,?,?,NULL)", .text(text), .text(session),
            Value(parent))
        return text
    }
}
