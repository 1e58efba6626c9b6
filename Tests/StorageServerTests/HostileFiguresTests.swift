import Foundation
import ObjectStore
import Serving
import TestSupport
import Testing

@testable import StorageServer

/// Figures that a client chooses: none of them may end the server, which is also the agent's own process.
@Suite struct HostileFiguresTests {
    @Test(
        arguments: [
            Fact("a second", 1, "Fri, 20 Nov 2026 18:36:46 GMT"),
            Fact("ten years", 315_532_800, "Wed, 19 Nov 2036 18:36:45 GMT"),
            Fact("the last second of 9999", 251_607_121_794, "Fri, 31 Dec 9999 23:59:59 GMT"),
            Fact("one second more", 251_607_121_795, "Fri, 31 Dec 9999 23:59:59 GMT"),
            Fact("more seconds than milliseconds can count", 9_300_000_000_000_000, "Fri, 31 Dec 9999 23:59:59 GMT"),
            Fact("as many as there are numbers", .max, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [Fact<Int64, String>])
    func aLinkThatLivesLong(_ fact: Fact<Int64, String>) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/a", "hello")
        let one = try await site.post("/object/sign/b/a", ["expiresIn": .integer(fact.input)]).json
        let many = try await site.post("/object/sign/b", ["expiresIn": .integer(fact.input), "paths": ["a"]]).json
        guard case .list(let signed) = many else { throw Unexpected() }
        for link in [one["signedURL"]?.string, signed.first?["signedURL"]?.string] {
            let answer = try await site.get(try #require(link), as: nil)
            #expect(answer.text == "hello")
            #expect(answer.headers["expires"] == fact.output)
        }
    }

    private struct Unexpected: Error {}

    /// A plan of faults may name any number, and sizes go to the HTTP server as numbers that are not negative.
    @Test(arguments: [(Int64.min, 0), (-6, 0), (-5, 0), (-4, 1), (0, 5), (1, 6), (.max, .max)] as [(Int64, Int64)])
    func aSizeThatIsMisreported(_ misreport: Int64, _ size: Int64) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/f/a", "hello")
        func ask(_ method: String, _ target: String, _ json: JSON? = nil) async throws -> Response {
            var headers: Headers = ["Authorization": "Bearer \(Site.service)"]
            if json != nil { headers["Content-Type"] = "application/json" }
            let body = json.map { RequestBody($0.bytes) } ?? .empty
            return await site.depot.answer(
                Request(method: method, target: target, headers: headers, body: body), misreport: misreport)
        }
        let head = try await ask("HEAD", "/object/b/f/a")
        guard case .announced(let length) = head.body else { throw Unexpected() }
        #expect(length == size)
        let info = try await Answer(ask("GET", "/object/info/b/f/a")).json
        #expect(info["size"] == .integer(size))
        for (target, query) in [("/object/list-v2/b", ["prefix": ""]), ("/object/list/b", ["prefix": "f"])]
            as [(String, JSON)]
        {
            let text = try await Answer(ask("POST", target, query)).text
            #expect(text.contains("\"size\":\(size),"), "\(target): \(text)")
        }
    }

    @Test(arguments: [
        ("none", "0"), ("fewer than none", "-1"), ("the fewest", "-9223372036854775808"), ("half", "1.5"),
        ("many", "\"many\""),
        ("more than there are numbers", "9223372036854775808"), ("infinitely many", "1e999"), ("a list", "[1]"),
    ])
    func aLinkThatLivesForNoTime(why: String, seconds: String) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/a", "hello")
        let body = Array(#"{"expiresIn":\#(seconds)}"#.utf8)
        let answer = try await site.ask("POST", "/object/sign/b/a", ["Content-Type": "application/json"], body: body)
        #expect(answer.status == 400, "\(why)")
        #expect(answer.json["signedURL"] == nil)
    }

    @Test(arguments: [
        "l:a\na:2026-11-20T9223372036854775807:00:00.000Z", "l:a\na:9223372036854775807-11-20T00:00:00.000Z",
    ])
    func aCursorBeyondAllNumbersIsRefused(lines: String) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let cursor = Data(lines.utf8).base64EncodedString()
        let answer = try await site.post("/object/list-v2/b", ["cursor": .text(cursor)])
        #expect(answer.refusal == "400 InvalidParameter: Invalid Parameter continuation token")
    }

    @Test(arguments: ["/object/list-v2/b", "/object/list/b"], [1, 1_000, 1_001, Int64(Int32.max), .max])
    func asManyEntriesAsThereAre(path: String, limit: Int64) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        for name in ["a", "b"] { try await site.upload("b/\(name)") }
        let page = try await site.post(path, ["prefix": "", "limit": .integer(limit)]).json
        let entries = page["objects"] ?? page
        guard case .list(let found) = entries else { throw Unexpected() }
        #expect(found.count == Int(min(limit, 2)))
        let beyond = try await site.post(
            "/object/list/b", ["prefix": "", "offset": .integer(limit + (limit == .max ? 0 : 1))])
        #expect(beyond.text == "[]")
    }

    @Test(arguments: ["1", "0", "100", "9223372036854775807"])
    func asManyBucketsAsThereAre(offset: String) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let answer = try await site.get("/bucket?offset=\(offset)&limit=9223372036854775807")
        guard case .list(let found) = answer.json else { throw Unexpected() }
        #expect(found.count == (offset == "0" ? 1 : 0))
    }

    @Test(
        arguments: [
            Fact("a number", "7", 7), Fact("a number as text with its unit", #""7b""#, 7),
            Fact("kilobytes", #""1.5KB""#, 1_500),
            Fact("gigabytes", #""1gb""#, 1_000_000_000), Fact("none is no limit", "0", nil),
            Fact("null is no limit", "null", nil),
            Fact("the server's own", "536870912000", 536_870_912_000),
        ] as [Fact<String, Int64?>])
    func aLimitOfABucket(_ fact: Fact<String, Int64?>) async throws {
        let site = try Site()
        let body = Array(#"{"name":"b","file_size_limit":\#(fact.input)}"#.utf8)
        #expect(try await site.ask("POST", "/bucket", ["Content-Type": "application/json"], body: body).status == 200)
        let limit = try await site.get("/bucket/b").json["file_size_limit"]
        #expect(limit == (fact.output.map { .integer($0) } ?? .null))
    }

    @Test(arguments: [
        ("more than the server takes", "536870912001"), ("more in its unit", #""537gb""#), ("fewer than none", "-1"),
        ("no number", #""gb""#), ("two stops", #""1.2.3gb""#), ("a stop at its end", #""1.gb""#),
        ("a stop alone", #"".b""#),
        ("a sign", #""-1gb""#), ("another unit", #""1tb""#), ("a number without a unit", #""7""#),
        ("digits of another script", #""٧gb""#),
        ("very many digits", "\"\(String(repeating: "9", count: 400))gb\""), ("hexadecimal", #""0x1gb""#),
        ("a flag", "{}"),
    ])
    func whatIsNoLimitOfABucket(why: String, limit: String) async throws {
        let site = try Site()
        let body = Array(#"{"name":"b","file_size_limit":\#(limit)}"#.utf8)
        let answer = try await site.ask("POST", "/bucket", ["Content-Type": "application/json"], body: body)
        #expect(answer.status == 400, "\(why)")
        #expect(try await site.get("/bucket").text == "[]")
    }
}
