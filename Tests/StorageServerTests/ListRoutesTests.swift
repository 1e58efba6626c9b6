import FoundationEssentials
import ObjectStore
import Platform
import TestSupport
import Testing

@testable import StorageServer

@Suite struct ListRoutesTests {
    static let keys = [
        "list/f0.txt", "list/f1.txt", "list/f2.txt", "list/sub/a.txt", "list/sub/b.txt", "list/Sub2/c.txt",
        "list/B.txt",
        "list/a_b.txt", "root", "sub/x", "trail/",
    ]

    static func site() async throws -> Site {
        let site = try Site()
        try await site.makeBucket("b")
        for key in keys {
            try await site.upload("b/\(key)")
            site.pass(1)
        }
        return site
    }

    /// Names of folders, then of objects.
    private func names(_ page: JSON) -> [String] {
        ["folders", "objects"].flatMap { kind -> [String] in
            guard case .list(let entries)? = page[kind] else { return [] }
            return entries.compactMap { $0["name"]?.string }
        }
    }

    @Test(
        arguments: [
            Fact(
                "all, in byte order", [:],
                [
                    "list/B.txt", "list/Sub2/c.txt", "list/a_b.txt", "list/f0.txt", "list/f1.txt", "list/f2.txt",
                    "list/sub/a.txt", "list/sub/b.txt", "root", "sub/x", "trail/",
                ]),
            Fact("below a prefix", ["prefix": "list/f"], ["list/f0.txt", "list/f1.txt", "list/f2.txt"]),
            Fact("case counts", ["prefix": "LIST/"], []),
            Fact("a prefix is text, no pattern", ["prefix": "list/_"], []),
            Fact(
                "one level", ["prefix": "list/", "with_delimiter": true],
                ["list/Sub2/", "list/sub/", "list/B.txt", "list/a_b.txt", "list/f0.txt", "list/f1.txt", "list/f2.txt"]),
            Fact("the first level", ["with_delimiter": true], ["list/", "sub/", "trail/", "root"]),
            Fact(
                "one level backwards",
                [
                    "prefix": "list/", "with_delimiter": true, "limit": 3,
                    "sortBy": ["column": "name", "order": "desc"],
                ], ["list/sub/", "list/f2.txt", "list/f1.txt"]),
            Fact("an object named as its folder", ["prefix": "trail/", "with_delimiter": true], ["trail/"]),
            Fact(
                "by time", ["prefix": "list/", "limit": 3, "sortBy": ["column": "created_at"]],
                ["list/f0.txt", "list/f1.txt", "list/f2.txt"]),
            Fact(
                "newest first", ["limit": 2, "sortBy": ["column": "updated_at", "order": "desc"]], ["trail/", "sub/x"]),
            Fact(
                "by time, one level", ["prefix": "list/", "with_delimiter": true, "sortBy": ["column": "created_at"]],
                ["list/Sub2/", "list/sub/", "list/f0.txt", "list/f1.txt", "list/f2.txt", "list/B.txt", "list/a_b.txt"]),
            Fact("no more than there is", ["limit": 5000, "prefix": "r"], ["root"]),
        ] as [Fact<JSON, [String]>])
    func aPageHolds(_ fact: Fact<JSON, [String]>) async throws {
        let site = try await Self.site()
        #expect(names(try await site.post("/object/list-v2/b", fact.input).json) == fact.output)
    }

    struct Sorting: CustomTestStringConvertible, Sendable {
        let column: String
        let order: String
        let hasDelimiter: Bool
        var testDescription: String { "\(column) \(order) \(hasDelimiter)" }

        /// Later pages request another order, which is ignored in favour of the cursor's.
        func request(limit: Int, cursor: String?) -> JSON {
            let sort: JSON =
                cursor == nil ? ["column": .text(column), "order": .text(order)] : ["column": "name", "order": "asc"]
            return [
                "limit": .integer(Int64(limit)), "with_delimiter": .flag(hasDelimiter), "sortBy": sort,
                "cursor": .text(cursor ?? ""),
            ]
        }

        static let all = ["name", "created_at", "updated_at"].flatMap { column in
            ["asc", "desc"].flatMap { order in
                [true, false].map { Sorting(column: column, order: order, hasDelimiter: $0) }
            }
        }
    }

    @Test(arguments: Sorting.all)
    func pagesTogetherAreTheWholeList(_ sorting: Sorting) async throws {
        let site = try await Self.site()
        let whole = try await site.post("/object/list-v2/b", sorting.request(limit: 1000, cursor: nil)).json
        for limit in 1...4 {
            var found: [String] = []
            var cursor: String?
            repeat {
                let page = try await site.post("/object/list-v2/b", sorting.request(limit: limit, cursor: cursor)).json
                found += names(page)
                cursor = page["nextCursor"]?.string
                #expect(page["hasNext"] == .flag(cursor != nil))
            } while cursor != nil && found.count <= Self.keys.count
            #expect(found.sorted() == names(whole).sorted())
            #expect(Set(found).count == found.count)
        }
    }

