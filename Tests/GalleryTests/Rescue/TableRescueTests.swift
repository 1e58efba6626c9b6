import Catalog
import Configuration
import Foundation
import Platform
import ProviderServer
import Providers
import Records
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Gallery
@testable import Rescue

/// Links in table rows: rescued into storage, and replaced in the rows.
@Suite struct TableRescueTests {
    static let order = TableOrder(table: "video_jobs", column: "video_url", thumbnailColumn: "thumbnail_url")

    /// Rows that another client edits right before they are written.
    struct Edited: RowKeeping {
        let registry: LinkTable
        let rows: RowServer
        let link: String

        func rows(_ order: TableOrder) async throws -> [TableRow] { try await registry.rows(order) }

        func write(_ stored: RowLink, to row: TableRow) async -> RowOutcome {
            if row.link == link { rows.edit(link, to: "https://elsewhere.example/mine.mp4") }
            return await registry.write(stored, to: row)
        }
    }

    /// A studio with `count` rows, whose links lead to as many movies.
    static func with(
        _ count: Int, edited: Int? = nil, _ body: (Studio, RowServer, [String]) async throws -> Void
    ) async throws {
        try await Studio.with { studio in
            let links = (0..<count).map { number in
                studio.server.add(Reels.media(seed: UInt64(number), name: "m\(number + 100).mp4"), signedAt: Date())
            }
            let rows = RowServer([
                order.table: links.enumerated().map { number, link in
                    ["id": .integer(Int64(number)), "video_url": .string(link), "thumbnail_url": .null]
                }
            ])
            try await rows.serve { base in
                var studio = studio
                let client = RestClient(base: base, transport: studio.fixture.client) { _ throws(StorageError) in
                    StorageCredentials(key: "key")
                }
                let registry = LinkTable(client, own: "http://storage")
                let link = edited.map { links[$0] }
                studio.equip { setup in
                    setup.rescue.rows = link.map { Edited(registry: registry, rows: rows, link: $0) } ?? registry
                }
                try await body(studio, rows, links)
            }
        }
    }

    @Test func everyRowIsToldButTheOneThatWasEditedMeanwhile() async throws {
        try await Self.with(20, edited: 7) { studio, rows, links in
            let (listing, ending) = try await studio.rescue(.table(Self.order))
            #expect(ending == .done && listing.rows.count == 20)
            #expect(listing.rows.allSatisfy { $0.state == "stored" })
            let urls = rows.column("video_url")
            #expect(urls[7] == "https://elsewhere.example/mine.mp4")
            for (number, url) in urls.enumerated() where number != 7 {
                #expect(url.contains("/object/authenticated/media/generated/"), "\(number): \(url)")
            }
            #expect(Set(urls).count == 20)
            #expect(listing.rows.compactMap(\.note) == ["The row is left as it is: it holds another link now"])
            #expect(try await studio.fixture.objects().count == 20)
        }
    }

    @Test func aSecondRunFindsNothingToDo() async throws {
        try await Self.with(3) { studio, rows, _ in
            _ = try await studio.rescue(.table(Self.order))
            let (fetched, told) = (studio.server.log.count, rows.requests.value.count)
            let (listing, ending) = try await studio.rescue(.table(Self.order))
            #expect(ending == .done && listing.rows.isEmpty)
            #expect(studio.server.log.count == fetched && rows.requests.value.count == told + 2)
        }
    }

