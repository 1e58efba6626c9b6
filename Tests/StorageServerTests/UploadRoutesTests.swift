import FoundationEssentials
import ObjectStore
import Platform
import Serving
import TestSupport
import Testing

@testable import StorageServer

@Suite struct UploadRoutesTests {
    @Test func whatWasSentIsServedAsItWasSent() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let metadata = Data(#"{"k":"v","name":"写真"}"#.utf8).base64EncodedString()
        let answer = try await site.upload(
            "b/d/a%20b.txt", "hello",
            [
                "Content-Type": "text/x", "Cache-Control": "max-age=60", "x-metadata": metadata,
                "x-robots-tag": "noindex",
            ])
        #expect(answer.status == 200)
        #expect(answer.json["Key"] == "b/d/a b.txt")
        let info = try await site.get("/object/info/b/d/a%20b.txt")
        #expect(info.json["id"] == answer.json["Id"])
        #expect(info.json["size"] == 5)
        #expect(info.json["etag"] == "\"5d41402abc4b2a76b9719d911017c592\"")
        #expect(info.json["metadata"] == ["k": "v", "name": "写真"])
        let got = try await site.get("/object/b/d/a%20b.txt")
        #expect(got.text == "hello")
        #expect(got.headers["content-type"] == "text/x")
        #expect(got.headers["cache-control"] == "max-age=60")
        #expect(got.headers["x-robots-tag"] == "noindex")
    }

