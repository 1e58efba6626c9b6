import ObjectStore
import Serving

extension Route {
    /// The part of the sign-in service that clients need (contract, section 6).
    static let authRoutes = [
        auth("POST", "token") { try await $0.giveToken($1) },
        auth("POST", "otp") { try await $0.sendCode($1) },
        auth("POST", "verify") { try await $0.verifyCode($1) },
        auth("POST", "logout") { try await $0.signOut($1) },
        auth("GET", "user") { .json(try await $0.signedIn($1).account.json) },
        auth("GET", "health") { _, _ in .json(["name": "GoTrue", "version": "2.196.0"]) },
    ]

    private static func auth(_ method: String, _ name: String, _ answer: @escaping Route.Answer) -> Route {
        Route(method, "/auth/v1/\(name)") { depot, call in
            do {
                return try await answer(depot, call)
            } catch {
                let refusal =
                    switch error {
                    case let refusal as SignInRefusal: refusal
                    case let refusal as ProtocolRefusal: SignInRefusal(400, "bad_json", refusal.message)
                    default: SignInRefusal.unexpected
                    }
                return refusal.response(version: call.header("x-supabase-api-version"))
            }
        }
    }
}

extension Depot {
    fileprivate func giveToken(_ call: RoutedRequest) async throws -> Response {
        let fields = try Fields(try await call.json())
        switch call.request.queryItem("grant_type") {
        case "password":
            guard let email = try fields.text("email")?.lowercased(), let password = try fields.text("password") else {
                throw SignInRefusal.invalid("missing email or phone")
            }
            return session(try await signIns.signIn(email: email, password: password, at: clock()), call)
        case "refresh_token":
            guard let token = try fields.text("refresh_token") else {
                throw SignInRefusal.invalid("refresh_token required")
            }
            return session(try await signIns.refresh(token, at: clock()), call)
        default: throw SignInRefusal.invalid("unsupported_grant_type")
        }
    }

    fileprivate func sendCode(_ call: RoutedRequest) async throws -> Response {
        let fields = try Fields(try await call.json())
        guard let email = try fields.text("email")?.lowercased(), email.contains("@") else {
            throw SignInRefusal.invalid("Unable to validate email address: invalid format")
        }
        try await signIns.sendCode(to: email, createsUser: try fields.flag("create_user") ?? true, at: clock())
        return .json([:])
    }

    fileprivate func verifyCode(_ call: RoutedRequest) async throws -> Response {
        let fields = try Fields(try await call.json(), required: ["type"])
        let hash = try fields.text("token_hash")
        let (email, code) = (try fields.text("email")?.lowercased(), try fields.text("token"))
        guard hash != nil || email != nil && code != nil else {
            throw SignInRefusal.invalid("Verify requires either a token or a token hash")
        }
        return session(try await signIns.verify(email: email, code: code, hash: hash, at: clock()), call)
    }

    fileprivate func signOut(_ call: RoutedRequest) async throws -> Response {
        let session = try await signedIn(call).session
        let word = call.request.queryItem("scope") ?? "global"
        guard let scope = SignInService.Scope(rawValue: word) else {
            throw SignInRefusal.invalid("Unsupported logout scope \"\(word)\"")
        }
        try await signIns.signOut(session, scope)
        return Response(status: 204)
    }

    /// The user named by the request's token, whose session must not have ended.
    fileprivate func signedIn(_ call: RoutedRequest) async throws -> (account: Account, session: String) {
        guard let header = call.header("authorization"), header.lowercased().hasPrefix("bearer ") else {
            throw SignInRefusal.noToken
        }
        let claims: JSON
        do {
            claims = try token.claims(of: String(header.dropFirst("bearer ".count)), now: clock() / 1000)
        } catch {
            throw SignInRefusal.badToken(error.message)
        }
        guard let session = claims["session_id"]?.string else { throw SignInRefusal.noSession }
        return (try await signIns.account(of: session), session)
    }

    private func session(_ grant: SignInService.Grant, _ call: RoutedRequest) -> Response {
        let now = clock() / 1000
        let seconds = signIns.rules.accessLifetime.components.seconds
        let issuer = "http://\(call.header("host") ?? "localhost")/auth/v1"
        let claims = grant.account.claims(
            issuer: issuer, session: grant.session, method: grant.method, now: now, end: now + seconds)
        return .json([
            "access_token": .text(token.sign(claims)), "token_type": "bearer", "expires_in": .integer(seconds),
            "expires_at": .integer(now + seconds), "refresh_token": .text(grant.refreshToken),
            "user": grant.account.json,
        ])
    }
}
