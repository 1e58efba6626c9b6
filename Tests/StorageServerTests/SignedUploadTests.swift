import ObjectStore
import Serving
import TestSupport
import Testing

@testable import StorageServer

@Suite struct SignedUploadTests {
    @Test func manyAreSignedAtOnceInTheOrderAskedFor() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        for key in ["a", "q%3F%26.txt"] { try await site.upload("b/\(key)", key) }
        let answer = try await site.post("/object/sign/b", ["expiresIn": 60, "paths": ["q?&.txt", "none", "a"]])
        guard case .list(let items) = answer.json else { return #expect(Bool(false)) }
        #expect(items.map { $0["path"] } == ["q?&.txt", "none", "a"])
        #expect(items.map { $0["signedURL"] == .null } == [false, true, false])
        #expect(items[1]["error"] == "Either the object does not exist or you do not have access to it")
        let url = try #require(items[2]["signedURL"]?.string)
        #expect(try await site.get(url, as: nil).text == "a")
        site.pass(60_000)
        #expect(try await site.get(url, as: nil).refusal == "400 InvalidJWT: \"exp\" claim timestamp check failed")
    }

    @Test(arguments: [
        Fact("none", 0, "400 InvalidRequest: body/paths must NOT have fewer than 1 items"),
        Fact("as many as may be", 1000, "- -: -"),
        Fact("one more", 1001, "400 InvalidRequest: body/paths must NOT have more than 1000 items"),
    ])
    func howMany(_ fact: Fact<Int, String>) async throws {
        let site = try Site()
        let paths = (0..<fact.input).map { JSON.text("\($0)") }
        #expect(try await site.post("/object/sign/b", ["expiresIn": 1, "paths": .list(paths)]).refusal == fact.output)
    }

    @Test func usersSignTheirOwn() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/a")
        try await site.upload("b/\(Site.userID)/a")
        let asked: JSON = ["expiresIn": 60, "paths": ["a", .text("\(Site.userID)/a")]]
        guard case .list(let items) = try await site.post("/object/sign/b", as: Site.user, asked).json else {
            return #expect(Bool(false))
        }
        #expect(items.map { $0["signedURL"] == .null } == [true, false])
    }

    // MARK: Uploads

    private func signed(
        _ site: Site, _ path: String, upsert: Bool = false, as token: String = Site.service
    ) async throws -> String {
        let answer = try await site.ask(
            "POST", "/object/upload/sign/\(path)", as: token, upsert ? ["x-upsert": "true"] : [:])
        return answer.json["url"]?.string ?? answer.refusal
    }

    @Test func whoHasTheURLStoresOneObjectOnce() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let url = try await signed(site, "b/\(Site.userID)/a", as: Site.user)
        let stored = try await site.ask("PUT", url, as: nil, ["Content-Type": "a/b"], body: [1])
        #expect(stored.json == ["Key": .text("b/\(Site.userID)/a")])
        #expect(try await site.get("/object/info/b/\(Site.userID)/a").json["content_type"] == "a/b")
        let again = try await site.ask("PUT", url, as: nil, ["x-upsert": "true"], body: [2])
        #expect(again.refusal == "409 KeyAlreadyExists: The resource already exists")
        let replacing = try await signed(site, "b/\(Site.userID)/a", upsert: true)
        #expect(try await site.ask("PUT", replacing, as: nil, body: [2]).status == 200)
        let rows = try await site.send("DELETE", "/object/b", ["prefixes": [.text("\(Site.userID)/a")]]).json
        guard case .list(let deleted) = rows else { return #expect(Bool(false)) }
        #expect(deleted.map { $0["owner"] } == [""])
    }

    @Test func whatMayNotBeStoredIsNotSigned() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/a")
        let denied = "403 AccessDenied: new row violates row-level security policy"
        #expect(try await signed(site, "b/x", as: Site.user) == denied)
        #expect(try await signed(site, "b/a") == "409 KeyAlreadyExists: The resource already exists")
        #expect(try await signed(site, "none/a") == "404 NoSuchBucket: Bucket not found")
        #expect(try await signed(site, "b/%23") == "400 InvalidKey: Invalid key: #")
    }

    private static func token(_ claims: JSON, secret: String = Site.secret) -> String {
        Token(secret: secret).sign(claims)
    }

    @Test(arguments: [
        Fact("none", "", "400 InvalidJWT: Invalid Compact JWS"),
        Fact(
            "for a download", token(["url": "b/a", "scope": "download"]),
            "400 InvalidSignature: Token is not scoped for upload"),
        Fact(
            "for another key", token(["url": "b/b", "scope": "upload"]), "400 InvalidSignature: Invalid signature"),
        Fact(
            "expired", token(["url": "b/a", "scope": "upload", "exp": 2]),
            "400 InvalidJWT: \"exp\" claim timestamp check failed"),
        Fact(
            "forged", token(["url": "b/a", "scope": "upload"], secret: "x"),
            "400 InvalidJWT: signature verification failed"),
    ])
    func aTokenThatDoesNotCount(_ fact: Fact<String, String>) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let answer = try await site.ask("PUT", "/object/upload/sign/b/a?token=\(fact.input)", as: nil, body: [1])
        #expect(answer.refusal == fact.output)
        let piece = try await site.begin("b", "a", length: 1, ["x-signature": fact.input], as: nil, isSigned: true)
        #expect(piece.status == 400)
        #expect(fact.output.hasSuffix(piece.text))
    }

    @Test func aSignatureOpensTheResumableEndpoint() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let url = try await signed(site, "b/a")
        let token = String(url.split(separator: "=")[1])
        let created = try await site.begin("b", "a", length: 2, ["x-signature": token], as: nil, isSigned: true)
        let location = try #require(created.headers["location"])
        #expect(location.contains("/upload/resumable/sign/"))
        let path = "/upload/resumable/sign/" + location.split(separator: "/").suffix(1).joined()
        #expect(try await site.resumable("HEAD", path, as: nil).status == 400)
        #expect(try await site.patch(path, at: 0, "ab", as: nil).text == "Missing x-signature header")
        let last = try await site.patch(path, at: 0, "ab", ["x-signature": token], as: nil)
        #expect(last.headers["tus-complete"] == "1")
        #expect(try await site.get("/object/b/a").text == "ab")
    }
}
