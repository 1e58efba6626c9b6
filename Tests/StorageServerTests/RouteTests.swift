import ObjectStore
import Serving
import TestSupport
import Testing

@testable import StorageServer

@Suite struct RouteTests {
    @Test(
        arguments: [
            ("/bucket", "/bucket", []), ("/bucket", "/bucket/", nil), ("/bucket/:", "/bucket/b", ["b"]),
            ("/bucket/:", "/bucket/", nil), ("/bucket/:", "/bucket/b/c", nil),
            ("/bucket/:/empty", "/bucket/b/empty", ["b"]),
            ("/object/:/*", "/object/b/k", ["b", "k"]), ("/object/:/*", "/object/b/", ["b", ""]),
            ("/object/:/*", "/object/b", nil), ("/object/:/*", "/object/b//k/", ["b", "/k/"]),
            ("/object/:/*", "/object//k", nil), ("/object/:/*", "/objects/b/k", nil),
            ("/object/:/*", "/object/b%2Fc/d%20e", ["b%2Fc", "d%20e"]), ("/status", "/", nil), ("/status", "", nil),
        ] as [(String, String, [String]?)])
    func aPatternMatches(pattern: String, path: String, parts: [String]?) {
        let route = Route("GET", pattern) { _, _ in Response(status: 200) }
        #expect(route.match(path[...]).map { $0.map(String.init) } == parts)
    }

    @Test(arguments: [
        Fact("in a family", "PATCH /object/x/y", "404 Route PATCH:/object/x/y not found InvalidRequest \"404\""),
        Fact(
            "with its query", "GET /render/image/public/b/k?width=10",
            "404 Route GET:/render/image/public/b/k?width=10 not found InvalidRequest \"404\""),
        Fact(
            "without its prefix", "GET /storage/v1/object/nope",
            "404 Route GET:/object/nope not found InvalidRequest \"404\""),
        Fact("outside of the families", "GET /nope", "404 Route GET:/nope not found - 404"),
        Fact("the prefix alone", "GET /storage/v1", "404 Route GET:/storage/v1 not found - 404"),
        Fact(
            "a broken escape", "GET /object/b/bad%zz.txt",
            "400 '/object/b/bad%zz.txt' is not a valid url component FST_ERR_BAD_URL 400"),
    ])
    func whatNoRouteHas(_ fact: Fact<String, String>) async throws {
        let site = try Site()
        let words = fact.input.split(separator: " ")
        let answer = try await site.ask(String(words[0]), String(words[1]))
        let json = answer.json
        let said =
            "\(answer.status) \(json["message"]?.string ?? "-") \(json["code"]?.string ?? "-") "
            + (json["statusCode"]?.rendered ?? "-")
        #expect(said == fact.output)
    }

    @Test(arguments: [(16 << 10, 200), (16 << 10 + 1, 431)])
    func headerLinesMayTakeSixteenKibibytes(size: Int, status: Int) async throws {
        let site = try Site()
        let request = Request(method: "GET", target: "/status", headerSize: size)
        #expect(await site.depot.answer(request).status == (size > 16 << 10 ? 431 : 200))
    }

    @Test func theServiceTellsHowItIs() async throws {
        let site = try Site()
        #expect(try await site.get("/status", as: nil).status == 200)
        #expect(try await site.get("/status", as: nil).body == [])
        #expect(try await site.get("/version", as: nil).text == "1.70.6")
        #expect(try await site.get("/storage/v1/health").text == #"{"healthy":true}"#)
        #expect(try await site.get("/health", as: nil).refusal == "403 AccessDenied: Invalid Compact JWS")
    }

    @Test(
        arguments: [
            Fact("no token", nil, "400 InvalidRequest: headers must have required property 'authorization'"),
            Fact("half a token", "Bearer abc", "403 AccessDenied: Invalid Compact JWS"),
            Fact("an empty token", "Bearer ", "403 AccessDenied: Invalid Compact JWS"),
            Fact(
                "another secret", "Bearer " + Token(secret: "x").sign([:]),
                "403 AccessDenied: signature verification failed"),
            Fact(
                "expired", "Bearer " + Site.token.sign(["exp": 1]),
                "403 AccessDenied: \"exp\" claim timestamp check failed"),
            Fact("right", "bearer " + Site.service, "- -: -"),
        ] as [Fact<String?, String>])
    func aTokenIsAskedFor(_ fact: Fact<String?, String>) async throws {
        let site = try Site()
        var headers: Headers = ["Content-Type": "application/json"]
        headers["Authorization"] = fact.input
        let answer = try await site.ask("POST", "/object/list-v2/b", as: nil, headers, body: Array("{}".utf8))
        #expect(answer.refusal == fact.output)
    }

    @Test(
        arguments: [
            Fact(
                "no JSON", ("application/json", "{"),
                "400 400 InvalidRequest: Body is not valid JSON but content-type is set to 'application/json'"),
            Fact(
                "nothing", ("application/json", ""),
                "400 400 InvalidRequest: Body cannot be empty when content-type is set to 'application/json'"),
            Fact("nothing of no type", (nil, ""), "400 400 InvalidRequest: body must be object"),
            Fact("text", ("text/plain", "{}"), "400 400 InvalidRequest: body must be object"),
            Fact(
                "a form", ("application/x-www-form-urlencoded", "{}"), "415 415 InvalidRequest: Unsupported Media Type"),
            Fact("a list", ("application/json; charset=utf-8", "[]"), "400 400 InvalidRequest: body must be object"),
            Fact(
                "too much", ("application/json", String(repeating: " ", count: 1 << 20 | 1)),
                "413 413 EntityTooLarge: Request body is too large"),
        ] as [Fact<(String?, String), String>])
    func aBodyThatCannotBeRead(_ fact: Fact<(String?, String), String>) async throws {
        let site = try Site()
        var headers: Headers = [:]
        headers["Content-Type"] = fact.input.0
        let answer = try await site.ask("POST", "/bucket", headers, body: Array(fact.input.1.utf8))
        #expect("\(answer.status) \(answer.refusal)" == fact.output)
    }
}
