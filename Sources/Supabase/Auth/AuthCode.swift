/// The word of an Auth error (contract 6.2); servers may send ones not listed here.
package struct AuthCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let invalidCredentials = AuthCode(rawValue: "invalid_credentials")
    package static let emailNotConfirmed = AuthCode(rawValue: "email_not_confirmed")
    package static let refreshTokenNotFound = AuthCode(rawValue: "refresh_token_not_found")
    package static let refreshTokenAlreadyUsed = AuthCode(rawValue: "refresh_token_already_used")
    package static let sessionNotFound = AuthCode(rawValue: "session_not_found")
    package static let sessionExpired = AuthCode(rawValue: "session_expired")
    package static let userBanned = AuthCode(rawValue: "user_banned")
    package static let userNotFound = AuthCode(rawValue: "user_not_found")
    package static let badJWT = AuthCode(rawValue: "bad_jwt")
    package static let otpExpired = AuthCode(rawValue: "otp_expired")
    package static let otpDisabled = AuthCode(rawValue: "otp_disabled")
    package static let signupDisabled = AuthCode(rawValue: "signup_disabled")
    package static let requestRateLimit = AuthCode(rawValue: "over_request_rate_limit")
    package static let emailRateLimit = AuthCode(rawValue: "over_email_send_rate_limit")
    package static let validationFailed = AuthCode(rawValue: "validation_failed")
}
