import Serving
import TestSupport
import Testing

@testable import Dashboard

/// What a browser has already is not sent again (RFC 9110, 13.1.2).
@Suite struct KnownTagTests {
    @Test(arguments: [
        Fact("the tag itself", "\"a\"", true), Fact("another one", "\"b\"", false),
        Fact("the last of several", "\"b\",\"c\",\"a\"", true), Fact("with spaces after commas", "\"b\", \"a\"", true),
        Fact("with spaces before commas", "\"a\" , \"b\"", true), Fact("with tabulators", "\"b\",\t\"a\"\t", true),
        Fact("as a weak one, which suffices here", "W/\"a\"", true),
        Fact("a weak one among others", "\"b\", W/\"a\"", true),
        Fact("whatever is there", "*", true), Fact("without its quotes", "a", false),
        Fact("a longer one", "\"aa\"", false), Fact("a part of it", "\"a", false), Fact("nothing", "", false),
        Fact("commas alone", ",,", false), Fact("another's weak one", "W/\"b\"", false),
        Fact("a star in quotes", "\"*\"", false), Fact("weak twice", "W/W/\"a\"", false),
    ])
    func whatIsKnownIsNotSentAgain(_ fact: Fact<String, Bool>) throws {
        let answer = Response(status: 200, headers: ["etag": "\"a\"", "x": "1"], body: .bytes([1]))
        let request = Request(method: "GET", target: "/", headers: ["if-none-match": fact.input])
        let sent = answer.unlessKnown(to: request)
        #expect(sent.status == (fact.output ? 304 : 200))
        #expect(try sent.bytes == (fact.output ? [] : [1]))
        #expect(sent.headers["etag"] == "\"a\"" && sent.headers["x"] == "1", "the header is that of the whole")
    }

    @Test func withoutATagOrAQuestionAllIsSent() {
        let plain = Request(method: "GET", target: "/")
        #expect(Response(status: 200, headers: ["etag": "\"a\""]).unlessKnown(to: plain).status == 200)
        let asking = Request(method: "GET", target: "/", headers: ["if-none-match": "\"a\""])
        #expect(Response(status: 200).unlessKnown(to: asking).status == 200)
    }
}