    @Test func whatWasNotSaidHasDefaults() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        #expect(try await site.ask("POST", "/object/b/a.png", ["x-metadata": "!!!"], body: [1]).status == 200)
        let info = try await site.get("/object/info/b/a.png").json
        #expect(info["content_type"] == "application/octet-stream")
        #expect(info["cache_control"] == "no-cache")
        #expect(info["metadata"] == [:])
    }

    @Test func anObjectIsReplacedOnlyWhenThatIsWanted() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let first = try await site.upload("b/a", "one").json["Id"]
        for headers in [[:], ["x-upsert": "True"], ["x-upsert": "1"]] as [Headers] {
            #expect(
                try await site.upload("b/a", "two", headers).refusal
                    == "409 KeyAlreadyExists: The resource already exists")
        }
        #expect(try await site.get("/object/b/a").text == "one")
        site.pass(1000)
        #expect(try await site.upload("b/a", "three", ["x-upsert": "true"]).json["Id"] == first)
        #expect(try await site.upload("b/a", "four", method: "PUT").json["Id"] == first)
        #expect(try await site.get("/object/b/a").text == "four")
        let info = try await site.get("/object/info/b/a").json
        #expect(info["created_at"] == "2026-11-20T18:36:45.000Z")
        #expect(info["last_modified"] == "2026-11-20T18:36:46.000Z")
        // The blobs of the older three are removed.
        #expect(try site.blobs() == [info["version"]?.string])
    }

    @Test(arguments: [
        Fact("no such bucket", "none/a", "404 NoSuchBucket: Bucket not found"),
        Fact("no key", "lim/", "400 InvalidKey: Invalid key: "),
        Fact("a letter no key has", "lim/%E6%97%A5.jpg", "400 InvalidKey: Invalid key: 日.jpg"),
        Fact("a NUL", "lim/n%00ul", "400 InvalidKey: Invalid key: n\u{0}ul"),
        Fact("an escape of an escape", "lim/pct%2520", "400 InvalidKey: Invalid key: pct%20"),
        Fact(
            "a segment of 256 bytes", "lim/" + String(repeating: "s", count: 256),
            "500 InternalError: Internal Server Error"),
    ])
    func aPlaceThatIsRefused(_ fact: Fact<String, String>) async throws {
        let site = try Site()
        try await site.makeBucket("lim")
        #expect(try await site.upload(fact.input).refusal == fact.output)
        #expect(try site.blobs() == [])
    }

    @Test func aDotSegmentIsRefusedInTheReferenceServersWords() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let message = try #require(try await site.upload("b/a/../c").json["message"]?.string)
        #expect(message.hasPrefix("Invalid key: supa-storage-bucket/bjhaohmqunupljrqypxz/b/a/../c/"))
        #expect(message.hasSuffix(" contains dot path segment"))
    }

    @Test(
        arguments: [
            Fact("as large as the bucket allows", ("image/png", 1000), nil),
            Fact(
                "a byte too large", ("image/png", 1001),
                "413 EntityTooLarge: The object exceeded the maximum allowed size"),
            Fact(
                "too large and of a wrong type", ("a/b", 1001),
                "413 EntityTooLarge: The object exceeded the maximum allowed size"),
            Fact(
                "another type", ("application/pdf", 1),
                "415 InvalidMimeType: mime type application/pdf is not supported"),
            Fact(
                "with parameters", ("text/plain;charset=UTF-8", 1),
                "415 InvalidMimeType: mime type text/plain;charset=UTF-8 is not supported"),
            Fact("in capitals", ("TEXT/PLAIN", 1), "415 InvalidMimeType: mime type TEXT/PLAIN is not supported"),
            Fact("the very type", ("text/plain", 1), nil),
            Fact("no type", ("garbage", 1), "415 InvalidMimeType: Invalid Content-Type header"),
        ] as [Fact<(String, Int), String?>])
    func theBucketsRules(_ fact: Fact<(String, Int), String?>) async throws {
        let site = try Site()
        try await site.makeBucket(
            "b", isPublic: false, ["file_size_limit": 1000, "allowed_mime_types": ["image/*", "text/plain"]])
        let text = String(repeating: "x", count: fact.input.1)
        let answer = try await site.upload("b/k", text, ["Content-Type": fact.input.0])
        if let refusal = fact.output { #expect(answer.refusal == refusal) } else { #expect(answer.status == 200) }
        #expect(try site.blobs().count == (fact.output == nil ? 1 : 0))
    }

    @Test func aFolderMarkerIsEmptyAndOfAnyType() async throws {
        let site = try Site()
        try await site.makeBucket("b", isPublic: false, ["allowed_mime_types": ["image/*"]])
        #expect(try await site.upload("b/d/.emptyFolderPlaceholder", "").status == 200)
        #expect(
            try await site.upload("b/e/.emptyFolderPlaceholder", "x").refusal
                == "413 EntityTooLarge: The object exceeded the maximum allowed size")
    }

    @Test(arguments: [
        ("noindex", true), ("bot: noindex", true), ("bot: other: noindex", true), ("bot:", false),
        (String(repeating: "a:", count: 6_000) + "noindex", true), (String(repeating: "a:", count: 6_000), false),
    ])
    func aRobotsTagMayNameCrawlers(tag: String, isTaken: Bool) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        #expect(try await site.upload("b/a", "x", ["x-robots-tag": tag]).status == (isTaken ? 200 : 400))
    }

    @Test func aBadRobotsTagIsRefused() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let answer = try await site.upload("b/a", "x", ["x-robots-tag": "zzz bogus"])
        #expect(
            answer.refusal
                == "400 InvalidRequest: Invalid X-Robots-Tag header: Invalid X-Robots-Tag rule: \"zzz bogus\"")
        #expect(answer.json["error"] == "invalid_x_robots_tag")
    }

    @Test func usersStoreInTheirOwnFolder() async throws {
        let site = try Site()
        try await site.makeBucket("b", isPublic: true)
        let own = "b/\(Site.userID)/a"
        #expect(try await site.upload(own, as: Site.user).status == 200)
        #expect(try await site.upload(own, "new", as: Site.user, method: "PUT").status == 200)
        for (path, token) in [("b/a", Site.user), (own + "2", Site.anonymous), ("b/\(Site.userID)2/a", Site.user)] {
            #expect(
                try await site.upload(path, as: token).refusal
                    == "403 AccessDenied: new row violates row-level security policy")
        }
        #expect(try await site.get("/object/\(own)", as: Site.user).text == "new")
    }

    @Test func aBodyOfUnknownLengthIsStoredWhole() async throws {
        let site = try Site()
        try await site.makeBucket("b", isPublic: false, ["file_size_limit": 10])
        let body = RequestBody(Array(repeating: 7, count: 3 << 20), length: .some(nil))
        let request = Request(
            method: "POST", target: "/object/b/a", headers: ["Authorization": "Bearer \(Site.service)"], body: body)
        #expect(await site.depot.answer(request).status == 200)
        #expect(try await site.get("/object/info/b/a").json["size"] == .integer(3 << 20))
        #expect(try await site.get("/object/b/a").body == Array(repeating: 7, count: 3 << 20))
    }

    @Test(arguments: [0, 10, 3 << 20])
    func aBodyThatBreaksOffLeavesNothing(received: Int) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let pieces = Shared(received > 0 ? [[UInt8](repeating: 1, count: received)] : [])
        let body = RequestBody(length: 1 << 30) { () throws(BodyFailure) in
            guard let piece = pieces.change({ $0.popLast() }) else { throw .lost }
            return piece
        }
        let request = Request(
            method: "PUT", target: "/object/b/a", headers: ["Authorization": "Bearer \(Site.service)"], body: body)
        let answer = try await Answer(await site.depot.answer(request))
        #expect(answer.refusal == "400 InvalidRequest: Request stream closed before upload could begin")
        #expect(try site.blobs() == [])
        #expect(try await site.get("/object/info/b/a").refusal == "404 NoSuchKey: Object not found")
    }

    @Test func ofManyWhoStoreOneNewKeyOneSucceeds() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let statuses = try await withThrowingTaskGroup { group in
            for number in 1...20 { group.addTask { try await site.upload("b/a", "\(number)").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(try await site.blobs() == site.versions())
    }
}
