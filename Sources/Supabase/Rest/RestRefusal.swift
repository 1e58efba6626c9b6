package import Cleansing
import FoundationEssentials
package import Transfer

/// What PostgREST, or a gateway before it, said when it did not do as asked (contract section 7).
package struct RestRefusal: ServiceRefusal {
    package let httpStatus: Int
    /// PostgreSQL's five characters, or PostgREST's own such as `PGRST205`.
    package let code: String?
    package let message: String
    package let details: String?
    package let hint: String?
    package let retryAfter: Duration?

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
    package var answerClass: AnswerClass {
        guard let code else { return byStatus }
        if let known = Self.byCode[code] { return known }
        return switch code.prefix(2) {
        // Connections, resources, an operator, the system (PostgreSQL appendix A).
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

    /// Nobody signed in is refused with 401 for want of a right, which no refresh mends.
    private static let byCode: [String: AnswerClass] = [
        "42501": .denied(by: .storage), "23505": .duplicate, "PGRST000": .retry(load: false),
        "PGRST001": .retry(load: false), "PGRST002": .retry(load: false), "PGRST003": .retry(load: true),
        "PGRST301": .signIn, "PGRST302": .signIn, "PGRST303": .signIn,
    ]
}

extension RestRefusal: CustomStringConvertible {
    package var description: String {
        let said = "\(message) (\(code ?? "HTTP \(httpStatus)"))"
        return hint.map { "\(said). Hint: \($0)" } ?? said
    }
}

/// Why a call to the database did not do what it says.
package typealias RestError = CallError<RestRefusal>
