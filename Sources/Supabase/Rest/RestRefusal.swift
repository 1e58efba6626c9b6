package import Cleansing
import FoundationEssentials
package import Transfer

/// What PostgREST, or a gateway before it, said when it refused a request (contract section 7).
package struct RestRefusal: ServiceRefusal {
    /// The status of the HTTP answer, which PostgREST derives from the database's code.
    package let httpStatus: Int
    /// PostgreSQL's code of five characters, or PostgREST's own such as `PGRST205`.
    package let code: String?
    /// The server's sentence; the HTTP status where the body has none.
    let message: String
    /// What the error is about, such as the row that is in the way; `nil` where not told.
    package let details: String?
    /// What the server suggests to do; `nil` where it suggests nothing.
    let hint: String?
    /// How long the server asks to wait; `nil` where it does not say.
    package let retryAfter: Duration?

    /// Reads the four fields, each cleansed and at most 500 characters; any may be missing.
    package init(_ response: HTTPResponse, cleanser: Cleanser = Cleanser()) {
        let fields = try? JSONDecoder().decode(Fields.self, from: Data(response.body))
        httpStatus = response.status
        let shown: (String?) -> String? = { $0.map { cleanser.text($0, limit: 500) } }
        code = fields?.code.map(cleanser.word)
        message = shown(fields?.message) ?? "HTTP \(response.status)"
        details = shown(fields?.details)
        hint = shown(fields?.hint)
        retryAfter = RetryAfter.delay(in: response.headers)
    }

    private struct Fields: Decodable {
        let code: String?
        let message: String?
        let details: String?
        let hint: String?

        private enum CodingKeys: CodingKey {
            case code, message, details, hint
        }

        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: CodingKeys.self)
            let text: (CodingKeys) -> String? = { try? keys.decodeIfPresent(String.self, forKey: $0) }
            (code, message, details, hint) = (text(.code), text(.message), text(.details), text(.hint))
        }
    }
}

extension RestRefusal {
    /// Decides by the code, then by the code's class (PostgreSQL appendix A), then by the HTTP status.
    package var answerClass: AnswerClass {
        guard let code else { return byStatus }
        if let known = Self.byCode[code] { return known }
        return switch code.prefix(2) {
        // Class 08 is connections, 53 resources, 57 an operator's intervention, 58 system errors.
        case "08", "57", "58": .retry(load: false)
        case "53": .retry(load: true)
        case "40": .retry(load: false)
        case "23": .permanent
        default: byStatus
        }
    }

    private var byStatus: AnswerClass {
        if let known = AnswerClass(status: httpStatus) { return known }
        switch httpStatus {
        case 403: return .denied(by: code == nil ? .proxy : .storage)
        case 413: return .tooLarge(by: code == nil ? .proxy : .storage)
        default: return .permanent
        }
    }

    /// Without a signed-in user 42501 arrives as 401: a missing right, which no new token changes.
    private static let byCode: [String: AnswerClass] = [
        "42501": .denied(by: .storage), "23505": .duplicate, "PGRST000": .retry(load: false),
        "PGRST001": .retry(load: false), "PGRST002": .retry(load: false), "PGRST003": .retry(load: true),
        "PGRST301": .signIn, "PGRST302": .signIn, "PGRST303": .signIn,
    ]
}

extension RestRefusal: CustomStringConvertible {
    /// The message with its code, and the server's hint where there is one.
    package var description: String {
        let said = "\(message) (\(code ?? "HTTP \(httpStatus)"))"
        return hint.map { "\(said). Hint: \($0)" } ?? said
    }
}

/// Why a call to the database failed.
package typealias RestError = CallError<RestRefusal>
