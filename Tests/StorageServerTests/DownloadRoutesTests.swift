import ObjectStore
import Platform
import Serving
import TestSupport
import Testing

@testable import StorageServer

@Suite struct DownloadRoutesTests {
    static let tag = "\"5d41402abc4b2a76b9719d911017c592\""
    static let modified = "Fri, 20 Nov 2026 18:36:45 GMT"

    /// A public and a private bucket with `hello` in both, the user's own object in the private one.
    static func site() async throws -> Site {
        let site = try Site()
        try await site.makeBucket("pub", isPublic: true)
        try await site.makeBucket("priv")
        for path in ["pub/a", "priv/a", "priv/\(Site.userID)/own"] { try await site.upload(path) }
        return site
    }

    @Test(
        arguments: [
            Fact("public, by anyone", ("/object/public/pub/a", nil), "hello"),
            Fact("public, private bucket", ("/object/public/priv/a", nil), "404 NoSuchBucket: Bucket not found"),
            Fact("public, missing", ("/object/public/pub/none", nil), "404 NoSuchKey: Object not found"),
            Fact("public, no bucket", ("/object/public/none/a", nil), "404 NoSuchBucket: Bucket not found"),
            Fact(
                "authenticated, no user", ("/object/authenticated/pub/a", nil),
                "400 InvalidRequest: headers must have required property 'authorization'"),
            Fact("authenticated, anon, public bucket", ("/object/authenticated/pub/a", Site.anonymous), "hello"),
            Fact(
                "authenticated, anon, private bucket", ("/object/authenticated/priv/a", Site.anonymous),
                "404 NoSuchKey: Object not found"),
            Fact(
                "authenticated, user, another's", ("/object/authenticated/priv/a", Site.user),
                "404 NoSuchKey: Object not found"),
            Fact("authenticated, user, own", ("/object/authenticated/priv/\(Site.userID)/own", Site.user), "hello"),
            Fact("authenticated, service", ("/object/authenticated/priv/a", Site.service), "hello"),
            Fact(
                "authenticated, bad token", ("/object/authenticated/pub/a", "bad"),
                "403 AccessDenied: Invalid Compact JWS"),
            Fact("bare, anyone, public bucket", ("/object/pub/a", nil), "hello"),
            Fact("bare, bad token, public bucket", ("/object/pub/a", "bad"), "hello"),
            Fact("bare, anyone, private bucket", ("/object/priv/a", nil), "404 NoSuchBucket: Bucket not found"),
            Fact("bare, service", ("/object/priv/a", Site.service), "hello"),
            Fact("a key that is none", ("/object/pub/%23", Site.service), "400 InvalidKey: Invalid key: #"),
            Fact(
                "a bucket that is none", ("/object/%23/a", Site.service), "400 InvalidBucketName: Bucket name invalid"),
            Fact("info, public", ("/object/info/public/pub/a", nil), "info"),
            Fact("info, private as public", ("/object/info/public/priv/a", nil), "404 NoSuchBucket: Bucket not found"),
            Fact("info, authenticated", ("/object/info/authenticated/priv/a", Site.service), "info"),
            Fact("info, bare, anyone", ("/object/info/pub/a", nil), "info"),
            Fact("info, bare, user, another's", ("/object/info/priv/a", Site.user), "404 NoSuchKey: Object not found"),
            Fact("info, missing", ("/object/info/public/pub/none", nil), "404 NoSuchKey: Object not found"),
        ] as [Fact<(String, String?), String>])
    func whoMayRead(_ fact: Fact<(String, String?), String>) async throws {
        let site = try await Self.site()
        let answer = try await site.get(fact.input.0, as: fact.input.1)
        switch fact.output {
        case "hello": #expect(answer.text == "hello")
        case "info": #expect(answer.json["size"] == 5)
        default: #expect(answer.refusal == fact.output)
        }
        #expect(answer.status == (fact.output.hasPrefix("4") ? 400 : 200))
    }

