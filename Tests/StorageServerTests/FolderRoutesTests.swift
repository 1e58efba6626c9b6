import ObjectStore
import TestSupport
import Testing

@testable import StorageServer

@Suite struct FolderRoutesTests {
    private static let keys = [
        "list/f0.txt", "list/f1.txt", "list/sub/a.txt", "list/sub/b.txt", "list/Sub2/c.txt", "list/B.txt",
        "list/a_b.txt", "other", "LIST/d",
    ]

    private func filled() async throws -> Site {
        let site = try Site()
        try await site.makeBucket("b")
        for key in Self.keys {
            try await site.upload("b/\(key)")
            site.pass(1000)
        }
        return site
    }

    private func names(_ site: Site, as token: String = Site.service, _ query: JSON) async throws -> [String] {
        let answer = try await site.post("/object/list/b", as: token, query)
        guard case .list(let items) = answer.json else { return [answer.refusal] }
        return items.map { ($0["name"]?.string ?? "-") + ($0["id"] == .null ? "/" : "") }
    }

    @Test(
        arguments: [
            Fact("the top", ["prefix": ""], ["LIST/", "list/", "other"]),
            Fact(
                "a folder, in any case and with or without its slash", ["prefix": "List"],
                ["a_b.txt", "B.txt", "d", "f0.txt", "f1.txt", "sub/", "Sub2/"]),
            Fact("a page", ["prefix": "list/", "limit": 2, "offset": 1], ["B.txt", "d"]),
            Fact("behind the end", ["prefix": "list/", "offset": 7], []),
            Fact("names that begin so", ["prefix": "list", "search": "F1"], ["f1.txt"]),
            Fact("not names that hold it", ["prefix": "list", "search": "1"], []),
            Fact(
                "downwards", ["prefix": "list", "sortBy": ["column": "name", "order": "desc"], "limit": 3],
                ["Sub2/", "sub/", "f1.txt"]),
            Fact(
                "by time, folders first", ["prefix": "list", "sortBy": ["column": "created_at"]],
                ["Sub2/", "sub/", "f0.txt", "f1.txt", "B.txt", "a_b.txt", "d"]),
            Fact(
                "the latest", ["prefix": "list", "sortBy": ["column": "updated_at", "order": "desc"], "limit": 3],
                ["Sub2/", "sub/", "d"]),
            Fact("no prefix", [:], ["400 InvalidRequest: body must have required property 'prefix'"]),
            Fact("no entries", ["prefix": "", "limit": 0], ["400 InvalidRequest: body/limit must be >= 1"]),
            Fact(
                "an unknown column", ["prefix": "", "sortBy": ["column": "size"]],
                ["400 InvalidRequest: body/sortBy/column must be equal to one of the allowed values"]),
        ] as [Fact<JSON, [String]>])
    func whatIsOnALevel(_ fact: Fact<JSON, [String]>) async throws {
        #expect(try await names(filled(), fact.input) == fact.output)
    }

    @Test func usersSeeTheirOwn() async throws {
        let site = try await filled()
        try await site.upload("b/\(Site.userID)/mine")
        #expect(try await names(site, as: Site.user, ["prefix": ""]) == [Site.userID + "/"])
        #expect(try await names(site, as: Site.user, ["prefix": "list"]) == [])
        #expect(try await names(site, as: Site.user, ["prefix": .text(Site.userID)]) == ["mine"])
        #expect(try await names(site, as: Site.anonymous, ["prefix": ""]) == [])
    }

    @Test func aBucketThatIsNotThereIsEmpty() async throws {
        #expect(try await Site().post("/object/list/none", ["prefix": ""]).json == [])
    }
}
