import ObjectStore
import Platform
import Serving
import TestSupport
import Testing

@testable import StorageServer

@Suite struct BucketRoutesTests {
    @Test func aBucketIsMadeShownChangedAndRemoved() async throws {
        let site = try Site()
        let made = try await site.post(
            "/bucket", ["name": "b", "public": true, "file_size_limit": "1KB", "allowed_mime_types": ["image/*"]])
        #expect(made.text == #"{"name":"b"}"#)
        site.pass(1000)
        #expect(
            try await site.send("PUT", "/bucket/b", ["public": false]).text == #"{"message":"Successfully updated"}"#)
        #expect(
            try await site.get("/bucket/b").text
                == #"{"id":"b","name":"b","owner":"","public":false,"file_size_limit":1000,"allowed_mime_types":["image/*"],"#
                + #""created_at":"2026-11-20T18:36:45.000Z","updated_at":"2026-11-20T18:36:46.000Z"}"#)
        #expect(
            try await site.send("PUT", "/bucket/b", ["file_size_limit": .null, "allowed_mime_types": .null]).status
                == 200)
        let shown = try await site.get("/bucket/b").json
        #expect(shown["file_size_limit"] == .null)
        #expect(shown["allowed_mime_types"] == .null)
        #expect(try await site.ask("DELETE", "/bucket/b").text == #"{"message":"Successfully deleted"}"#)
        #expect(try await site.get("/bucket/b").refusal == "404 NoSuchBucket: Bucket not found")
    }

    @Test(
        arguments: [
            Fact("a name that is taken", ["name": "b"], "409 BucketAlreadyExists: The resource already exists"),
            Fact("no name", [:], "400 InvalidRequest: body must have required property 'name'"),
            Fact("a slash", ["name": "a/b"], "400 InvalidBucketName: Bucket name invalid"),
            Fact("a name that is no key", ["name": "バケツ"], "400 InvalidBucketName: Bucket name invalid"),
            Fact("an id that is none", ["name": "c", "id": " c"], "400 InvalidBucketName: Bucket name invalid"),
            Fact(
                "a limit in parsecs", ["name": "c", "file_size_limit": "12 parsecs"],
                "400 InvalidRequest: Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B"),
            Fact(
                "a limit of a petabyte", ["name": "c", "file_size_limit": 1_000_000_000_000_000],
                "413 EntityTooLarge: The object exceeded the maximum allowed size"),
            Fact(
                "a type that is none", ["name": "c", "allowed_mime_types": ["notamime"]],
                "415 InvalidMimeType: mime type notamime is not supported"),
            Fact(
                "a kind that is none", ["name": "c", "type": "COLD"],
                "400 InvalidRequest: body/type must be equal to one of the allowed values"),
            Fact("a list for a flag", ["name": "c", "public": []], "400 InvalidRequest: body/public must be boolean"),
        ] as [Fact<JSON, String>])
    func whatIsNotMade(_ fact: Fact<JSON, String>) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        #expect(try await site.post("/bucket", fact.input).refusal == fact.output)
        #expect(try await site.get("/bucket").json == .list([try await Self.listed("b", at: site)]))
    }

    private static func listed(_ name: String, at site: Site) async throws -> JSON {
        guard case .list(let buckets) = try await site.get("/bucket").json else { return .null }
        return buckets.first { $0["id"]?.string == name } ?? .null
    }

    @Test(arguments: [("20MB", 20_000_000), ("1.5kb", 1500), ("3B", 3), ("2GB", 2_000_000_000)] as [(String, Int64)])
    func limitsAreInDecimalUnits(text: String, bytes: Int64) async throws {
        let site = try Site()
        try await site.makeBucket("b", isPublic: false, ["file_size_limit": .text(text)])
        #expect(try await site.get("/bucket/b").json["file_size_limit"] == .integer(bytes))
    }

    @Test func othersThanTheServiceRoleSeeNoBucket() async throws {
        let site = try Site()
        try await site.makeBucket("b", isPublic: true)
        for token in [Site.user, Site.anonymous] {
            #expect(
                try await site.post("/bucket", as: token, ["name": "c"]).refusal
                    == "403 AccessDenied: new row violates row-level security policy")
            #expect(try await site.get("/bucket/b", as: token).refusal == "404 NoSuchBucket: Bucket not found")
            #expect(try await site.get("/bucket", as: token).text == "[]")
            #expect(
                try await site.send("PUT", "/bucket/b", as: token, ["public": false]).refusal
                    == "404 NoSuchBucket: Bucket not found")
            #expect(
                try await site.ask("DELETE", "/bucket/b", as: token).refusal == "404 NoSuchBucket: Bucket not found")
            let emptied = try await site.ask("POST", "/bucket/b/empty", as: token)
            #expect("\(emptied.status) \(emptied.refusal)" == "403 403 AccessDenied: Access denied: Invalid role")
        }
        #expect(try await site.get("/bucket/b").status == 200)
    }

    @Test func aBucketWithObjectsStaysUntilItIsEmptied() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.makeBucket("other")
        for path in ["b/1", "b/2", "other/1"] { try await site.upload(path) }
        #expect(
            try await site.ask("DELETE", "/bucket/b").refusal
                == "409 ResourceNotEmpty: The bucket you tried to delete is not empty")
        #expect(try await site.ask("POST", "/bucket/b/empty", ["Content-Type": "application/json"]).status == 200)
        #expect(try await site.blobs() == site.versions())
        #expect(try await site.versions().count == 1)
        #expect(try await site.ask("DELETE", "/bucket/b", ["Content-Type": "application/json"]).status == 200)
    }

    @Test(arguments: [
        Fact("all of them", "", ["a1", "b2", "c3"]), Fact("a search", "?search=B", ["b2"]),
        Fact("backwards", "?sortOrder=desc", ["c3", "b2", "a1"]), Fact("a page", "?limit=1&offset=1", ["b2"]),
        Fact("by time", "?sortColumn=created_at&sortOrder=desc", ["b2", "c3", "a1"]),
        Fact("by change", "?sortColumn=updated_at", ["c3", "b2", "a1"]), Fact("behind the end", "?offset=9", []),
    ])
    func bucketsAreListed(_ fact: Fact<String, [String]>) async throws {
        let site = try Site()
        for name in ["a1", "c3", "b2"] {
            try await site.makeBucket(name)
            site.pass(1)
        }
        #expect(try await site.send("PUT", "/bucket/a1", ["public": true]).status == 200)
        guard case .list(let buckets) = try await site.get("/bucket\(fact.input)").json else {
            return #expect(Bool(false))
        }
        #expect(buckets.map { $0["name"]?.string } == fact.output)
        #expect(buckets.allSatisfy { $0["type"] == "STANDARD" })
    }

    @Test(arguments: [
        ("?sortColumn=zzz", "querystring/sortColumn must be equal to one of the allowed values"),
        ("?limit=0", "querystring/limit must be >= 1"), ("?limit=x", "querystring/limit must be integer"),
    ])
    func aListThatIsRefused(query: String, message: String) async throws {
        let site = try Site()
        #expect(try await site.get("/bucket\(query)").refusal == "400 InvalidRequest: \(message)")
    }

    @Test func aChangeMustChangeSomething() async throws {
        let site = try Site()
        #expect(
            try await site.send("PUT", "/bucket/b", [:]).refusal
                == "400 InvalidRequest: body must NOT have fewer than 1 properties")
        #expect(
            try await site.send("PUT", "/bucket/b", ["public": true]).refusal == "404 NoSuchBucket: Bucket not found")
    }
}