    @Test func theHeaderTellsWhatTheObjectIs() async throws {
        let site = try await Self.site()
        let answer = try await site.get("/object/public/pub/a", as: nil)
        let lines = answer.headers.lines.map { "\($0.name): \($0.value)" }
        #expect(
            lines == [
                "Accept-Ranges: bytes", "Content-Type: text/plain", "ETag: \(Self.tag)",
                "Last-Modified: \(Self.modified)", "X-Robots-Tag: none", "Cache-Control: no-cache",
            ])
        let info = try await site.get("/object/info/pub/a", as: nil)
        #expect(info.headers["etag"] == Self.tag)
        #expect(info.headers["cache-control"] == "no-cache")
        #expect(info.headers["last-modified"] == Self.modified)
    }

    @Test func hypertextIsServedAsText() async throws {
        let site = try await Self.site()
        try await site.upload("pub/h.html", "<b>", ["Content-Type": "text/html; charset=utf-8"])
        #expect(try await site.get("/object/public/pub/h.html").headers["content-type"] == "text/plain")
    }

    @Test(
        arguments: [
            ("bytes=0-1", 0..<2), ("bytes=2-", 2..<6), ("bytes=-2", 4..<6), ("bytes=0-999", 0..<6),
            ("bytes=5-5", 5..<6),
            ("bytes=-999", 0..<6), ("bytes=6-", nil), ("bytes=-0", nil), ("bytes=3-1", nil), ("bytes=0-1,3-4", nil),
            ("items=0-1", nil), ("bytes=", nil), ("bytes=-", nil), ("bytes=a-b", nil), ("bytes=1-2-3", nil),
            ("bytes=99999999999999999999-", nil), ("bytes=0-9223372036854775807", 0..<6),
            ("bytes=0-9223372036854775808", 0..<6), ("bytes=-9223372036854775808", 0..<6),
            ("bytes=9223372036854775807-9223372036854775808", nil),
        ] as [(String, Range<Int64>?)])
    func aRangeIsUnderstood(header: String, range: Range<Int64>?) {
        #expect(RangeHeader.range(header, of: 6) == range)
        #expect(RangeHeader.range(header, of: 0) == nil)
    }

    @Test func aRangeIsSent() async throws {
        let site = try await Self.site()
        let part = try await site.get("/object/pub/a", ["Range": "bytes=1-3"])
        #expect(part.status == 206)
        #expect(part.text == "ell")
        #expect(part.headers["content-range"] == "bytes 1-3/5")
        let none = try await site.get("/object/pub/a", ["Range": "bytes=5-"])
        #expect("\(none.status) \(none.refusal)" == "416 416 InvalidRange: invalid range provided")
    }

    @Test(
        arguments: [
            Fact("the same tag", ["If-None-Match": tag], "304 no-cache"),
            Fact("another tag", ["If-None-Match": "\"zzz\""], "200 no-cache, stale-while-revalidate=30"),
            Fact("a weak tag", ["If-None-Match": "W/" + tag], "200 no-cache, stale-while-revalidate=30"),
            Fact("any tag", ["If-None-Match": "*"], "200 no-cache, stale-while-revalidate=30"),
            Fact("not changed since", ["If-Modified-Since": modified], "304 no-cache"),
            Fact("changed since", ["If-Modified-Since": "Fri, 20 Nov 2026 18:36:44 GMT"], "200 no-cache"),
            Fact("a date that is none", ["If-Modified-Since": "yesterday"], "200 no-cache"),
        ] as [Fact<Headers, String>])
    func aConditionIsAnswered(_ fact: Fact<Headers, String>) async throws {
        let site = try await Self.site()
        let answer = try await site.get("/object/public/pub/a", fact.input)
        #expect("\(answer.status) \(answer.headers["cache-control"] ?? "-")" == fact.output)
        #expect(answer.body.isEmpty == (answer.status == 304))
    }

    @Test(
        arguments: [
            ("", nil), ("?download=", "attachment;"),
            (
                "?download=%E5%86%99%201.txt",
                "attachment; filename=%E5%86%99%201.txt; filename*=UTF-8''%E5%86%99%201.txt"
            ),
        ] as [(String, String?)])
    func aNameToSaveUnder(query: String, disposition: String?) async throws {
        let site = try await Self.site()
        #expect(try await site.get("/object/public/pub/a\(query)").headers["content-disposition"] == disposition)
    }

    @Test func headTellsOfTheWholeObjectWhateverIsAsked() async throws {
        let site = try await Self.site()
        for headers in [[:], ["Range": "bytes=0-1"], ["If-Modified-Since": Self.modified]] as [Headers] {
            let request = Request(method: "HEAD", target: "/object/public/pub/a", headers: headers)
            let response = await site.depot.answer(request)
            #expect(response.status == 200)
            guard case .announced(length: 5) = response.body else { return #expect(Bool(false)) }
        }
        let changed = try await site.ask("HEAD", "/object/public/pub/a", ["If-None-Match": "x"])
        #expect(changed.headers["cache-control"] == "no-cache, must-revalidate")
        // There is no HEAD of info: `info` is a bucket here.
        #expect(try await site.ask("HEAD", "/object/info/public/pub/a").status == 400)
    }

    @Test func aRowWithoutItsBytesIsNotFound() async throws {
        let site = try await Self.site()
        for version in try await site.versions() { await site.depot.blobs.remove(version) }
        let answer = try await site.get("/object/public/pub/a")
        #expect(answer.refusal == "404 NoSuchKey: The resource was not found")
        #expect(answer.headers["cache-control"] == "no-store")
    }

    /// Cut short on the disk, as after a crash: the answer says so at once, where a promised length would break off.
    @Test(
        arguments: [
            Fact("one byte is gone", (4, nil), "500 ObjectDamaged: What is stored is damaged: 4 bytes are left of 5"),
            Fact("all are gone", (0, nil), "500 ObjectDamaged: What is stored is damaged: 0 bytes are left of 5"),
            Fact(
                "a range that is left", (4, "bytes=0-1"),
                "500 ObjectDamaged: What is stored is damaged: 4 bytes are left of 5"),
            Fact("all are there", (5, nil), "hello"),
        ] as [Fact<(Int, String?), String>])
    func bytesThatAreLostAreDamage(_ fact: Fact<(Int, String?), String>) async throws {
        let site = try await Self.site()
        for version in try await site.versions() {
            let blob = try Directory(site.folder.appending("objects/\(version.prefix(2))")).open(
                writing: FilePath(version))
            try blob.truncate(to: Int64(fact.input.0))
        }
        let headers: Headers = fact.input.1.map { ["Range": $0] } ?? [:]
        let answer = try await site.ask("GET", "/object/public/pub/a", headers)
        #expect((answer.status == 200 ? answer.text : answer.refusal) == fact.output)
    }
}

