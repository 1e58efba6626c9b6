import Fixtures
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Rescue

@Suite struct LinkTableTests {
    static let order = TableOrder(table: "video_jobs", column: "video_url", thumbnailColumn: "thumbnail_url")

    static func row(_ id: Int64, _ link: String?) -> RowServer.Row {
        ["id": .integer(id), "video_url": link.map(JSONValue.string) ?? .null, "thumbnail_url": .null]
    }

    /// Runs `body` with the tables that `server` holds.
    static func with(_ server: RowServer, _ body: (LinkTable) async throws -> Void) async throws {
        let client = HTTPClient()
        defer { client.close() }
        try await server.serve { base in
            try await body(
                LinkTable(
                    RestClient(base: base, transport: client) { _ throws(StorageError) in
                        StorageCredentials(key: "key")
                    }, own: "https://own.example/storage/v1"))
        }
    }

    @Test func everyLinkIsReadOnceAndOursAndNullAreLeftOut() async throws {
        let rows = [
            Self.row(1, "https://b.example/2.mp4"), Self.row(2, nil), Self.row(3, "https://a.example/1.mp4"),
            Self.row(4, "https://b.example/2.mp4"), Self.row(5, "https://own.example/storage/v1/object/x.mp4"),
            Self.row(6, ""),
        ]
        try await Self.with(RowServer(["video_jobs": rows])) { table in
            let links = try await table.links(Self.order)
            #expect(links == ["https://a.example/1.mp4", "https://b.example/2.mp4"])
        }
    }

    @Test(arguments: [499, 500, 501, 1001])
    func allPagesAreRead(count: Int) async throws {
        let rows = (0..<count).map { Self.row(Int64($0), "https://a.example/\(10_000 + $0).mp4") }
        let server = RowServer(["video_jobs": rows])
        try await Self.with(server) { table in
            let links = try await table.links(Self.order)
            #expect(links == rows.compactMap { $0["video_url"]?.string })
            #expect(server.requests.value.count == count / 500 + 1)
        }
    }

    @Test func theNewLinkAndThePictureAreWrittenWhereTheOldLinkStands() async throws {
        let server = RowServer(["video_jobs": [Self.row(1, "https://a/1.mp4?x=1&y=2"), Self.row(2, "https://a/2.mp4")]])
        try await Self.with(server) { table in
            let outcome = try await table.put(
                RowLink(url: "https://own/1.mp4", thumbnail: "https://own/1.jpg"),
                into: TableRow(Self.order, link: "https://a/1.mp4?x=1&y=2"))
            #expect(outcome == .written(1))
        }
        let rows = server.tables.value["video_jobs"]
        #expect(rows?.map { $0["video_url"]?.string } == ["https://own/1.mp4", "https://a/2.mp4"])
        #expect(rows?.map { $0["thumbnail_url"]?.string } == ["https://own/1.jpg", nil])
    }

    @Test func aRowEditedMeanwhileIsLeftAlone() async throws {
        let server = RowServer(["video_jobs": [Self.row(1, "https://a/new.mp4")]])
        try await Self.with(server) { table in
            let outcome = try await table.put(
                RowLink(url: "https://own/1.mp4", thumbnail: nil), into: TableRow(Self.order, link: "https://a/1.mp4"))
            #expect(outcome == .edited)
        }
        #expect(server.tables.value["video_jobs"]?.first == Self.row(1, "https://a/new.mp4"))
    }

    @Test(arguments: [
        ("the provider's link", "https://a/1.mp4", LinkTable.WriteBack.edited),
        ("the link before", "https://own/old", .written(1)),
        ("the new one, whose answer was lost", "https://own/new", .written(1)),
        ("another client's", "https://elsewhere", .edited),
    ])
    func aLinkThatEndsIsReplacedWhereTheRowHolds(_ row: (what: String, link: String, outcome: LinkTable.WriteBack))
        async throws
    {
        let place = TableRow(Self.order, link: "https://a/1.mp4")
        let term = RowLink.Term(from: Jobs.now, seconds: 600)
        let old = RowLink(url: "https://own/old", thumbnail: nil, term: term).written
        let new = RowLink(url: "https://own/new", thumbnail: nil, term: term).following(old, in: place)
        let server = RowServer(["video_jobs": [Self.row(1, row.link)]])
        try await Self.with(server) { table in
            let outcome = try await table.put(new, into: place)
            #expect(outcome == row.outcome, "\(row.what)")
        }
        let holds = server.tables.value["video_jobs"]?.first?["video_url"]?.string
        #expect(holds == (row.outcome == .edited ? row.link : "https://own/new"), "\(row.what)")
    }

    @Test func aTableWithoutPicturesGetsTheLinkAlone() async throws {
        let refusal = RowServer.refusal(400, "PGRST204", "Could not find the 'thumbnail_url' column of 'video_jobs'")
        let server = RowServer(["video_jobs": [Self.row(1, "https://a/1.mp4")]], refusals: [refusal])
        try await Self.with(server) { table in
            let outcome = try await table.put(
                RowLink(url: "https://own/1.mp4", thumbnail: "https://own/1.jpg"),
                into: TableRow(Self.order, link: "https://a/1.mp4"))
            #expect(outcome == .written(1))
        }
        #expect(server.tables.value["video_jobs"]?.first?["thumbnail_url"] == .null)
        #expect(server.tables.value["video_jobs"]?.first?["video_url"]?.string == "https://own/1.mp4")
    }

    @Test func aDeniedWriteIsAnErrorAndTheRowStays() async throws {
        let refusal = RowServer.refusal(403, "42501", "permission denied for table video_jobs")
        let server = RowServer(["video_jobs": [Self.row(1, "https://a/1.mp4")]], refusals: [refusal])
        try await Self.with(server) { table in
            await #expect(throws: RestError.self) {
                _ = try await table.put(
                    RowLink(url: "https://own/1.mp4", thumbnail: nil),
                    into: TableRow(Self.order, link: "https://a/1.mp4"))
            }
        }
        #expect(server.tables.value["video_jobs"]?.first == Self.row(1, "https://a/1.mp4"))
    }

    @Test(arguments: [
        ("video_jobs", "video_url", nil),
        ("a b", "video_url", "\"a b\" is no name of 1 to 63 letters, digits or \"_\"."),
        ("t", "x,y", "\"x,y\" is no name of 1 to 63 letters, digits or \"_\"."),
        ("t", "", "\"\" is no name of 1 to 63 letters, digits or \"_\"."),
    ])
    func namesThatNeedEscapingAreRefused(_ row: (table: String, column: String, fault: String?)) {
        #expect(TableOrder(table: row.table, column: row.column).fault == row.fault)
    }
}
