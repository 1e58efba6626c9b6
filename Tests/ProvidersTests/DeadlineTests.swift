import FoundationEssentials
import Providers
import Testing

@Suite struct DeadlineTests {
    static let presigned =
        "http://minio:9000/b/v.mp4?X-Amz-Date=20261120T100000Z&X-Amz-Expires=259200&X-Amz-Signature=00"

    private func token(_ claims: String) -> String {
        let part = Data(claims.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return "https://d1.cloudfront.net/x.mp4?_jwt=eyJhbGciOiJIUzI1NiJ9.\(part).c2ln"
    }

    @Test func aPresignedLinkNamesItsEnd() throws {
        let deadline = try #require(Deadline(link: Self.presigned))
        #expect(deadline == Deadline(try moment("2026-11-23T10:00:00Z")))
        #expect(!deadline.isAssumed)
        let google = "https://a.io/v?X-Goog-Date=20261120T100000Z&X-Goog-Expires=60"
        #expect(Deadline(link: google)?.date == (try moment("2026-11-20T10:01:00Z")))
    }

    /// The ways in which the stores of providers write the end of a link that they sign, all of them 2026-11-20T10:01:00Z.
    @Test(arguments: [
        "X-Amz-Date=20261120T100000Z&X-Amz-Expires=60",
        "X-Tos-Date=20261120T100000Z&X-Tos-Expires=60&X-Tos-Signature=a",
        "x-oss-date=20261120T100000Z&x-oss-expires=60&x-oss-signature=a",
        "Expires=1795168860&Signature=a&Key-Pair-Id=K",
        "Expires=1795168860&OSSAccessKeyId=a&Signature=b", "GoogleAccessId=a&Expires=1795168860&Signature=b",
        "token=x&expires=1795168860", "q-sign-algorithm=sha1&q-sign-time=1795165200%3B1795168860&q-signature=a",
        "sv=2024-01-01&se=2026-11-20T10%3A01%3A00Z&sr=b&sig=a",
        "X-Tos-Date=20261120T100000Z&X-Tos-Expires=60&expires=9999999999",
    ])
    func everyStoresLinkNamesItsEnd(query: String) throws {
        #expect(Deadline(link: "https://a.io/v.mp4?" + query) == Deadline(try moment("2026-11-20T10:01:00Z")))
    }

    /// Words that look like an end and are none: a length of time, a moment of no calendar, another server's `se`.
    @Test(arguments: [
        "Expires=3600", "Expires=999999999", "Expires=0", "Expires=-1", "Expires=soon", "Expires=", "expires=1e10",
        "Expires=1795168860.5", "Expires=99999999999999999999", "Expires=100000000000", "se=2026-11-20T10:01:00Z",
        "se=never&sig=a", "q-sign-time=1795165200", "q-sign-time=", "q-sign-time=%3B", "X-Tos-Expires=60",
        "X-Amz-Date=20261120T100000Z&X-Tos-Expires=60", "Expires=%2B1795168860",
        "X-Amz-Date=20261120T100000Z&X-Amz-Expires=%2B60",
    ])
    func whatIsNoEndOfALink(query: String) {
        #expect(Deadline(link: "https://a.io/v.mp4?" + query) == nil)
    }

    @Test(arguments: [#"{"exp":1795168800}"#, #"{"exp":"1795168800"}"#, #"{"exp":1795168800.0,"sub":"ÿÿÿ>>>???"}"#])
    func aTokenInTheQueryNamesItsEnd(claims: String) {
        #expect(Deadline(link: token(claims)) == Deadline(Date(timeIntervalSince1970: 1_795_168_800)))
    }

    /// A token may tell how long it works in place of when it ends, or that it never does.
    @Test(arguments: ["0", "3600", "999999999", "-1", "1e11", "1795168800000", "null", "\"soon\""])
    func whatIsNoEndOfAToken(expiry: String) {
        #expect(Deadline(link: token("{\"exp\":\(expiry)}")) == nil)
    }

    @Test(arguments: [
        "https://a.io/v.mp4", "no link", "https://a.io/v?X-Amz-Date=20261120T100000Z",
        "https://a.io/v?X-Amz-Date=20261320T100000Z&X-Amz-Expires=60",
        "https://a.io/v?X-Amz-Date=20261120T100000Z&X-Amz-Expires=-60",
        "https://a.io/v?X-Amz-Date=20261120T100000Z&X-Amz-Expires=99999999999999999999",
        "https://a.io/v?v=1.2.3", "https://a.io/v?t=a.e30.c",
    ])
    func withoutAWordThereIsNoDeadline(link: String) {
        #expect(Deadline(link: link) == nil)
    }

    @Test func theEarliestWordCounts() throws {
        let sooner = try moment("2026-11-21T00:00:00Z")
        let later = try moment("2026-12-01T00:00:00Z")
        #expect(Deadline(link: Self.presigned, expiresAt: sooner)?.date == sooner)
        #expect(Deadline(link: Self.presigned, expiresAt: later)?.date == (try moment("2026-11-23T10:00:00Z")))
    }

    @Test func theUsualLifetimeIsOnlyAssumed() throws {
        let end = try moment("2026-11-20T10:00:00Z")
        let assumed = Deadline(link: "https://a.io/v.mp4", endedAt: end, lifetime: ProviderName.gemini.lifetime)
        #expect(assumed == Deadline(try moment("2026-11-22T10:00:00Z"), isAssumed: true))
        #expect(Deadline(link: Self.presigned, endedAt: end, lifetime: .seconds(1))?.isAssumed == false)
        #expect(Deadline(link: "https://a.io/v.mp4", endedAt: end, lifetime: ProviderName.fal.lifetime) == nil)
    }

    @Test func theEarlierOneComesFirst() throws {
        let first = Deadline(try moment("2026-11-20T10:00:00Z"), isAssumed: true)
        let second = Deadline(try moment("2026-11-20T10:00:01Z"))
        #expect([second, first].sorted() == [first, second])
    }

    @Test func storedItSaysWhetherItIsAssumed() throws {
        let deadline = Deadline(Date(timeIntervalSinceReferenceDate: 0), isAssumed: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(deadline).text == #"{"assumed":true,"date":0}"#)
    }
}