    @Test func aFileThatMayNotBeStoredLeavesItsRowAndSaysWhy() async throws {
        try await Self.with(1) { studio, rows, links in
            let body = #"{"statusCode":"403","error":"Unauthorized","message":"violates row-level security"}"#
            let refusal = Response(
                status: 400, headers: ["content-type": "application/json"], body: .bytes(Array(body.utf8)))
            studio.fixture.faults.change { faults in
                faults = { request in
                    let isUpload = request.method == "POST" && request.path.contains("/object/media/")
                    return isUpload ? .answer(refusal) : nil
                }
            }
            let (listing, ending) = try await studio.rescue(.table(Self.order))
            #expect(ending != .done)
            #expect(listing.rows.map(\.state) == ["safe"])
            #expect(rows.column("video_url") == links)
            #expect(
                "\(ending)".contains("row-level security")
                    || listing.rows[0].note?.contains("row-level security") == true, "\(ending) \(listing)")
        }
    }

    /// A watch waits for the thumbnail as long as it may come; not for one that is refused for good.
    @Test(arguments: [false, true])
    func aWatchTellsTheRowOfItsPictureOrThatThereIsNone(isRefused: Bool) async throws {
        try await Self.with(1) { studio, rows, _ in
            var studio = studio
            studio.fixture.settings.thumbnails.enabled = true
            studio.equip { $0.workers = PainterDouble() }
            studio.fixture.faults.change { faults in
                faults = { request in
                    let isPicture = request.method == "POST" && request.path.contains("/.thumbnails/")
                    guard isRefused, isPicture else { return nil }
                    let body = #"{"statusCode":"415","error":"invalid_mime_type","message":"no pictures here"}"#
                    return .answer(
                        Response(
                            status: 400, headers: ["content-type": "application/json"], body: .bytes(Array(body.utf8))))
                }
            }
            let jobs = try await studio.fixture.run(.watch) { agent in
                try await agent.checkDestination()
                _ = try await agent.rescuePlan(RescueOrder(.table(Self.order)))
                try await eventually("all jobs are settled") { await agent.jobOrders.all().allSatisfy(\.isSettled) }
                return await agent.jobOrders.all()
            }
            let file = try #require(jobs.first?.files.first)
            #expect(file.row == .written && rows.column("video_url") == [file.storedURL])
            #expect(rows.column("thumbnail_url") == [file.thumbnailURL ?? "null"])
            #expect((file.thumbnailURL == nil) == isRefused)
            let note = RescueListing.rows(of: jobs[0], isNew: false)[0].note
            #expect(note?.contains("no pictures here") == (isRefused ? true : nil), "\(note ?? "")")
        }
    }

    @Test func theTableIsReadOnce() async throws {
        try await Self.with(3) { studio, rows, _ in
            let order = RescueOrder(.table(Self.order))
            let listing = try await studio.fixture.run(.steering) { try await $0.rescuePlan(order) }
            #expect(listing.rows.map(\.state) == ["new", "new", "new"])
            let (result, ending) = try await studio.rescue(.jobs(listing.jobs))
            #expect(ending == .done && result.rows.map(\.state) == ["stored", "stored", "stored"])
            // A page, and the empty one behind it.
            #expect(rows.requests.value.count { $0.hasPrefix("GET") } == 2)
            #expect(Set(rows.column("video_url")).count == 3)
        }
    }

    @Test func aFileThatDoesNotFitTheBudgetLeavesItsRowAndSaysWhy() async throws {
        try await Self.with(1) { studio, rows, links in
            var studio = studio
            studio.fixture.settings.destination.storageBudget = .bytes(100)
            let plan = try await studio.fixture.run { try await $0.rescuePlan(RescueOrder(.table(Self.order))) }
            #expect(plan.rows.map(\.state) == ["new"])
            let (listing, ending) = try await studio.rescue(.table(Self.order))
            #expect(listing.rows.map(\.state) == ["safe"])
            #expect(listing.rows.map(\.fits) == [false])
            #expect("\(ending)".contains("budget"), "\(ending)")
            #expect(rows.column("video_url") == links)
        }
    }
}

extension RowServer {
    /// The texts of a column, in the rows' order.
    func column(_ name: String) -> [String] {
        (tables.value["video_jobs"] ?? []).map { $0[name]?.string ?? "null" }
    }

    /// Replaces `link` by another link, as another client would.
    func edit(_ link: String, to other: String) {
        tables.change { tables in
            for index in tables["video_jobs"]?.indices ?? 0..<0
            where tables["video_jobs"]?[index]["video_url"] == .string(link) {
                tables["video_jobs"]?[index]["video_url"] = .string(other)
            }
        }
    }
}
