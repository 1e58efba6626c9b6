package import Cleansing
import Formats
package import FoundationEssentials
package import Transfer

/// What a Storage service, or a gateway before it, said when it refused a request.
///
/// Storage answers nearly every error with HTTP 400 and puts the real status into the body, as a
/// string or a number; gateways answer HTML, or JSON of their own (contract section 2).
package struct StorageRefusal: ServiceRefusal {
    /// The status of the answer itself, which for most refusals of Storage is 400.
    package let httpStatus: Int
    /// The status in the body, or else the HTTP status.
    package let statusCode: Int
    /// Missing from old servers, gateways and resumable uploads.
    package let code: StorageCode?
    /// The body's older label for the error, such as `Duplicate`.
    package let label: String
    /// The sentence for people; the body's text where it is not JSON.
    package let message: String
    /// How long the server asks to wait; `nil` where it does not say.
    package let retryAfter: Duration?
    /// The server's clock; `nil` where the answer has no `Date`.
    package let serverTime: Date?
    /// The kind of key or token that the request was signed with.
    package let sentKey: KeyKind
    /// Where that key stands; `nil` for a user's token, or where it is not known.
    package let keyOrigin: String?
    /// The body as text, at most 2,000 characters.
    package let body: String

    /// Reads an answer that is no success; its words are cleansed here.
    package init(_ response: HTTPResponse, cleanser: Cleanser = Cleanser()) {
        self.init(response, sentKey: .unknown, keyOrigin: nil, cleanser: cleanser)
    }

    /// Reads an answer whose status is not a success, to a request that was signed in with `sentKey`.
    ///
    /// - Parameter cleanser: Knows what the request was signed in with, which the answer may repeat.
    package init(
        _ response: HTTPResponse, sentKey: KeyKind, keyOrigin: String? = nil, cleanser: Cleanser = Cleanser()
    ) {
        self.sentKey = sentKey
        self.keyOrigin = keyOrigin
        serverTime = response.headers["date"].flatMap(Date.init(httpDate:))
        let fields = try? JSONDecoder().decode(Fields.self, from: Data(response.body))
        let text = String(decoding: response.body, as: UTF8.self)
        body = cleanser.text(text)
        httpStatus = response.status
        statusCode = fields?.statusCode ?? response.status
        code = fields?.code.map { StorageCode(rawValue: cleanser.word($0)) }
        label = fields?.error.map { cleanser.text($0, limit: 100) } ?? ""
        let said = (fields?.message ?? fields?.error ?? Self.plain(text)).map { cleanser.text($0, limit: 500) }
        message = said ?? "HTTP \(response.status)"
        retryAfter = RetryAfter.delay(in: response.headers)
    }

    /// A refusal for one object of several, for which the service sends only a sentence.
    static func missing(_ message: String) -> StorageRefusal {
        StorageRefusal(message: message, code: .noSuchKey, statusCode: 404, label: "not_found")
    }

    /// Stands for `ResumableError.duplicate`: what the other routes answer where the key is taken.
    package static let taken = StorageRefusal(
        message: "The resource already exists", code: .keyAlreadyExists, statusCode: 409, label: "Duplicate")

    private init(message: String, code: StorageCode, statusCode: Int, label: String) {
        self.message = message
        self.code = code
        self.statusCode = statusCode
        self.label = label
        httpStatus = 200
        retryAfter = nil
        serverTime = nil
        sentKey = .unknown
        keyOrigin = nil
        body = ""
    }

    /// The first line of a plain text body; `nil` for a gateway's page and for JSON.
    private static func plain(_ body: String) -> String? {
        let lines = body.prefix(2_000).split(whereSeparator: \.isNewline)
        guard let line = lines.first, !line.hasPrefix("<"), !line.hasPrefix("{") else { return nil }
        return String(line.prefix(300))
    }

    /// The four keys; `statusCode` may be a string or a number, and any of them may be absent.
    private struct Fields: Decodable {
        let statusCode: Int?
        let code: String?
        let error: String?
        let message: String?

        private enum CodingKeys: CodingKey {
            case statusCode, code, error, message
        }

        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: CodingKeys.self)
            let text: (CodingKeys) -> String? = { try? keys.decodeIfPresent(String.self, forKey: $0) }
            let number = try? keys.decodeIfPresent(Int.self, forKey: .statusCode)
            statusCode = number ?? text(.statusCode).flatMap { Int(digits: $0) }
            code = text(.code)
            error = text(.error)
            message = text(.message)
        }
    }
}

extension StorageRefusal {
    /// One sentence for people: what was refused, and what to do next.
    package var description: String {
        let name = code?.rawValue ?? "HTTP \(httpStatus)"
        let said = message == name ? name : "\(message) (\(name))"
        guard let advice else { return said }
        // A status alone says nothing that the advice does not.
        return message == "HTTP \(httpStatus)" ? advice : "\(advice) The server says: \(said)"
    }

    /// What the user can do; `nil` where the server's own message says it.
    package var advice: String? {
        switch answerClass {
        case .wrongKind(let kind):
            "This server has no gateway that knows a \(kind): use the project's service_role or anon token (it begins "
                + "with eyJ)."
        case .destinationClosed(.quota):
            "The organisation is over its plan's quota: reading, sending and deleting are all refused until that is "
                + "settled in the dashboard."
        case .destinationClosed(.diskFull): "The disk of the destination is full: make room there."
        case .destinationClosed(.projectPaused): "The project is paused: wake it in the dashboard."
        case .tooLarge(.proxy): "A proxy before the storage takes no request this large: raise its limit."
        case .denied(.proxy): "A proxy before the storage refused the request."
        default: nil
        }
    }
}