    @Test func anEntryTellsWhatItIs() async throws {
        let site = try await Self.site()
        let flat = try await site.post("/object/list-v2/b", ["prefix": "root"])
        let id = try await site.get("/object/info/b/root").json["id"]?.string ?? ""
        let time = "2026-11-20T18:36:45.008Z"
        let metadata =
            #"{"eTag":"\"5d41402abc4b2a76b9719d911017c592\"","size":5,"mimetype":"text/plain","cacheControl":"no-cache","#
            + #""lastModified":"\#(time)","contentLength":5,"httpStatusCode":200}"#
        let times = #""updated_at":"\#(time)","created_at":"\#(time)","last_accessed_at":"\#(time)""#
        #expect(
            flat.text
                == #"{"hasNext":false,"folders":[],"objects":[{"id":"\#(id)","name":"root","metadata":\#(metadata),\#(times)}]}"#
        )
        let leveled = try await site.post("/object/list-v2/b", ["prefix": "root", "with_delimiter": true])
        #expect(
            leveled.text
                == #"{"hasNext":false,"folders":[],"objects":[{"key":"root","name":"root","id":"\#(id)",\#(times),"metadata":\#(metadata)}]}"#
        )
        let folder = try await site.post("/object/list-v2/b", ["prefix": "list/s", "with_delimiter": true])
        #expect(
            folder.text
                == #"{"hasNext":false,"folders":[{"key":"sub","name":"list/sub/","id":null,"updated_at":null,"created_at":null,"last_accessed_at":null,"metadata":null}],"objects":[]}"#
        )
    }

    @Test(
        arguments: [
            Fact("a plain first page", ["limit": 3, "prefix": "list/"], "l:list/a_b.txt"),
            Fact(
                "the page after it", ["limit": 3, "prefix": "list/", "cursor": "bDpsaXN0L2FfYi50eHQ="],
                "l:list/f2.txt\no:asc"),
            Fact("sorted", ["limit": 1, "sortBy": ["column": "name", "order": "desc"]], "l:trail/\no:desc\nc:name"),
            Fact(
                "sorted by time", ["limit": 1, "sortBy": ["column": "created_at"]],
                "l:list/f0.txt\nc:created_at\na:2026-11-20T18:36:45.000Z"),
        ] as [Fact<JSON, String>])
    func aCursorSays(_ fact: Fact<JSON, String>) async throws {
        let site = try await Self.site()
        let page = try await site.post("/object/list-v2/b", fact.input).json
        let cursor = page["nextCursor"]?.string.flatMap { Data(base64Encoded: $0) }
        #expect(cursor.map { String(decoding: $0, as: UTF8.self) } == fact.output)
    }

    @Test(arguments: ["zzz", "eHg=", "bzphc2M=", "bDphCm86dXA=", "bDphCmM6c2l6ZQ==", "/w=="])
    func aCursorThatIsNoneIsRefused(text: String) async throws {
        let site = try await Self.site()
        #expect(
            try await site.post("/object/list-v2/b", ["cursor": .text(text)]).refusal
                == "400 InvalidParameter: Invalid Parameter continuation token")
    }

    @Test(
        arguments: [
            Fact("anyone", (Site.anonymous, [:]), []),
            Fact("a user, everything", (Site.user, [:]), ["\(Site.userID)/1", "\(Site.userID)/d/2"]),
            Fact("a user, the first level", (Site.user, ["with_delimiter": true]), ["\(Site.userID)/"]),
            Fact(
                "a user, own folder", (Site.user, ["with_delimiter": true, "prefix": .text("\(Site.userID)/")]),
                ["\(Site.userID)/d/", "\(Site.userID)/1"]),
            Fact("a user, another's folder", (Site.user, ["prefix": "list/"]), []),
        ] as [Fact<(String, JSON), [String]>])
    func everyoneSeesWhatIsTheirs(_ fact: Fact<(String, JSON), [String]>) async throws {
        let site = try await Self.site()
        for name in ["1", "d/2"] { try await site.upload("b/\(Site.userID)/\(name)") }
        #expect(names(try await site.post("/object/list-v2/b", as: fact.input.0, fact.input.1).json) == fact.output)
    }

    @Test(
        arguments: [
            Fact("no body", nil, "400 InvalidRequest: body must be object"),
            Fact("a limit of nothing", ["limit": 0], "400 InvalidRequest: body/limit must be >= 1"),
            Fact(
                "another column", ["sortBy": ["column": "last_accessed_at"]],
                "400 InvalidRequest: body/sortBy/column must be equal to one of the allowed values"),
            Fact(
                "an order without a column", ["sortBy": ["order": "asc"]],
                "400 InvalidRequest: body/sortBy must have required property 'column'"),
        ] as [Fact<JSON?, String>])
    func aListThatIsRefused(_ fact: Fact<JSON?, String>) async throws {
        let site = try await Self.site()
        let answer =
            if let body = fact.input { try await site.post("/object/list-v2/b", body) } else {
                try await site.ask("POST", "/object/list-v2/b")
            }
        #expect(answer.refusal == fact.output)
    }

    @Test func aBucketThatIsNotThereHasNothing() async throws {
        let site = try await Self.site()
        #expect(
            try await site.post("/object/list-v2/none", [:]).text == #"{"hasNext":false,"folders":[],"objects":[]}"#)
    }
}
