import FoundationEssentials
import ObjectStore
import Platform
import Serving
import TestSupport
import Testing

@testable import StorageServer

@Suite struct MoveRoutesTests {
    static func site() async throws -> Site {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.makeBucket("c")
        for path in ["b/1", "b/2", "b/\(Site.userID)/1"] { try await site.upload(path, path) }
        return site
    }

    static func journey(_ source: String, _ target: String, to bucket: String? = nil) -> JSON {
        var fields: [JSON.Member] = [
            JSON.Member(name: "bucketId", value: "b"), JSON.Member(name: "sourceKey", value: .text(source)),
            JSON.Member(name: "destinationKey", value: .text(target)),
        ]
        if let bucket { fields.append(JSON.Member(name: "destinationBucket", value: .text(bucket))) }
        return .object(fields)
    }

    @Test(arguments: [nil, "c"])
    func aMovedObjectIsTheSameElsewhere(bucket: String?) async throws {
        let site = try await Self.site()
        let before = try await site.get("/object/info/b/1").json
        let answer = try await site.post("/object/move", Self.journey("1", "d/3", to: bucket))
        #expect(answer.text == #"{"message":"Successfully moved"}"#)
        #expect(try await site.get("/object/info/b/1").refusal == "404 NoSuchKey: Object not found")
        let after = try await site.get("/object/info/\(bucket ?? "b")/d/3").json
        #expect(after["id"] == before["id"])
        #expect(after["version"] == before["version"])
        #expect(try await site.get("/object/\(bucket ?? "b")/d/3").text == "b/1")
    }

    @Test(
        arguments: [
            Fact("to itself", ("move", journey("1", "1")), nil),
            Fact("nothing", ("move", journey("none", "x")), "404 NoSuchKey: Object not found"),
            Fact("onto another", ("move", journey("1", "2")), "409 ResourceAlreadyExists: The resource already exists"),
            Fact("to no key", ("move", journey("1", "é")), "400 InvalidKey: Invalid key: é"),
            Fact(
                "to no bucket", ("move", journey("1", "x", to: "none")),
                "404 InvalidRequest: The related resource does not exist"),
            Fact(
                "from nowhere", ("move", ["bucketId": "b"]),
                "400 InvalidRequest: body must have required property 'sourceKey'"),
            Fact("a copy of nothing", ("copy", journey("none", "x")), "404 NoSuchKey: Object not found"),
            Fact(
                "a copy onto another", ("copy", journey("1", "2")), "409 KeyAlreadyExists: The resource already exists"),
            Fact("a copy to no key", ("copy", journey("1", "日本")), "400 InvalidKey: Invalid key: 日本"),
            Fact(
                "a copy to no bucket", ("copy", journey("1", "x", to: "none")),
                "404 InvalidRequest: The related resource does not exist"),
        ] as [Fact<(String, JSON), String?>])
    func whatDoesNotMove(_ fact: Fact<(String, JSON), String?>) async throws {
        let site = try await Self.site()
        let answer = try await site.post("/object/\(fact.input.0)", fact.input.1)
        if let refusal = fact.output { #expect(answer.refusal == refusal) } else { #expect(answer.status == 200) }
        #expect(try await site.get("/object/b/1").text == "b/1")
        #expect(try await site.get("/object/b/2").text == "b/2")
        #expect(try await site.blobs() == site.versions())
    }

    @Test func aCopyIsAnObjectOfItsOwn() async throws {
        let site = try await Self.site()
        site.pass(1000)
        let answer = try await site.post("/object/copy", Self.journey("1", "copy", to: "c"))
        #expect(answer.json["Key"] == "c/copy")
        #expect(answer.json["Id"] == answer.json["id"])
        #expect(answer.json["metadata"]?["lastModified"] == "2026-11-20T18:36:46.000Z")
        #expect(try await site.ask("DELETE", "/object/b/1").status == 200)
        #expect(try await site.get("/object/c/copy").text == "b/1")
        #expect(try await site.blobs() == site.versions())
    }

    @Test func aCopyMayReplaceAndHaveOtherMetadata() async throws {
        let site = try await Self.site()
        let new = Data(#"{"z":9}"#.utf8).base64EncodedString()
        guard case .object(let fields) = Self.journey("1", "2") else { return }
        let other: [JSON.Member] = [
            JSON.Member(name: "copyMetadata", value: false),
            JSON.Member(name: "metadata", value: ["cacheControl": "max-age=1", "mimetype": "text/csv"]),
        ]
        let answer = try await site.send(
            "POST", "/object/copy", .object(fields + other), ["x-upsert": "true", "x-metadata": new])
        #expect(answer.status == 200)
        let info = try await site.get("/object/info/b/2").json
        #expect(info["metadata"] == ["z": 9])
        #expect(info["content_type"] == "text/csv")
        #expect(info["cache_control"] == "max-age=1")
        #expect(try await site.get("/object/b/2").text == "b/1")
        #expect(try await site.blobs() == site.versions())
    }

    @Test func usersMoveTheirOwnWithinTheirFolder() async throws {
        let site = try await Self.site()
        let own = "\(Site.userID)/1"
        for route in ["move", "copy"] {
            #expect(
                try await site.post("/object/\(route)", as: Site.user, Self.journey("1", own + "x")).refusal
                    == "404 NoSuchKey: Object not found")
            #expect(
                try await site.post("/object/\(route)", as: Site.user, Self.journey(own, "x")).refusal
                    == "403 AccessDenied: new row violates row-level security policy")
            #expect(
                try await site.post("/object/\(route)", as: Site.user, Self.journey(own, own + route)).status == 200)
            if route == "move" {
                #expect(
                    try await site.post("/object/move", as: Site.user, Self.journey(own + route, own)).status == 200)
            }
        }
    }
}

