import Foundation
import Platform
import Supabase
import TestSupport
import Testing
import Transfer

@Suite struct AuthClientTests {
    private static let now = Date(timeIntervalSince1970: 1_795_176_000)
    private static let session =
        #"{"access_token":"a","token_type":"bearer","expires_in":3600,"expires_at":1,"refresh_token":"r","user":{"id":"u","email":"e@x","aud":"authenticated"}}"#

    private static func client(_ transport: ScriptedTransport, apiKey: String? = "anon") -> AuthClient {
        AuthClient(base: "https://h/auth/v1/", apiKey: apiKey, unixSocket: "/run/s", transport: transport) { now }
    }

    struct Call: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let line: String
        let body: String?
        let answer: String
        let perform: @Sendable (AuthClient) async throws -> Void

        init(
            _ description: String, _ line: String, body: String? = nil, answering answer: String = session,
            _ perform: @escaping @Sendable (AuthClient) async throws -> Void
        ) {
            (testDescription, self.line, self.body, self.answer) = (description, line, body, answer)
            self.perform = perform
        }
    }

    private static let calls = [
        Call("password", "POST /token?grant_type=password", body: #"{"email":"e@x","password":"p\"ü"}"#) {
            let session = try await $0.signIn(email: "e@x", password: "p\"ü")
            #expect(session.accessToken == "a")
        },
        Call("ask for a code", "POST /otp", body: #"{"create_user":false,"email":"e@x"}"#, answering: "{}") {
            try await $0.requestCode(email: "e@x")
        },
        Call("a code", "POST /verify", body: #"{"email":"e@x","token":"123456","type":"email"}"#) {
            let session = try await $0.verify(email: "e@x", code: "123456")
            #expect(session.refreshToken == "r")
        },
        Call("a link", "POST /verify", body: #"{"token_hash":"h","type":"magiclink"}"#) {
            let link = try #require(SignInLink("https://x/y?token_hash=h&type=magiclink"))
            let session = try await $0.verify(link)
            #expect(session.user == AuthUser(id: "u", email: "e@x"))
        },
        Call("renewal", "POST /token?grant_type=refresh_token", body: #"{"refresh_token":"q"}"#) {
            let session = try await $0.refresh("q")
            #expect(session.expiresAt == now + 3600)
        },
        Call("signing out", "POST /logout?scope=local", answering: "") { try await $0.logout(accessToken: "t") },
        Call("who it is", "GET /user", answering: #"{"id":"u"}"#) {
            let user = try await $0.user(accessToken: "t")
            #expect(user == AuthUser(id: "u"))
        },
    ]

    @Test(arguments: calls)
    func aCallIsOneRequest(_ call: Call) async throws {
        let transport = ScriptedTransport([.json(call.answer)])
        try await call.perform(Self.client(transport))
        let request = try #require(transport.requests.first)
        #expect("\(request.method.rawValue) \(request.url.replacing("https://h/auth/v1", with: ""))" == call.line)
        #expect(request.headers["apikey"] == "anon" && request.unixSocket == "/run/s")
        #expect(request.headers["x-supabase-api-version"] == "2024-01-01")
        let needsToken = call.line.contains("logout") || call.line.contains("user")
        #expect(request.headers["authorization"] == (needsToken ? "Bearer t" : nil))
        #expect(request.text == call.body && transport.unusedAnswers == 0)
    }

    @Test(arguments: calls)
    func noAnswerIsThrown(_ call: Call) async throws {
        let lost = TransferError(.lost, "gone", mayHaveArrived: true)
        await #expect(throws: AuthError.noAnswer(lost)) {
            try await call.perform(Self.client(ScriptedTransport([.failure(lost)])))
        }
    }

    @Test(arguments: calls.filter { $0.answer.count > 2 })
    func nonsenseIsNotBelieved(_ call: Call) async throws {
        for nonsense in ["", "null", "<html>", #"{"access_token":"a"}"#] {
            let error = await #expect(throws: AuthError.self) {
                try await call.perform(Self.client(ScriptedTransport([.json(nonsense)])))
            }
            guard case .unreadable(200, _) = error else { throw try #require(error) }
        }
    }

    @Test(
        arguments: [
            (#""expires_in":60,"expires_at":9999999999,"#, 60), (#""expires_at":1795176090,"#, 90), ("", 3600),
        ] as [(String, Double)])
    func aSessionEndsByOurClock(fields: String, seconds: Double) async throws {
        let json = #"{\#(fields)"access_token":"a","refresh_token":"r","user":{"id":"u"}}"#
        let session = try await Self.client(ScriptedTransport([.json(json)])).refresh("q")
        #expect(session.expiresAt == Self.now + seconds)
    }

    @Test func aSessionShowsNoToken() {
        let session = AuthSession(
            accessToken: "hunter2", refreshToken: "hunter3", expiresAt: .now, user: AuthUser(id: "u"))
        var dumped = ""
        dump(session, to: &dumped)
        for text in ["\(session)", String(reflecting: session), "\([session])", dumped] {
            #expect(!text.contains("hunter"))
        }
    }
}