@Suite struct SignRoutesTests {
    /// Signs `path` for a minute; returns the URL.
    private func sign(_ path: String, at site: Site, as token: String = Site.service) async throws -> String {
        let answer = try await site.post("/object/sign/\(path)", as: token, ["expiresIn": 60])
        return answer.json["signedURL"]?.string ?? answer.refusal
    }

    @Test func aSignedURLOpensItsObjectUntilItExpires() async throws {
        let site = try await DownloadRoutesTests.site()
        let url = try await sign("priv/a", at: site)
        #expect(url.hasPrefix("/object/sign/priv/a?token="))
        let answer = try await site.get(url, as: nil)
        #expect(answer.text == "hello")
        #expect(answer.headers["expires"] == "Fri, 20 Nov 2026 18:37:45 GMT")
        #expect(answer.headers["cache-control"] == nil)
        #expect(try await site.get(url, as: nil, ["Range": "bytes=0-0"]).text == "h")
        #expect(try await site.get(url + "&download=x", as: nil).headers["content-disposition"] != nil)
        #expect(try await site.ask("HEAD", url, as: nil).status == 200)
        try await site.upload("priv/a", "newer", method: "PUT")
        #expect(try await site.get(url, as: nil).text == "newer")
        site.pass(59_999)
        #expect(try await site.get(url, as: nil).status == 200)
        site.pass(1)
        #expect(try await site.get(url, as: nil).refusal == "400 InvalidJWT: \"exp\" claim timestamp check failed")
    }

