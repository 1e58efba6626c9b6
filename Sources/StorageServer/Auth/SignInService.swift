import Database
import ObjectStore
import Platform

/// Sign-ins: codes by e-mail, sessions and their refresh tokens, all stored in the index.
struct SignInService: Sendable {
    let rules: SignInRules
    let index: Index
    /// The file that e-mails are written to, one line of JSON each.
    let outbox: FilePath

    /// A session as its user receives it.
    struct Grant: Hashable, Sendable {
        let account: Account
        let session: String
        let refreshToken: String
        /// How the user signed in, such as `password`.
        let method: String
    }

    func signIn(email: String, password: String, at now: Int64) async throws -> Grant {
        guard rules.accepts(password, of: email) else { throw SignInRefusal.wrongPassword }
        return try await index.write { index in
            guard let account = try index.account(email: email) else { throw SignInRefusal.wrongPassword }
            return try index.openSession(of: account, by: "password", at: now)
        }
    }
}

// MARK: Codes

extension SignInService {
    /// Sends a code and a link's hash to `email`; with `createsUser` a missing user is created.
    ///
    /// No second code is sent within `codePause`: otherwise each request of a page would send an e-mail.
    func sendCode(to email: String, createsUser: Bool, at now: Int64) async throws {
        let code = Self.freshCode()
        let hash = Randomness.bytes(28).hexadecimal
        try await index.write { index in
            let last = try index.first("SELECT created_at FROM codes WHERE email = ?", .text(email)) { $0.integer(0) }
            if let last, (0..<SignInRules.codePause).contains(now - last) {
                throw SignInRefusal.tooSoon(last + SignInRules.codePause - now)
            }
            if try index.account(email: email) == nil {
                guard createsUser else { throw SignInRefusal.noSignUp }
                try index.add(Account(id: Account.id(of: email), email: email, createdAt: now))
            }
            try index.run(
                "INSERT OR REPLACE INTO codes (email, code, hash, created_at) VALUES (?,?,?,?)", .text(email),
                .text(code), .text(hash), .integer(now))
        }
        let line: JSON = [
            "at": .text(ServerTime(milliseconds: now).iso8601), "email": .text(email), "code": .text(code),
            "tokenHash": .text(hash),
        ]
        let outbox = outbox
        do {
            try await Blocking.run { () throws(SystemError) in
                try Self.append(line.bytes, to: outbox)
            }
        } catch {
            // The user did not get this code, so must not have to wait before asking for another.
            try await index.write { try $0.run("DELETE FROM codes WHERE hash = ?", .text(hash)) }
            throw error
        }
    }

    /// Appends a line to `outbox`, on a line of its own even if a kill or a full disk has cut the last one short.
    private static func append(_ line: [UInt8], to outbox: FilePath) throws(SystemError) {
        let end = UInt8(ascii: "\n")
        let size = try FileFacts.existing(outbox)?.size ?? 0
        let last = size > 0 ? try OpenFile(reading: outbox).read(at: size - 1, upTo: 1) : [end]
        try OpenFile(appending: outbox).append((last == [end] ? [] : [end]) + line + [end])
    }

    /// Six digits.
    private static func freshCode() -> String {
        let number = Randomness.bytes(4).reduce(0) { $0 << 8 | Int($1) } % 1_000_000
        return String(String(1_000_000 + number).dropFirst())
    }

    /// Redeems a code, or the hash of a link, once; `SignInRules.codeAttempts` wrong codes end it.
    func verify(email: String?, code: String?, hash: String?, at now: Int64) async throws -> Grant {
        let earliest = now - rules.codeLifetime.milliseconds
        // A failed attempt must be committed, so the transaction does not throw.
        let grant = try await index.write { index -> Grant? in
            let (column, value) = hash.map { ("hash", $0) } ?? ("email", email ?? "")
            let found = try index.first(
                "SELECT email, code FROM codes WHERE \(column) = ? AND created_at > ? AND attempts < ?", .text(value),
                .integer(earliest), .integer(SignInRules.codeAttempts)
            ) { (email: $0.text(0), code: $0.text(1)) }
            guard let found, hash != nil || found.code == code, let account = try index.account(email: found.email)
            else {
                if let email {
                    try index.run("UPDATE codes SET attempts = attempts + 1 WHERE email = ?", .text(email))
                }
                return nil
            }
            try index.run("DELETE FROM codes WHERE email = ?", .text(found.email))
            return try index.openSession(of: account, by: "otp", at: now)
        }
        guard let grant else { throw SignInRefusal.wrongCode }
        return grant
    }
}

// MARK: Sessions

extension SignInService {
    /// The result of presenting a refresh token.
    private enum Exchange: Sendable {
        case granted(Grant)
        case refused(SignInRefusal)
    }

    /// Renews the session of the token `text`, by the rules of rotation.
    func refresh(_ text: String, at now: Int64) async throws -> Grant {
        let (rules, interval) = (rules, rules.reuseInterval.milliseconds)
        // The end of a session must be committed, so the transaction does not throw.
        let exchange = try await index.write { index -> Exchange in
            guard let token = try index.refreshToken(text),
                let (account, method) = try index.holder(of: token.session)
            else { return .refused(.unknownToken) }
            if let start = try index.start(of: token.session), rules.hasEnded(start, at: now) {
                return .refused(.endedSession)
            }
            let active = try index.activeToken(of: token.session)
            func grant(_ fresh: String) -> Exchange {
                .granted(Grant(account: account, session: token.session, refreshToken: fresh, method: method))
            }
            switch token.use(active: active, at: now, reuseInterval: interval) {
            case .replaced: return grant(try index.replace(token, at: now))
            case .forgiven(let active): return grant(active.text)
            case .betrayed:
                try index.withdrawTokens(of: token.session, at: now)
                return .refused(.usedToken)
            }
        }
        switch exchange {
        case .granted(let grant): return grant
        case .refused(let refusal): throw refusal
        }
    }

    /// The user of a session that has not ended.
    func account(of session: String) async throws -> Account {
        guard let (account, _) = try await index.read({ try $0.holder(of: session) }) else {
            throw SignInRefusal.noSession
        }
        return account
    }

    /// Which sessions of a user a sign-out ends.
    enum Scope: String {
        case global, local, others
    }

    func signOut(_ session: String, _ scope: Scope) async throws {
        let user = try await account(of: session).id
        try await index.write { index in
            switch scope {
            case .global: try index.run("DELETE FROM sessions WHERE user = ?", .text(user))
            case .local: try index.run("DELETE FROM sessions WHERE id = ?", .text(session))
            case .others:
                try index.run("DELETE FROM sessions WHERE user = ? AND id <> ?", .text(user), .text(session))
            }
        }
    }
}

extension Duration {
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
