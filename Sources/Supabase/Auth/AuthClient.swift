package import FoundationEssentials
package import Platform
package import Transfer

/// Supabase Auth's sign-in without a browser (contract section 6); each call is one request.
package struct AuthClient: Sendable {
    /// The project's key for its gateway; any of the project's keys works.
    package let apiKey: String?
    private var call: ServiceCall<AuthRefusal>
    private let clock: @Sendable () -> Date

    /// A client of the service at `base`, such as `https://abc.supabase.co/auth/v1`.
    ///
    /// - Parameter unixSocket: The socket to connect to instead of the base's host.
    package init(
        base: String, apiKey: String?, unixSocket: FilePath? = nil, transport: any Transport,
        clock: @escaping @Sendable () -> Date
    ) {
        call = ServiceCall(base: base, unixSocket: unixSocket, transport: transport)
        self.apiKey = apiKey
        self.clock = clock
    }

    /// Without a slash at its end.
    package var base: String { call.base }

    /// How long each request may take.
    package var timeouts: Timeouts {
        get { call.timeouts }
        set { call.timeouts = newValue }
    }
}

extension AuthClient {
    /// Signs in with a password.
    package func signIn(email: String, password: String) async throws(AuthError) -> AuthSession {
        try await session("/token?grant_type=password", ["email": email, "password": password])
    }

    /// Has an e-mail with a code and a link sent to an existing user; never creates a user.
    package func requestCode(email: String) async throws(AuthError) {
        let body: [String: JSONValue] = ["email": .string(email), "create_user": false]
        _ = try await send(try call.request(.post, "/otp", body))
    }

    /// Signs in with the code from an e-mail.
    package func verify(email: String, code: String) async throws(AuthError) -> AuthSession {
        try await session("/verify", ["type": "email", "email": email, "token": code])
    }

    /// Signs in with the token from an e-mail's link.
    package func verify(_ link: SignInLink) async throws(AuthError) -> AuthSession {
        try await session("/verify", ["type": link.type, "token_hash": link.tokenHash])
    }

    /// Renews a session; `refreshToken` is spent by this, and the new session holds the next one.
    package func refresh(_ refreshToken: String) async throws(AuthError) -> AuthSession {
        try await session("/token?grant_type=refresh_token", ["refresh_token": refreshToken])
    }

    /// Ends this session on the server; the user's sessions on other devices stay.
    package func logout(accessToken: String) async throws(AuthError) {
        var request = call.request(.post, "/logout?scope=local")
        request.headers["authorization"] = "Bearer \(accessToken)"
        _ = try await send(request)
    }

    /// The user that a token belongs to.
    package func user(accessToken: String) async throws(AuthError) -> AuthUser {
        var request = call.request(.get, "/user")
        request.headers["authorization"] = "Bearer \(accessToken)"
        return try ServiceCall<AuthRefusal>.read(try await send(request), as: AuthUser.self)
    }
}

extension AuthClient {
    private func session(_ path: String, _ body: [String: String]) async throws(AuthError) -> AuthSession {
        let response = try await send(try call.request(.post, path, body), hiding: Self.secrets(in: body))
        return try ServiceCall<AuthRefusal>.read(response, as: SessionAnswer.self).session(at: clock())
    }

    /// The secrets of a sign-in: an answer may repeat the e-mail address and the type, nothing else.
    private static func secrets(in body: [String: String]) -> [String] {
        body.filter { $0.key != "email" && $0.key != "type" }.map(\.value)
    }

    private func send(
        _ request: HTTPRequest, hiding secrets: [String] = []
    ) async throws(AuthError) -> HTTPResponse {
        var request = request
        request.headers["apikey"] = apiKey
        request.headers["x-supabase-api-version"] = "2024-01-01"
        return try await call.send(request, hiding: secrets)
    }
}
