import ObjectStore
import Platform
import Serving
import TestSupport
import Testing

@testable import StorageServer

@Suite struct AuthRoutesTests {
    private static let ann = StorageUser(email: "Ann@example.org", password: "secret", id: Site.userID)

    private func site(_ rules: SignInRules = SignInRules(users: [ann])) throws -> Site { try Site(signIns: rules) }

    /// A session as a client reads it.
    private struct Session {
        let access: String
        let refresh: String
        let answer: JSON

        init(_ answer: Answer) throws {
            access = try #require(answer.json["access_token"]?.string, "\(answer.text)")
            refresh = try #require(answer.json["refresh_token"]?.string)
            self.answer = answer.json
        }
    }

    private func token(_ site: Site, _ kind: String, _ body: JSON, _ headers: Headers = [:]) async throws -> Answer {
        try await site.send("POST", "/auth/v1/token?grant_type=\(kind)", as: nil, body, headers)
    }

    private func signIn(_ site: Site) async throws -> Session {
        try Session(await token(site, "password", ["email": "ann@EXAMPLE.org", "password": "secret"]))
    }

    private func refresh(_ site: Site, _ text: String) async throws -> Answer {
        try await token(site, "refresh_token", ["refresh_token": .text(text)])
    }

    private func code(_ answer: Answer) -> String {
        "\(answer.status) \(answer.json["error_code"]?.string ?? "-")"
    }

