import Catalog
import Fixtures
import Records
import Serving
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

    /// A project may give fewer rows at once than are asked for, so that only an empty page is the last one.
    @Test(arguments: [0, 1, 99, 100, 101, 499, 500, 501, 1001], [100, 500, 1000])
    func allPagesAreRead(count: Int, mostRows: Int) async throws {
        let rows = (0..<count).map { Self.row(Int64($0), "https://a.example/\(10_000 + $0).mp4") }
        let server = RowServer(["video_jobs": rows], mostRows: mostRows)
        try await Self.with(server) { table in
            let links = try await table.links(Self.order)
            #expect(links == rows.compactMap { $0["video_url"]?.string })
            let page = min(500, mostRows)
            #expect(server.requests.value.count == (count + page - 1) / page + 1)
        }
    }

    struct Write: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The links of the rows before.
        var rows: [String?] = ["https://a/1.mp4"]
        var link = "https://a/1.mp4"
        var thumbnail: String? = "https://own/1.jpg"
        var refusals: [Response?] = []
        let outcome: LinkTable.WriteBack
        /// Link and picture of each row afterwards.
        let after: [[String?]]
    }

    @Test(arguments: [
        Write(
            testDescription: "link and picture are written where the old link stands",
            rows: ["https://a/1.mp4?x=1&y=2", "https://a/2.mp4", nil], link: "https://a/1.mp4?x=1&y=2",
            outcome: .written(1),
            after: [["https://own/1.mp4", "https://own/1.jpg"], ["https://a/2.mp4", nil], [nil, nil]]),
        Write(
            testDescription: "in every row that holds it", rows: ["https://a/1.mp4", "https://a/1.mp4"],
            outcome: .written(2),
            after: [["https://own/1.mp4", "https://own/1.jpg"], ["https://own/1.mp4", "https://own/1.jpg"]]),
        Write(
            testDescription: "without a picture the link alone", thumbnail: nil, outcome: .written(1),
            after: [["https://own/1.mp4", nil]]),
        Write(
            testDescription: "a row that was edited meanwhile is left alone", rows: ["https://a/new.mp4"],
            outcome: .edited, after: [["https://a/new.mp4", nil]]),
        Write(
            testDescription: "a row that was emptied meanwhile as well", rows: [nil], outcome: .edited,
            after: [[nil, nil]]),
        Write(
            testDescription: "a table without pictures gets the link alone",
            refusals: [
                RowServer.refusal(400, "PGRST204", "Could not find the 'thumbnail_url' column of 'video_jobs'")
            ], outcome: .written(1), after: [["https://own/1.mp4", nil]]),
        Write(
            testDescription: "also where the database says so itself",
            refusals: [RowServer.refusal(400, "42703", "column \"thumbnail_url\" does not exist")],
            outcome: .written(1), after: [["https://own/1.mp4", nil]]),
    ])
    func aLinkIsWrittenBack(_ row: Write) async throws {
        let rows = row.rows.enumerated().map { Self.row(Int64($0 + 1), $1) }
        let server = RowServer(["video_jobs": rows], refusals: row.refusals)
        try await Self.with(server) { table in
            let outcome = try await table.put(
                RowLink(url: "https://own/1.mp4", thumbnail: row.thumbnail),
                into: TableRow(Self.order, link: row.link))
            #expect(outcome == row.outcome)
        }
        let after = server.tables.value["video_jobs"]
        #expect(after?.map { [$0["video_url"]?.string, $0["thumbnail_url"]?.string] } == row.after)
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

    private static let unknown = RowServer.refusal(400, "PGRST204", "Could not find the 'video_url' column")
    private static let denied = RowServer.refusal(403, "42501", "permission denied for table video_jobs")
    private static let busy = RowServer.refusal(503, "PGRST001", "Database connection error")

    @Test(
        arguments: [
            ("not permitted", [denied], .left("")), ("busy", [busy], .waiting("")),
            ("no column for the link either", [unknown, unknown], .left("")),
            ("busy when the link goes alone", [unknown, busy], .waiting("")),
            ("no row", [], .left("it holds another link now")),
        ] as [(String, [Response?], RowOutcome)])
    func whatCannotBeWrittenLeavesTheRow(_ row: (why: String, refusals: [Response?], outcome: RowOutcome)) async throws
    {
        let rows = [Self.row(1, row.refusals.isEmpty ? "https://a/new.mp4" : "https://a/1.mp4")]
        let server = RowServer(["video_jobs": rows], refusals: row.refusals)
        try await Self.with(server) { table in
            let outcome = await table.write(
                RowLink(url: "https://own/1.mp4", thumbnail: "https://own/1.jpg"),
                to: TableRow(Self.order, link: "https://a/1.mp4"))
            switch (outcome, row.outcome) {
            case (.waiting(let words), .waiting): #expect(words.contains("Database connection error"), "\(row.why)")
            case (.left(let words), .left(let expected)):
                #expect(expected.isEmpty ? !words.isEmpty : words == expected, "\(row.why)")
            default: Issue.record("\(row.why): \(outcome)")
            }
        }
        #expect(server.tables.value["video_jobs"] == rows && server.refusals.value.isEmpty, "\(row.why)")
    }

    @Test(
        arguments: [
            ("a table that is not there", "nowhere", [], Ending.usage),
            ("a name that is none", "a b", [], Ending.usage),
            ("a column that is not there", "video_jobs", [unknown], Ending.usage),
            ("not permitted", "video_jobs", [denied], Ending.notPermitted),
            ("busy", "video_jobs", [busy], Ending.temporary),
            ("busy at the second page", "video_jobs", [nil, busy], Ending.temporary),
        ] as [(String, String, [Response?], @Sendable (String) -> Ending)])
    func rowsThatCannotBeReadEndInWords(
        _ row: (why: String, table: String, refusals: [Response?], ending: @Sendable (String) -> Ending)
    ) async throws {
        let rows = (0..<500).map { Self.row(Int64($0), "https://a.example/\(10_000 + $0).mp4") }
        try await Self.with(RowServer(["video_jobs": rows], refusals: row.refusals)) { table in
            let refusal = await #expect(throws: Refusal.self, "\(row.why)") {
                try await table.rows(TableOrder(table: row.table, column: "video_url"))
            }
            let ending = try #require(refusal?.ending)
            #expect(ending == row.ending(ending.description), "\(row.why): \(ending)")
        }
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
