import Testing
import Transfer

@testable import Supabase

@Suite struct RetryAfterTests {
    private static let noon = "Fri, 20 Nov 2026 12:00:00 GMT"

    @Test(
        arguments: [
            (nil, nil, nil), ("0", nil, .seconds(0)), ("7", nil, .seconds(7)), ("-1", nil, nil), ("+7", nil, nil),
            ("soon", nil, nil),
            ("1.5", nil, nil), ("Fri, 20 Nov 2026 12:01:30 GMT", noon, .seconds(90)),
            ("Fri, 20 Nov 2026 11:00:00 GMT", noon, .seconds(0)),
            ("Sat, 02 Jan 2027 12:00:00 GMT", noon, .seconds(43 * 86400)),
            ("Fri, 20 Nov 2026 12:01:30 GMT", nil, nil), ("Fri, 20 Nov 2026 12:01:30 GMT", "yesterday", nil),
            ("Fri, 20 Foo 2026 12:01:30 GMT", noon, nil), ("Fri, 99 Nov 2026 12:01:30 GMT", noon, nil),
        ] as [(String?, String?, Duration?)])
    func aDelayIsSecondsOrADate(text: String?, date: String?, delay: Duration?) {
        var headers = HTTPHeaders()
        headers["Retry-After"] = text
        headers["Date"] = date
        #expect(RetryAfter.delay(in: headers) == delay)
    }
}