    @Test(arguments: [
        Fact("no token", "/object/sign/priv/a", "400 InvalidRequest: querystring must have required property 'token'"),
        Fact("no real token", "/object/sign/priv/a?token=abc", "400 InvalidJWT: Invalid Compact JWS"),
        Fact(
            "another object's", "/object/sign/priv/a?token=" + Site.token.sign(["url": "priv/b", "scope": "download"]),
            "400 InvalidSignature: Invalid signature"),
        Fact(
            "for an upload", "/object/sign/priv/a?token=" + Site.token.sign(["url": "priv/a", "scope": "upload"]),
            "400 InvalidSignature: Token is not scoped for download"),
        Fact("of an older server", "/object/sign/priv/a?token=" + Site.token.sign(["url": "priv/a"]), "hello"),
        Fact(
            "an object that is gone", "/object/sign/priv/x?token=" + Site.token.sign(["url": "priv/x"]),
            "404 NoSuchKey: Object not found"),
    ])
    func aSignedURLThatFails(_ fact: Fact<String, String>) async throws {
        let site = try await DownloadRoutesTests.site()
        let answer = try await site.get(fact.input, as: nil)
        if fact.output == "hello" { #expect(answer.text == "hello") } else { #expect(answer.refusal == fact.output) }
    }

    @Test(
        arguments: [
            Fact("no such object", ("priv/none", Site.service), "404 NoSuchKey: Object not found"),
            Fact("another's object", ("priv/a", Site.user), "404 NoSuchKey: Object not found"),
            Fact("not even a public bucket's", ("pub/a", Site.user), "404 NoSuchKey: Object not found"),
        ] as [Fact<(String, String), String>])
    func whatIsNotSigned(_ fact: Fact<(String, String), String>) async throws {
        let site = try await DownloadRoutesTests.site()
        #expect(try await sign(fact.input.0, at: site, as: fact.input.1) == fact.output)
    }

    @Test func theLifetimeIsAPositiveNumber() async throws {
        let site = try await DownloadRoutesTests.site()
        #expect(
            try await site.post("/object/sign/priv/a", ["expiresIn": 0]).refusal
                == "400 InvalidRequest: body/expiresIn must be >= 1")
        #expect(try await site.ask("POST", "/object/sign/priv/a").refusal == "400 InvalidRequest: body must be object")
    }

    /// The reference server decodes the two requests differently, and so does this one.
    @Test(
        arguments: [
            Fact("a blank", ("sp%20ace", "sp%20ace"), "hello"),
            Fact("a comma left alone", ("a,b", "a,b"), "hello"),
            Fact("a comma escaped", ("a%2Cb", "a%2Cb"), "400 InvalidSignature: Invalid signature"),
            Fact("the URL escaped once more", ("a%2Cb", "a%252Cb"), "400 InvalidKey: Invalid key: a%2Cb"),
        ] as [Fact<(String, String), String>])
    func escapesInSignedPaths(_ fact: Fact<(String, String), String>) async throws {
        let site = try await DownloadRoutesTests.site()
        for path in ["priv/sp%20ace", "priv/a,b"] { try await site.upload(path) }
        let url = try await sign("priv/\(fact.input.0)", at: site)
        let token = url.split(separator: "?")[1]
        let answer = try await site.get("/object/sign/priv/\(fact.input.1)?\(token)", as: nil)
        if fact.output == "hello" { #expect(answer.text == "hello") } else { #expect(answer.refusal == fact.output) }
    }
}