    @Test func aPasswordGivesASessionThatStorageKnows() async throws {
        let site = try site()
        try await site.makeBucket("b")
        let session = try await signIn(site)
        #expect(session.answer["token_type"] == "bearer")
        #expect(session.answer["expires_in"] == 3600)
        #expect(session.answer["expires_at"] == .integer(Site.start / 1000 + 3600))
        #expect(session.answer["user"]?["id"] == .text(Site.userID))
        #expect(try await site.upload("b/\(Site.userID)/a", as: session.access).status == 200)
        #expect(try await site.upload("b/other/a", as: session.access).status == 400)
        let user = try await site.get("/auth/v1/user", as: session.access)
        #expect(user.json["email"] == "ann@example.org")
        site.pass(3_600_000)
        #expect(
            try await site.upload("b/\(Site.userID)/b", as: session.access).refusal
                == "403 AccessDenied: \"exp\" claim timestamp check failed")
        #expect(code(try await site.get("/auth/v1/user", as: session.access)) == "403 bad_jwt")
    }

    @Test(arguments: [(59_999, "200 -"), (60_000, "400 session_expired")])
    func aSessionLastsAsLongAsItMay(milliseconds: Int64, answer: String) async throws {
        let site = try site(SignInRules(users: [Self.ann], sessionLifetime: .seconds(60)))
        let session = try await signIn(site)
        site.pass(milliseconds)
        #expect(code(try await refresh(site, session.refresh)) == answer)
        // A new sign-in begins anew.
        #expect(code(try await refresh(site, signIn(site).refresh)) == "200 -")
    }

    @Test func theLifetimeOfAccessIsAParameter() async throws {
        let site = try site(SignInRules(users: [Self.ann], accessLifetime: .seconds(5)))
        let session = try await signIn(site)
        #expect(session.answer["expires_in"] == 5)
        site.pass(5000)
        #expect(code(try await site.get("/auth/v1/user", as: session.access)) == "403 bad_jwt")
        #expect(try await refresh(site, session.refresh).status == 200)
    }

    @Test(
        arguments: [
            Fact(
                "a wrong password", ("password", ["email": "ann@example.org", "password": "x"]),
                "400 invalid_credentials"),
            Fact(
                "a stranger", ("password", ["email": "bob@example.org", "password": "secret"]),
                "400 invalid_credentials"),
            Fact("no password", ("password", ["email": "ann@example.org"]), "400 validation_failed"),
            Fact("an unknown token", ("refresh_token", ["refresh_token": "x"]), "400 refresh_token_not_found"),
            Fact("no token", ("refresh_token", [:]), "400 validation_failed"),
            Fact("another grant", ("pkce", [:]), "400 validation_failed"),
        ] as [Fact<(String, JSON), String>])
    func aSignInThatIsRefused(_ fact: Fact<(String, JSON), String>) async throws {
        #expect(code(try await token(site(), fact.input.0, fact.input.1)) == fact.output)
    }

    @Test func aRefusalHasTheFormTheClientAsksFor() async throws {
        let body: JSON = ["email": "ann@example.org", "password": "x"]
        let old = try await token(site(), "password", body)
        #expect(
            old.json == ["code": 400, "error_code": "invalid_credentials", "msg": "Invalid login credentials"])
        #expect(old.headers["x-sb-error-code"] == "invalid_credentials")
        let new = try await token(site(), "password", body, ["X-Supabase-Api-Version": "2024-01-01"])
        #expect(new.json == ["code": "invalid_credentials", "message": "Invalid login credentials"])
        #expect(
            code(try await site().ask("POST", "/auth/v1/otp", ["Content-Type": "application/json"], body: [1]))
                == "400 bad_json")
    }

    // MARK: Rotation

    @Test func everyRefreshGivesANewToken() async throws {
        let site = try site()
        var session = try await signIn(site)
        var seen: Set<String> = [session.refresh]
        for _ in 1...3 {
            site.pass(60_000)
            session = try Session(await refresh(site, session.refresh))
            #expect(seen.insert(session.refresh).inserted)
        }
        #expect(try await site.get("/auth/v1/user", as: session.access).status == 200)
    }

    @Test func theParentOfTheActiveTokenIsForgivenAtAnyTime() async throws {
        let site = try site()
        let lost = try await signIn(site)
        let active = try Session(await refresh(site, lost.refresh))
        site.pass(3_600_000)
        #expect(try Session(await refresh(site, lost.refresh)).refresh == active.refresh)
    }

    /// Older tokens are accepted for ten seconds; then they count as stolen, and the session ends.
    @Test(arguments: [(9_999, true), (10_000, false)])
    func anOlderTokenIsForgivenForTheInterval(milliseconds: Int64, isForgiven: Bool) async throws {
        let site = try site()
        let first = try await signIn(site)
        let second = try Session(await refresh(site, first.refresh))
        let third = try Session(await refresh(site, second.refresh))
        site.pass(milliseconds)
        let answer = try await refresh(site, first.refresh)
        if isForgiven { return #expect(try Session(answer).refresh == third.refresh) }
        #expect(code(answer) == "400 refresh_token_already_used")
        #expect(code(try await refresh(site, third.refresh)) == "400 refresh_token_already_used")
        // Other sessions of the user continue.
        #expect(try await refresh(site, signIn(site).refresh).status == 200)
    }

    @Test(
        arguments: [
            Fact("an unused one", (RefreshToken("a"), RefreshToken("a")), .replaced),
            Fact(
                "the parent", (RefreshToken("a", usedAt: 1), RefreshToken("b", parent: "a")),
                .forgiven(RefreshToken("b", parent: "a"))),
            Fact(
                "an old one, early", (RefreshToken("a", usedAt: 91), RefreshToken("c", parent: "b")),
                .forgiven(RefreshToken("c", parent: "b"))),
            Fact("an old one, late", (RefreshToken("a", usedAt: 90), RefreshToken("c", parent: "b")), .betrayed),
            Fact("of a session that ended", (RefreshToken("a", usedAt: 99), nil), .betrayed),
        ] as [Fact<(RefreshToken, RefreshToken?), RefreshToken.Use>])
    func whatBecomesOfAToken(_ fact: Fact<(RefreshToken, RefreshToken?), RefreshToken.Use>) {
        #expect(fact.input.0.use(active: fact.input.1, at: 100, reuseInterval: 10) == fact.output)
    }

    @Test func sessionsOutliveTheServer() async throws {
        let site = try site()
        let session = try await signIn(site)
        let again = try site.reopened()
        let body = JSON.object([.init(name: "refresh_token", value: .text(session.refresh))]).bytes
        let request = Request(
            method: "POST", target: "/auth/v1/token?grant_type=refresh_token",
            headers: ["Content-Type": "application/json"], body: RequestBody(body))
        #expect(await again.answer(request).status == 200)
    }

    // MARK: Codes

    private func mail(_ site: Site) throws -> JSON {
        let bytes = try OpenFile(reading: site.folder.appending("outbox.jsonl")).readAll()
        let last = try #require(String(decoding: bytes, as: UTF8.self).split(separator: "\n").last)
        return try #require(JSON(parsing: Array(last.utf8)))
    }

    private func post(_ site: Site, _ name: String, _ body: JSON) async throws -> Answer {
        try await site.send("POST", "/auth/v1/\(name)", as: nil, body)
    }

    /// Every request would send another e-mail.
    @Test(arguments: [(59_999, "429 over_email_send_rate_limit", 1), (60_000, "200 -", 2)])
    func aCodeIsSentOnceAMinute(milliseconds: Int64, answer: String, mails: Int) async throws {
        let site = try site()
        #expect(try await post(site, "otp", ["email": "new@example.org"]).status == 200)
        #expect(code(try await post(site, "otp", ["email": "other@example.org"])) == "200 -", "another address")
        site.pass(milliseconds)
        #expect(code(try await post(site, "otp", ["email": "New@example.org"])) == answer)
        let sent = try OpenFile(reading: site.folder.appending("outbox.jsonl")).readAll()
        #expect(sent.count { $0 == UInt8(ascii: "\n") } == mails + 1)
    }

    @Test(arguments: ["code", "hash"])
    func aCodeFromTheOutboxSignsInOnce(way: String) async throws {
        let site = try site()
        #expect(try await post(site, "otp", ["email": "New@example.org"]).json == [:])
        let mail = try mail(site)
        let code = try #require(mail["code"]?.string)
        #expect(code.count == 6)
        let body: JSON =
            way == "code"
            ? ["type": "email", "email": "new@example.org", "token": .text(code)]
            : ["type": "magiclink", "token_hash": mail["tokenHash"] ?? .null]
        let session = try Session(await post(site, "verify", body))
        #expect(try await site.get("/auth/v1/user", as: session.access).json["email"] == "new@example.org")
        #expect(self.code(try await post(site, "verify", body)) == "403 otp_expired")
    }

    @Test(arguments: [(3_599_999, 200), (3_600_000, 403)])
    func aCodeEndsAfterAnHour(milliseconds: Int64, status: Int) async throws {
        let site = try site()
        _ = try await post(site, "otp", ["email": "ann@example.org"])
        let code = try mail(site)["code"] ?? .null
        site.pass(milliseconds)
        let body: JSON = ["type": "email", "email": "ann@example.org", "token": code]
        #expect(try await post(site, "verify", body).status == status)
    }

    @Test(arguments: [(4, 200), (5, 403)])
    func aCodeHasFiveAttempts(wrong: Int, status: Int) async throws {
        let site = try site()
        _ = try await post(site, "otp", ["email": "ann@example.org"])
        let code = try mail(site)["code"] ?? .null
        for _ in 0..<wrong {
            let body: JSON = ["type": "email", "email": "ann@example.org", "token": "no code"]
            #expect(self.code(try await post(site, "verify", body)) == "403 otp_expired")
        }
        let body: JSON = ["type": "email", "email": "ann@example.org", "token": code]
        #expect(try await post(site, "verify", body).status == status)
    }

    @Test func aCodeBelongsToItsAddressAndTheNewestCounts() async throws {
        let site = try site()
        _ = try await post(site, "otp", ["email": "ann@example.org"])
        let first = try mail(site)["code"] ?? .null
        _ = try await post(site, "otp", ["email": "bob@example.org"])
        let bobs = try mail(site)["code"] ?? .null
        if bobs != first {
            let body: JSON = ["type": "email", "email": "ann@example.org", "token": bobs]
            #expect(code(try await post(site, "verify", body)) == "403 otp_expired")
        }
        site.pass(60_000)
        _ = try await post(site, "otp", ["email": "ann@example.org"])
        let second = try mail(site)["code"] ?? .null
        let body: JSON = ["type": "email", "email": "ann@example.org", "token": second]
        #expect(try await post(site, "verify", body).status == 200)
    }

    @Test func strangersAreRefusedWithoutSignUp() async throws {
        let site = try site()
        let answer = try await post(site, "otp", ["email": "new@example.org", "create_user": false])
        #expect(code(answer) == "422 otp_disabled")
        #expect(try await post(site, "otp", ["email": "ann@example.org", "create_user": false]).status == 200)
        #expect(code(try await post(site, "otp", ["email": "ada"])) == "400 validation_failed")
        #expect(code(try await post(site, "verify", ["type": "email"])) == "400 validation_failed")
    }

    // MARK: Signing out

    @Test(arguments: [("global", [false, false]), ("local", [false, true]), ("others", [true, false])])
    func signingOut(scope: String, goOn: [Bool]) async throws {
        let site = try site()
        let sessions = [try await signIn(site), try await signIn(site)]
        let answer = try await site.ask("POST", "/auth/v1/logout?scope=\(scope)", as: sessions[0].access)
        #expect(answer.status == 204)
        for (session, goesOn) in zip(sessions, goOn) {
            let user = try await site.get("/auth/v1/user", as: session.access)
            #expect(code(user) == (goesOn ? "200 -" : "403 session_not_found"))
            let fresh = try await refresh(site, session.refresh)
            #expect(code(fresh) == (goesOn ? "200 -" : "400 refresh_token_not_found"))
        }
    }

    @Test func whoIsNotSignedInIsTold() async throws {
        let site = try site()
        #expect(code(try await site.get("/auth/v1/user", as: nil)) == "401 no_authorization")
        #expect(code(try await site.get("/auth/v1/user", as: "x")) == "403 bad_jwt")
        #expect(code(try await site.get("/auth/v1/user", as: Site.service)) == "403 session_not_found")
        let session = try await signIn(site)
        let answer = try await site.ask("POST", "/auth/v1/logout?scope=some", as: session.access)
        #expect(code(answer) == "400 validation_failed")
    }
}

extension RefreshToken {
    fileprivate init(_ text: String, parent: String? = nil, usedAt: Int64? = nil) {
        self.init(text: text, session: "s", parent: parent, usedAt: usedAt)
    }
}