@Suite struct DeleteRoutesTests {
    @Test func anObjectIsDeletedWithItsBytes() async throws {
        let site = try await MoveRoutesTests.site()
        #expect(try await site.ask("DELETE", "/object/b/1").text == #"{"message":"Successfully deleted"}"#)
        #expect(try await site.ask("DELETE", "/object/b/1").refusal == "404 NoSuchKey: Object not found")
        #expect(try await site.ask("DELETE", "/object/b/2", as: Site.user).refusal == "403 AccessDenied: Access denied")
        #expect(try await site.ask("DELETE", "/object/b/\(Site.userID)/1", as: Site.user).status == 200)
        #expect(
            try await site.ask("DELETE", "/object/b/2", ["Content-Type": "application/json"]).refusal
                == "400 InvalidRequest: Body cannot be empty when content-type is set to 'application/json'")
        #expect(try await site.blobs() == site.versions())
        #expect(try await site.versions().count == 1)
    }

    @Test(
        arguments: [
            Fact("what there is, in order", (Site.service, ["2", "none", "1", "1"]), ["1", "2"]),
            Fact("whole keys only", (Site.service, ["\(Site.userID)/"]), []),
            Fact("what is the caller's", (Site.user, ["1", "\(Site.userID)/1"]), ["\(Site.userID)/1"]),
            Fact("nothing for anyone", (Site.anonymous, ["1"]), []),
            Fact("a thousand and one", (Site.service, (0...1000).map { "x\($0)" }), []),
        ] as [Fact<(String, [String]), [String]>])
    func aListIsDeleted(_ fact: Fact<(String, [String]), [String]>) async throws {
        let site = try await MoveRoutesTests.site()
        let body: JSON = ["prefixes": .list(fact.input.1.map { .text($0) })]
        guard case .list(let rows) = try await site.send("DELETE", "/object/b", as: fact.input.0, body).json else {
            return #expect(Bool(false))
        }
        #expect(rows.map { $0["name"]?.string } == fact.output)
        #expect(try await site.versions().count == 3 - fact.output.count)
        #expect(try await site.blobs() == site.versions())
    }

    @Test func anEmptyListIsRefused() async throws {
        let site = try await MoveRoutesTests.site()
        #expect(
            try await site.send("DELETE", "/object/b", ["prefixes": []]).refusal
                == "400 InvalidRequest: body/prefixes must NOT have fewer than 1 items")
        #expect(try await site.send("DELETE", "/object/none", ["prefixes": ["a"]]).text == "[]")
    }
}
