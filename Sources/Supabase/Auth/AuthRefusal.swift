package import Cleansing
import FoundationEssentials
package import Transfer

/// What Auth, or a gateway before it, said when it refused a request.
///
/// Three shapes are in use (contract 6.2): `error_code` and `msg` beside a numeric `code`, a word as
/// `code` beside `message`, and OAuth's `error` beside `error_description`.
package struct AuthRefusal: ServiceRefusal {
    /// The status of the HTTP answer; unlike Storage, Auth sends the real one.
    let httpStatus: Int
    /// The body's or the header's code; `nil` where the answer carries none.
    package let code: AuthCode?
    /// The server's own message, cleansed, at most 500 characters.
    let message: String
    /// How long the server asks to wait; `nil` where it does not say.
    package let retryAfter: Duration?

    /// Reads any of the three shapes; an unreadable body leaves the HTTP status as the message.
    package init(_ response: HTTPResponse, cleanser: Cleanser = Cleanser()) {
        let fields = try? JSONDecoder().decode(Fields.self, from: Data(response.body))
        httpStatus = response.status
        let word = fields?.errorCode ?? fields?.code ?? response.headers["x-sb-error-code"] ?? fields?.error
        code = word.map { AuthCode(rawValue: cleanser.word($0)) }
        message = fields?.text.map { cleanser.text($0, limit: 500) } ?? "HTTP \(response.status)"
        retryAfter = RetryAfter.delay(in: response.headers)
    }

    /// Every field may be absent, and `code` may be a number.
    private struct Fields: Decodable {
        let code: String?
        let errorCode: String?
        let error: String?
        let text: String?

        private enum CodingKeys: String, CodingKey {
            case code, errorCode = "error_code", error, msg, message, description = "error_description"
        }

        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: CodingKeys.self)
            let text: (CodingKeys) -> String? = { try? keys.decodeIfPresent(String.self, forKey: $0) }
            code = text(.code)
            errorCode = text(.errorCode)
            error = text(.error)
            self.text = text(.msg) ?? text(.message) ?? text(.description) ?? text(.error)
        }
    }
}

extension AuthRefusal {
    /// Whether the session is over for good, so that the user has to sign in again.
    package var endsSession: Bool {
        if let code, Self.ending.contains(code) { return true }
        // Old servers use OAuth's error instead.
        return httpStatus == 400 && code?.rawValue == "invalid_grant"
    }

    /// A refused session or token means `signIn`; 409 is retried, since another process is renewing it.
    package var answerClass: AnswerClass {
        if endsSession || code == .badJWT { return .signIn }
        switch httpStatus {
        // Another process renews the same session right now.
        case 409: return .retry(load: false)
        case 403: return .denied(by: .storage)
        default: return AnswerClass(status: httpStatus) ?? .permanent
        }
    }

    private static let ending: Set<AuthCode> = [
        .refreshTokenNotFound, .refreshTokenAlreadyUsed, .sessionNotFound, .sessionExpired, .userBanned, .userNotFound,
    ]
}

extension AuthRefusal: CustomStringConvertible {
    /// One sentence for people, with what they can do where that is known.
    package var description: String {
        switch code {
        case .invalidCredentials?: "The e-mail or the password is wrong."
        case .emailNotConfirmed?: "The e-mail address is not confirmed yet: follow the link that was sent to it."
        case .otpExpired?: "The code or link is wrong or too old: ask for a new one."
        case .otpDisabled?, .signupDisabled?: "There is no user with this e-mail, and the project lets no one sign up."
        case .userBanned?: "This user is banned from the project."
        case .emailRateLimit?: "Too many e-mails were asked for: wait a while, then try again."
        case .requestRateLimit?: "Too many attempts: wait a few minutes, then try again."
        case .refreshTokenAlreadyUsed?:
            "The sign-in was used by another program at the same time, so the server ended it."
        case .refreshTokenNotFound?, .sessionNotFound?, .sessionExpired?, .userNotFound?: "The sign-in has ended."
        default: "Signing in failed: \(message) (\(code?.rawValue ?? "HTTP \(httpStatus)"))"
        }
    }
}

/// Why a call to Auth failed.
package typealias AuthError = CallError<AuthRefusal>
