import Cleansing
import FoundationEssentials
import Glibc
import Platform
import Providers
import Testing
import Transfer

@Suite struct ProviderErrorTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let status: Int
        let body: String
        let kind: ProviderError.Kind
        let message: String
        let code: String?
        let isRetryable: Bool

        init(
            _ description: String, _ status: Int, _ body: String, _ kind: ProviderError.Kind, _ message: String,
            code: String? = nil, retryable: Bool = false
        ) {
            (testDescription, self.status, self.body, self.kind) = (description, status, body, kind)
            (self.message, self.code, isRetryable) = (message, code, retryable)
        }
    }

    static let fal = [
        Row(
            "a model refuses", 422,
            #"{"detail":[{"loc":["body","prompt"],"msg":"No.","type":"content_policy_violation","ctx":{}}]}"#,
            .contentFiltered, "No.", code: "content_policy_violation"),
        Row("detail as a sentence", 401, #"{"detail":"Invalid key"}"#, .unauthorized, "Invalid key"),
        Row(
            "the platform's trouble", 504, #"{"detail":"Request timed out","error_type":"request_timeout"}"#,
            .unavailable, "Request timed out", code: "request_timeout", retryable: true),
        Row(
            "an empty account", 403, #"{"detail":"User is locked. Reason: Exhausted balance."}"#, .insufficientCredits,
            "User is locked. Reason: Exhausted balance."),
        Row("an empty detail", 422, #"{"detail":[]}"#, .refused, #"HTTP 422: {"detail":[]}"#),
    ]

    static let others = [
        Row("error as a sentence", 401, #"{"error":"Invalid API key"}"#, .unauthorized, "Invalid API key"),
        Row(
            "too few credits", 402, #"{"error":"Insufficient credits","current_credits":2,"required_credits":"4"}"#,
            .insufficientCredits, "Insufficient credits"),
        Row(
            "an unknown task", 404, #"{"error":"task not found: sql: no rows in result set"}"#, .missing,
            "task not found: sql: no rows in result set"),
        Row(
            "Google's quota", 429,
            #"{"error":{"code":429,"message":"Slow down","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"12s"}]}}"#,
            .rateLimited, "Slow down", code: "RESOURCE_EXHAUSTED", retryable: true),
        Row(
            "Google's bad key is a 400", 400,
            #"{"error":{"code":400,"message":"Bad key","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}"#,
            .unauthorized, "Bad key", code: "API_KEY_INVALID"),
        Row(
            "OpenAI's shape", 400, #"{"error":{"code":"moderation_blocked","message":"No."}}"#, .contentFiltered, "No.",
            code: "moderation_blocked"),
        Row(
            "Runway's shape", 400, #"{"failure":"No.","failureCode":"SAFETY.INPUT.TEXT"}"#, .contentFiltered, "No.",
            code: "SAFETY.INPUT.TEXT"),
        Row("a message", 403, #"{"message":"Forbidden"}"#, .unauthorized, "Forbidden"),
        Row("gone", 410, #"{"message":"Expired"}"#, .expired, "Expired"),
        Row(
            "a gateway's page", 502, "<html>\n<b>Bad Gateway</b></html>", .unavailable,
            "HTTP 502: <html> <b>Bad Gateway</b></html>", retryable: true),
        Row("nothing", 503, "", .unavailable, "HTTP 503", retryable: true),
        Row(
            "null everywhere", 500, #"{"detail":null,"error":null,"message":null}"#, .unavailable,
            #"HTTP 500: {"detail":null,"error":null,"message":null}"#, retryable: true),
    ]

    @Test(arguments: fal + others)
    func everyShapeBecomesOneError(row: Row) {
        let error = ProviderError(HTTPResponse(status: row.status, body: Array(row.body.utf8)))
        #expect(error.kind == row.kind)
        #expect(error.message == row.message)
        #expect(error.code == row.code)
        #expect(error.status == row.status)
        #expect(error.isRetryable == row.isRetryable)
        #expect(error.body == row.body.replacing("\n", with: " "))
    }

    @Test func creditsAreReadAlsoAsText() {
        let error = ProviderError(HTTPResponse(status: 402, body: Array(Self.others[1].body.utf8)))
        #expect(error.credits == ProviderError.Credits(current: 2, required: 4))
    }

    private static func details(_ delays: String...) -> String {
        let list = delays.map { #"{"retryDelay":\#($0)}"# }.joined(separator: ",")
        return #"{"error":{"code":429,"message":"Slow down","details":[{"reason":"x"},\#(list)]}}"#
    }

    @Test(
        arguments: [
            ("a header", ["Retry-After": "7"], "", .seconds(7)), ("at once", ["Retry-After": "0"], "", .zero),
            ("a header before now", ["Retry-After": "-1"], "", nil), ("words", ["Retry-After": "soon"], "", nil),
            (
                "a date by the server's clock",
                ["Retry-After": "Fri, 20 Nov 2026 12:00:09 GMT", "Date": "Fri, 20 Nov 2026 12:00:00 GMT"], "",
                .seconds(9)
            ),
            (
                "one that is over",
                ["Retry-After": "Fri, 20 Nov 2026 11:00:00 GMT", "Date": "Fri, 20 Nov 2026 12:00:00 GMT"], "", .zero
            ),
            ("a header of a day", ["Retry-After": "86400"], "", .seconds(86_400)),
            ("a header of a second more", ["Retry-After": "86401"], "", .seconds(86_400)),
            ("a moment in place of a time", ["Retry-After": "1795168800"], "", .seconds(86_400)),
            ("beyond all times", ["Retry-After": "9223372036854775807"], "", .seconds(86_400)),
            ("beyond all numbers", ["Retry-After": "9223372036854775808"], "", nil),
            (
                "a date in years to come",
                ["Retry-After": "Fri, 20 Nov 2099 12:00:09 GMT", "Date": "Fri, 20 Nov 2026 12:00:00 GMT"], "",
                .seconds(86_400)
            ),
            ("a date without that clock", ["Retry-After": "Fri, 20 Nov 2026 12:00:09 GMT"], "", nil),
            ("Google's words", [:], details(#""12s""#), .seconds(12)),
            ("parts of a second", [:], details(#""0.5s""#), .milliseconds(500)),
            ("the first of them", [:], details(#""3s""#, #""4s""#), .seconds(3)),
            ("a header goes before them", ["Retry-After": "7"], details(#""12s""#), .seconds(7)),
            ("a day", [:], details(#""86400s""#), .seconds(86_400)),
            ("more than a day", [:], details(#""86401s""#), nil),
            ("before now", [:], details(#""-1s""#), nil), ("a sign", [:], details(#""+5s""#), nil),
            ("no unit", [:], details(#""12""#), nil),
            ("a number", [:], details("12"), nil), ("no number", [:], details(#""nans""#), nil),
            ("nothing of it", [:], "{}", nil),
        ] as [(String, HTTPHeaders, String, Duration?)])
    func theProviderSaysWhenToComeBack(_ row: (why: String, headers: HTTPHeaders, body: String, delay: Duration?)) {
        let error = ProviderError(HTTPResponse(status: 429, headers: row.headers, body: Array(row.body.utf8)))
        #expect(error.retryAfter == row.delay, "\(row.why)")
    }

    @Test(arguments: [(500, "false", false), (422, "true", true), (500, "maybe", true)])
    func falsOwnWordOnRetryingWins(status: Int, word: String, isRetryable: Bool) {
        let error = ProviderError(HTTPResponse(status: status, headers: ["X-Fal-Retryable": word]))
        #expect(error.isRetryable == isRetryable)
    }

    @Test func theBodyIsKeptWithoutSecretsAndCut() throws {
        let link = "https://a.io/v.mp4?X-Amz-Signature=abcdef"
        let body = #"{"error":"\#(link) key-123456"}"# + String(repeating: "x", count: 5_000)
        let error = ProviderError(
            HTTPResponse(status: 400, body: Array(body.utf8)), cleanser: Cleanser(hiding: ["key-123456"]))
        let kept = try #require(error.body)
        #expect(kept.hasPrefix(#"{"error":"https://a.io/v.mp4?… …""#))
        #expect(kept.count == 2_000)
        #expect(!error.message.contains("abcdef") && !error.message.contains("123456"))
    }

    @Test func aStoredErrorComesBack() throws {
        let error = ProviderError(HTTPResponse(status: 402, body: Array(Self.others[1].body.utf8)))
        let stored = try JSONEncoder().encode(error)
        #expect(try JSONDecoder().decode(ProviderError.self, from: stored) == error)
    }

    @Test(arguments: [
        (TransferError.Kind.unreachable, ProviderError.Kind.noAnswer, true, ProviderError.Bearing.unheard),
        (.lost, .noAnswer, true, .unheard), (.timedOut, .noAnswer, true, .unheard),
        (.secure, .noAnswer, true, .unheard), (.untrusted, .noAnswer, true, .unheard),
        (.tooLarge, .noAnswer, false, .passing), (.unsendable, .noAnswer, false, .passing),
        (.local(SystemError(call: "open", code: EMFILE)), .noAnswer, false, .passing),
        (.forbiddenPeer("10.0.0.1"), .noAnswer, false, .passing), (.cancelled, .cancelled, false, .unheard),
    ])
    func aLostAnswerEndsNoJob(
        _ lost: TransferError.Kind, kind: ProviderError.Kind, isRetryable: Bool, bearing: ProviderError.Bearing
    ) {
        let error = ProviderError(TransferError(lost, "gone", mayHaveArrived: true))
        #expect(error.kind == kind)
        #expect(error.isRetryable == isRetryable)
        #expect(error.bearing == bearing)
        #expect(error.mayHaveArrived)
    }
}
