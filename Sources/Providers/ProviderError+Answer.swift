package import Cleansing
import Formats
import FoundationEssentials
import Supabase
package import Transfer

extension ProviderError {
    /// Reads an answer that is not a success; `cleanser` removes the secrets that the request carried.
    package init(_ response: HTTPResponse, cleanser: Cleanser = Cleanser()) {
        let json = try? JSONDecoder().decode(JSONValue.self, from: Data(response.body))
        let text = cleanser.text(String(decoding: response.body.prefix(16_384), as: UTF8.self))
        self.init(body: json, code: response.headers["x-fal-error-type"], status: response.status, cleanser: cleanser)
        if json.flatMap(Self.words) == nil {
            let start = text.prefix(200)
            message = start.isEmpty ? "HTTP \(response.status)" : "HTTP \(response.status): \(start)"
        }
        body = text
        // A server that sends a moment instead of seconds asks for decades, in which links expire.
        let asked = RetryAfter.delay(in: response.headers).map { min($0, Self.longestDelay) }
        retryAfter = asked ?? json.flatMap(Self.googleDelay)
        // A gateway says 499 when its own call was broken off.
        mayHaveArrived = response.status >= 499
        switch response.headers["x-fal-retryable"]?.lowercased() {
        case "true": isRetryable = true
        case "false": isRetryable = false
        default: break
        }
    }

    /// Reads the error from a body of any known shape, be it an answer's or a failed job's.
    init(body: JSONValue?, code given: String? = nil, status: Int? = nil, cleanser: Cleanser = Cleanser()) {
        let code = (given ?? body.flatMap(Self.code)).map(cleanser.word)
        let words = body.flatMap(Self.words).map { cleanser.text($0, limit: 500) }
        let kind = Self.kind(status: status ?? code.flatMap { Self.falStatuses[$0] }, code: code, body: body)
        self.init(kind, words ?? code ?? Self.noReason)
        self.code = code
        self.status = status
        isRetryable = [.unavailable, .rateLimited].contains(kind)
        if let current = body?["current_credits"]?.whole, let required = body?["required_credits"]?.whole {
            credits = Credits(current: current, required: required)
        }
    }

    /// A request that got no answer at all.
    package init(_ error: TransferError) {
        self.init(
            error.kind == .cancelled ? .cancelled : .noAnswer, error.message,
            isRetryable: [.unreachable, .lost, .timedOut, .secure, .untrusted].contains(error.kind))
        mayHaveArrived = error.mayHaveArrived
    }

    /// A successful status whose body is not what the provider documents.
    init(unreadable response: HTTPResponse, _ reason: String, cleanser: Cleanser = Cleanser()) {
        let text = String(decoding: response.body.prefix(16_384), as: UTF8.self)
        self.init(.invalidResponse, "The provider's answer makes no sense: \(reason)", isRetryable: true)
        status = response.status
        body = cleanser.text(text)
        mayHaveArrived = true
    }
}

extension ProviderError {
    /// The sentence for an error without a reason.
    static let noReason = "The provider gives no reason."

    /// The sentence in a body, in the order of the contract's section 6, rule 6.
    private static func words(in body: JSONValue) -> String? {
        let detail = body["detail"]
        let error = body["error"]
        return detail?.string ?? detail?.elements.first?["msg"]?.text ?? error?["message"]?.text ?? error?.string
            ?? body["message"]?.text ?? body["failure"]?.text ?? body["failure_reason"]?.text
            ?? body["error_message"]?.text
    }

    /// The provider's own error code in a body; the most specific one first.
    private static func code(in body: JSONValue) -> String? {
        let google = body["error"]?["details"]?.elements.lazy.compactMap { $0["reason"]?.string }.first
        return google ?? body["error_type"]?.text ?? body["detail"]?.elements.first?["type"]?.text
            ?? body["error"]?["status"]?.text ?? body["error"]?["code"]?.text ?? body["failureCode"]?.text
    }

    private static func kind(status: Int?, code: String?, body: JSONValue?) -> Kind {
        let word = code?.lowercased() ?? ""
        if ["content_policy", "safety", "moderat", "content_filter", "prohibited"].contains(where: word.contains) {
            return .contentFiltered
        }
        if word == "api_key_invalid" { return .unauthorized }
        if word == "client_cancelled" { return .cancelled }
        switch status {
        // The key is right, but the account must be paid first.
        case 403 where isOfBalance(body.flatMap(words) ?? ""): return .insufficientCredits
        case 401, 403: return .unauthorized
        case 402: return .insufficientCredits
        case 404: return .missing
        case 410: return .expired
        case 429: return .rateLimited
        case 408, 409, 425, 499: return .unavailable
        case let status? where status >= 500: return .unavailable
        default: return .refused
        }
    }

    /// Whether the words are about what is left to spend, such as fal's "Reason: Exhausted balance".
    private static func isOfBalance(_ words: String) -> Bool {
        let words = words.lowercased()
        return ["exhausted balance", "insufficient balance", "insufficient credit"].contains(where: words.contains)
    }

    /// Google's `RetryInfo`, such as `12s`.
    private static func googleDelay(in body: JSONValue) -> Duration? {
        let delays = body["error"]?["details"]?.elements.lazy.compactMap { $0["retryDelay"]?.string }
        guard let text = delays?.first, text.hasSuffix("s"), let seconds = Double(digits: text.dropLast()),
            (0...86_400).contains(seconds)
        else { return nil }
        return .seconds(seconds)
    }

    /// The longest wait that a provider is granted; after it the provider is asked again.
    private static let longestDelay = Duration.seconds(86_400)

    /// The HTTP status for each of fal's error types that come without one (contract, section 2.4).
    private static let falStatuses: [String: Int] = [
        "request_timeout": 504, "startup_timeout": 504, "runner_scheduling_failure": 503,
        "runner_connection_timeout": 503, "runner_disconnected": 503, "runner_connection_refused": 503,
        "runner_connection_error": 503, "runner_incomplete_response": 502, "runner_server_error": 500,
        "client_disconnected": 499, "client_cancelled": 499, "bad_request": 400, "internal_error": 500,
    ]
}
