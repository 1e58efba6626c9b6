/// Who may sign in to an embedded server, and how long sign-ins are valid.
package struct SignInRules: Sendable {
    /// The users that exist from the start; others are created when they request a code by e-mail.
    var users: [StorageUser]
    /// How long an access token is valid.
    package var accessLifetime: Duration
    /// How long a sign-in lasts, however often it is renewed; `nil` for ever.
    package var sessionLifetime: Duration?
    /// How long a used refresh token still returns the one that replaced it.
    var reuseInterval: Duration
    /// How long a code sent by e-mail is valid.
    var codeLifetime: Duration

    /// Milliseconds between two codes to one address, as with the real service.
    static let codePause: Int64 = 60_000

    /// How many codes may be tried in place of the one that was sent.
    static let codeAttempts: Int64 = 5

    /// Rules with the lifetimes of the real service, unless others are given.
    package init(
        users: [StorageUser] = [], accessLifetime: Duration = .seconds(3600), reuseInterval: Duration = .seconds(10),
        codeLifetime: Duration = .seconds(3600), sessionLifetime: Duration? = nil
    ) {
        self.users = users
        self.accessLifetime = accessLifetime
        self.reuseInterval = reuseInterval
        self.codeLifetime = codeLifetime
        self.sessionLifetime = sessionLifetime
    }
}

/// A person who may sign in.
package struct StorageUser: Hashable, Sendable {
    /// The address in any case; it is compared in lower case.
    package let email: String
    /// `nil` for a user who signs in by codes only; kept in memory, never written.
    let password: String?
    /// The `sub` of the user's tokens and the name of the user's folder; `nil` derives it from the address.
    package let id: String?

    /// A user; the id is given only where a test must know it beforehand.
    package init(email: String, password: String? = nil, id: String? = nil) {
        self.email = email
        self.password = password
        self.id = id
    }
}

extension SignInRules {
    /// Whether a session that was opened at `start` has ended at `now`, both in milliseconds since 1970.
    func hasEnded(_ start: Int64, at now: Int64) -> Bool {
        sessionLifetime.map { now - start >= $0.milliseconds } ?? false
    }

    /// Whether `password` is that of the user with the address `email`.
    func accepts(_ password: String, of email: String) -> Bool {
        users.contains { $0.email.lowercased() == email && $0.password == password }
    }
}
