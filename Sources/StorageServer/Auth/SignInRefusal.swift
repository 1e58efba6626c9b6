import ObjectStore
import Serving

/// A refusal of the sign-in endpoints (contract, section 6.2).
struct SignInRefusal: Error, Hashable {
    let status: Int
    let code: String
    let message: String

    init(_ status: Int, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    /// - Parameter version: The request's `X-Supabase-Api-Version`; without one the older form is used.
    func response(version: String?) -> Response {
        let body: JSON =
            (version ?? "") >= "2024-01-01"
            ? ["code": .text(code), "message": .text(message)]
            : ["code": .integer(Int64(status)), "error_code": .text(code), "msg": .text(message)]
        return .json(status: status, headers: ["x-sb-error-code": code], body)
    }
}

extension SignInRefusal {
    static let wrongPassword = SignInRefusal(400, "invalid_credentials", "Invalid login credentials")
    static let unknownToken = SignInRefusal(
        400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
    static let usedToken = SignInRefusal(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
    static let endedSession = SignInRefusal(400, "session_expired", "Invalid Refresh Token: Session Expired")
    static let wrongCode = SignInRefusal(403, "otp_expired", "Token has expired or is invalid")
    static let noSignUp = SignInRefusal(422, "otp_disabled", "Signups not allowed for otp")
    static let noSession = SignInRefusal(
        403, "session_not_found", "Session from session_id claim in JWT does not exist")
    static let noToken = SignInRefusal(401, "no_authorization", "This endpoint requires a valid Bearer token")
    static let unexpected = SignInRefusal(500, "unexpected_failure", "Internal Server Error")

    static func tooSoon(_ milliseconds: Int64) -> SignInRefusal {
        SignInRefusal(
            429, "over_email_send_rate_limit",
            "For security purposes, you can only request this after \((milliseconds + 999) / 1000) seconds.")
    }
    static func badToken(_ reason: String) -> SignInRefusal {
        SignInRefusal(403, "bad_jwt", "invalid JWT: unable to parse or verify signature, \(reason)")
    }
    static func invalid(_ message: String) -> SignInRefusal { SignInRefusal(400, "validation_failed", message) }
}
