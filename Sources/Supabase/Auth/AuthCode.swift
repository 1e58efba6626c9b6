/// The `error_code` of an Auth error (contract 6.2); servers may send ones not listed here.
package struct AuthCode: RawRepresentable, Hashable, Sendable {
    /// The code as the server spells it.
    package let rawValue: String

    /// Accepts any text, since servers may send codes that this client does not know.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The e-mail address or the password is wrong.
    package static let invalidCredentials = AuthCode(rawValue: "invalid_credentials")
    /// The user has not followed the confirmation link yet.
    static let emailNotConfirmed = AuthCode(rawValue: "email_not_confirmed")
    /// The refresh token is not known; the session is over.
    static let refreshTokenNotFound = AuthCode(rawValue: "refresh_token_not_found")
    /// The refresh token was spent by another renewal; the session is over.
    static let refreshTokenAlreadyUsed = AuthCode(rawValue: "refresh_token_already_used")
    /// The token's session no longer exists.
    static let sessionNotFound = AuthCode(rawValue: "session_not_found")
    /// The session reached the project's time limit.
    package static let sessionExpired = AuthCode(rawValue: "session_expired")
    /// The project has banned the user.
    static let userBanned = AuthCode(rawValue: "user_banned")
    /// The project has no such user.
    static let userNotFound = AuthCode(rawValue: "user_not_found")
    /// The access token is malformed, expired or wrongly signed.
    static let badJWT = AuthCode(rawValue: "bad_jwt")
    /// 403: the code or link of an e-mail is wrong or too old.
    package static let otpExpired = AuthCode(rawValue: "otp_expired")
    /// The project sends no sign-in e-mail to this address, since it has no such user.
    static let otpDisabled = AuthCode(rawValue: "otp_disabled")
    /// There is no user with this address, and the project accepts no new ones.
    static let signupDisabled = AuthCode(rawValue: "signup_disabled")
    /// 429: too many requests.
    static let requestRateLimit = AuthCode(rawValue: "over_request_rate_limit")
    /// 429: too many e-mails to this address.
    static let emailRateLimit = AuthCode(rawValue: "over_email_send_rate_limit")
}
