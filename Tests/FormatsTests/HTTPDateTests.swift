import Formats
import Testing

/// Dates of HTTP headers.
@Suite struct HTTPDateTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (1_795_199_805, "Fri, 20 Nov 2026 18:36:45 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (1_704_067_199, "Sun, 31 Dec 2023 23:59:59 GMT"),
    ])
    func isWrittenAndRead(_ row: (seconds: Int, text: String)) {
        #expect(HTTPDate.text(seconds: row.seconds) == row.text)
        #expect(HTTPDate.seconds(row.text) == row.seconds)
    }

    @Test(arguments: [
        "", "yesterday", "Fri, 20 Nvo 2026 18:36:45 GMT", "2026-11-20", "Fri, 31 Apr 2026 18:36:45 GMT",
        "Fri, 20 Nov 2026 24:00:00 GMT", "Fri, 20 Nov 2026 18:60:00 GMT", "Fri, 20 Nov 2026 18:36:61 GMT",
        "Fri, 20 Nov 2026 18:36:45 CET", "Friday, 20-Nov-26 18:36:45 GMT", "Fri Nov 20 18:36:45 2026",
        "Fri, 20 Nov 99999999999999999 18:36:45 GMT", "Fri, 20 Nov -026 18:36:45 GMT", "Fri, +2 Nov 2026 18:36:45 GMT",
    ])
    func whatIsNoneIsNotRead(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }
}
