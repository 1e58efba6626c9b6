package import FoundationEssentials
package import Platform
package import Transfer

/// Supabase Auth's sign-in without a browser (contract section 6); each call is one request.
package struct AuthClient: Sendable {
    /// Such as `https://abc.supabase.co/auth/v1`, without a slash at its end.
    package let base: String
    /// The project's key, for its gateway; any of its keys will do.
    package let apiKey: String?
    /// The socket to connect to instead of the base's host.
    package let unixSocket: FilePath?
    package var timeouts = Timeouts()
    private let transport: any Transport
    private let clock: @Sendable () -> Date

    package init(
        base: String, apiKey: String?, unixSocket: FilePath? = nil, transport: any Transport,
        clock: @escaping @Sendable () -> Date
    ) {
        self.base = String(base.reversed().drop { $0 == "/" }.reversed())
        self.apiKey = apiKey
        self.unixSocket = unixSocket
        self.transport = transport
        self.clock = clock
    }
}

extension AuthClient {
    /// Signs in with a password.
    package func signIn(email: String, password: String) async throws(AuthError) -> AuthSession {
        try await session("/token?grant_type=password", ["email": email, "password": password])
    }

    /// Has a code and a link sent to the user of this address; nobody is signed up by it.
    package func requestCode(email: String) async throws(AuthError) {
        let body: [String: JSONValue] = ["email": .string(email), "create_user": false]
        _ = try await send(try request(.post, "/otp", body))
    }

    /// Signs in with the code of an e-mail.
    package func verify(email: String, code: String) async throws(AuthError) -> AuthSession {
        try await session("/verify", ["type": "email", "email": email, "token": code])
    }

    /// Signs in with what an e-mail's link carries.
    package func verify(_ link: SignInLink) async throws(AuthError) -> AuthSession {
        try await session("/verify", ["type": link.type, "token_hash": link.tokenHash])
    }

    /// Renews a session; the token is spent by it, the answer holds the next one.
    package func refresh(_ refreshToken: String) async throws(AuthError) -> AuthSession {
        try await session("/token?grant_type=refresh_token", ["refresh_token": refreshToken])
    }

    /// Ends this one session on the server; those of other devices stay.
    package func logout(accessToken: String) async throws(AuthError) {
        var request = request(.post, "/logout?scope=local")
        request.headers["authorization"] = "Bearer \(accessToken)"
        _ = try await send(request)
    }

    /// Who a token belongs to.
    package func user(accessToken: String) async throws(AuthError) -> AuthUser {
        var request = request(.get, "/user")
        request.headers["authorization"] = "Bearer \(accessToken)"
        return try ServiceCall<AuthRefusal>.read(try await send(request), as: AuthUser.self)
    }
}

extension AuthClient {
    private func session(_ path: String, _ body: [String: String]) async throws(AuthError) -> AuthSession {
        let response = try await send(try request(.post, path, body))
        let answer = try ServiceCall<AuthRefusal>.read(response, as: SessionAnswer.self)
        return answer.session(at: clock())
    }

    private func request(_ method: HTTPMethod, _ path: String) -> HTTPRequest {
        var request = HTTPRequest(method, base + path)
        request.headers["apikey"] = apiKey
        request.headers["x-supabase-api-version"] = "2024-01-01"
        request.unixSocket = unixSocket
        request.timeouts = timeouts
        return request
    }

    private func request(
        _ method: HTTPMethod, _ path: String, _ body: some Encodable
    ) throws(AuthError) -> HTTPRequest {
        var request = request(method, path)
        request.headers["content-type"] = "application/json"
        request.body = try ServiceCall<AuthRefusal>.body(body)
        return request
    }

    private func send(_ request: HTTPRequest) async throws(AuthError) -> HTTPResponse {
        try await ServiceCall<AuthRefusal>(transport: transport).send(request)
    }
}
