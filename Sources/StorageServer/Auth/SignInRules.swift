/// Who may sign in to an embedded server, and how long that holds.
package struct SignInRules: Sendable {
    /// Those who are there from the start; others come by an e-mail's code.
    package var users: [StorageUser]
    /// After which an access token ends.
    package var accessLifetime: Duration
    /// Within which a used refresh token still gives the one that replaced it.
    package var reuseInterval: Duration
    /// After which a code sent by e-mail ends.
    package var codeLifetime: Duration

    /// Codes that may be tried for one that was sent.
    static let codeAttempts: Int64 = 5

    /// The lifetimes of the real service, unless told otherwise.
    package init(
        users: [StorageUser] = [], accessLifetime: Duration = .seconds(3600), reuseInterval: Duration = .seconds(10),
        codeLifetime: Duration = .seconds(3600)
    ) {
        self.users = users
        self.accessLifetime = accessLifetime
        self.reuseInterval = reuseInterval
        self.codeLifetime = codeLifetime
    }
}

/// A person who may sign in.
package struct StorageUser: Hashable, Sendable {
    /// In any case; it is compared in lower case.
    package let email: String
    /// `nil` for somebody who signs in by codes only; kept in memory, never written.
    package let password: String?
    /// The `sub` of the user's tokens, and the name of the user's folder; made from the e-mail when `nil`.
    package let id: String?

    /// A user by name; an id is needed only where a test must know it beforehand.
    package init(email: String, password: String? = nil, id: String? = nil) {
        self.email = email
        self.password = password
        self.id = id
    }
}

extension SignInRules {
    /// Whether `password` is that of the user called `email`.
    func accepts(_ password: String, of email: String) -> Bool {
        users.contains { $0.email.lowercased() == email && $0.password == password }
    }
}