@Suite struct AuthRefusalTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let status: Int
        let body: String
        let meaning: AnswerClass
        let endsSession: Bool
        let words: String

        init(
            _ description: String, _ status: Int, _ body: String, _ meaning: AnswerClass, ends: Bool = false,
            _ words: String
        ) {
            (testDescription, self.status, self.body) = (description, status, body)
            (self.meaning, endsSession, self.words) = (meaning, ends, words)
        }

        /// In the current format.
        init(
            _ code: String, _ status: Int, _ meaning: AnswerClass, ends: Bool = false, _ words: String
        ) {
            self.init(code, status, #"{"code":"\#(code)","message":"said"}"#, meaning, ends: ends, words)
        }
    }

    private static let rows = [
        Row("invalid_credentials", 400, .permanent, "The e-mail or the password is wrong."),
        Row("email_not_confirmed", 400, .permanent, "not confirmed"),
        Row("refresh_token_not_found", 400, .signIn, ends: true, "has ended"),
        Row("refresh_token_already_used", 400, .signIn, ends: true, "another program"),
        Row("session_not_found", 403, .signIn, ends: true, "has ended"),
        Row("session_expired", 400, .signIn, ends: true, "has ended"),
        Row("user_banned", 403, .signIn, ends: true, "banned"),
        Row("user_not_found", 403, .signIn, ends: true, "has ended"),
        Row("bad_jwt", 403, .signIn, "said (bad_jwt)"),
        Row("over_request_rate_limit", 429, .retry(load: true), "wait a few minutes"),
        Row("over_email_send_rate_limit", 429, .retry(load: true), "wait a while"),
        Row("otp_expired", 403, .denied(by: .storage), "ask for a new one"),
        Row("otp_disabled", 422, .permanent, "no user"), Row("validation_failed", 400, .permanent, "said (val"),
        Row(
            "the older shape", 400, #"{"code":400,"error_code":"invalid_credentials","msg":"Invalid login"}"#,
            .permanent, "password is wrong"),
        Row(
            "OAuth's shape", 400, #"{"error":"invalid_grant","error_description":"Invalid Refresh Token"}"#, .signIn,
            ends: true, "Invalid Refresh Token (invalid_grant)"),
        Row("two at once", 409, #"{"code":409,"msg":"Too many concurrent"}"#, .retry(load: false), "Too many"),
        Row(
            "a gateway with a wrong key", 401, #"{"message":"Invalid API key"}"#, .signIn, "Invalid API key (HTTP 401)"),
        Row("a page", 502, "<html>", .retry(load: false), "HTTP 502"),
        Row("nothing", 503, "", .retry(load: true), "503"),
        Row("over the plan", 402, "", .destinationClosed(.quota), "402"),
        Row("asleep", 540, "", .destinationClosed(.projectPaused), "540"),
    ]

    @Test(arguments: rows)
    func aRefusalMeans(_ row: Row) {
        let refusal = AuthRefusal(HTTPResponse(status: row.status, body: Array(row.body.utf8)))
        #expect(refusal.answerClass == row.meaning && refusal.endsSession == row.endsSession)
        #expect("\(AuthError.refused(refusal))".contains(row.words))
        #expect(AuthError.refused(refusal).answerClass == row.meaning)
    }

    @Test func aHeaderMayHoldTheCode() {
        let headers: HTTPHeaders = ["x-sb-error-code": "session_expired", "retry-after": "7"]
        let refusal = AuthRefusal(HTTPResponse(status: 400, headers: headers))
        #expect(refusal.code == .sessionExpired && refusal.retryAfter == .seconds(7))
    }
}

@Suite struct SignInLinkTests {
    @Test(
        arguments: [
            ("https://x/auth/confirm?token_hash=pk_1&type=email", "pk_1", "email"),
            ("https://x/auth/v1/verify?token=abc&type=magiclink&redirect_to=http://l", "abc", "magiclink"),
            ("https://x/?a=b&amp;token_hash=t&amp;type=recovery", "t", "recovery"),
            ("  https://x/?token_hash=a%2Bb%zz\n&type=email#f?token_hash=no ", "a+b%zz", "email"),
            ("https://x/?token_hash=%+1%C3%BC", "%+1ü", "email"),
            ("https://x/?token_hash=t", "t", "email"), ("https://x/?token_hash=&type=email", nil, nil),
            ("https://x/#access_token=t", nil, nil), ("https://x/?error=access_denied", nil, nil), ("123456", nil, nil),
            ("", nil, nil),
        ] as [(String, String?, String?)])
    func aPastedLinkIsRead(text: String, hash: String?, type: String?) {
        let link = SignInLink(text)
        #expect(link?.tokenHash == hash && link?.type == type)
    }
}
