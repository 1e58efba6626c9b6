import Browsing
import Fixtures
import Foundation
import Platform
import Roots
import Serving
import TestSupport
import Testing

@testable import Catalog
@testable import Dashboard

@Suite struct TimelineRoutesTests {
    @Test func columnsHaveTheSameLength() async throws {
        try await PageFixture.with { fixture in
            let columns = try Columns(await fixture.ask("/api/1/timeline/assets?from=1&count=2"))
            #expect(columns.names == [FilePath("<b>\"\n.jpg").display, "c.jpg"])
            #expect(columns.from == 1 && columns.ids.count == 2 && columns.states == ["stored", "stored"])
            let ratios = await fixture.ask("/api/1/timeline/ratios?from=3")
            #expect(try ratios.bytes == [148])
            #expect(ratios.headers["x-revision"] == columns.revision)
            let months = try await fixture.ask("/api/1/timeline").text
            #expect(months.contains(#""count":4,"days":[["2026-05-28",4]],"months":[["2026-05",4]]"#))
            #expect(months.contains(#""thumbnailSizes":[256,512]"#))
        }
    }

    @Test(arguments: [
        "state=bogus", "kind=movie", "root=Other", "from=-1", "from=x", "count=0", "count=513",
        "path=2024", "since=2024-02-30", "since=24-1", "since=2024-05-01&until=2024-04-01", "root=Pictures&path=~%21",
        "text=\(String(repeating: "x", count: 201))", "text=%00", "text=a%00b",
        "since=2024--05-01", "since=-2024-05-01", "since=2024-05-x-01", "since=2024-05-01-", "since=2024-05", "until=-",
        "since=0-01-01", "since=10000-01-01", "until=2024-00-01", "until=2024-13-01", "until=2023-02-29",
        "until=2024-01-9223372036854775807", "until=2024-9223372036854775807-01", "since=20240501", "since=2024/05/01",
        "since=%2B2024-%2B6-3", "from=%2B1", "count=%2B5",
    ])
    func whatMakesNoSenseIsRefused(_ query: String) async throws {
        try await PageFixture.with { fixture in
            let answer = await fixture.ask("/api/1/timeline/assets?\(query)")
            let text = try answer.text
            #expect(answer.status == 400 && text.contains(#""schema":"gallery-sync/error/1""#))
        }
    }

    @Test(arguments: [
        ("camera=none", 0), ("since=2026-05-28", 4), ("until=2026-05-27", 0), ("since=2026-05-28&until=2026-05-28", 4),
        ("root=Pictures&path=2024", 0), ("root=Pictures&path=~_w", 0), ("since=1-1-1&until=9999-12-31", 4),
        ("since=2024-02-29", 4), ("until=2024-2-29", 0), ("since=&until=&count=&from=&text=&state=", 4),
        ("count=1", 1), ("count=512", 4), ("from=3", 1), ("from=4", 0), ("from=9223372036854775807", 0),
        ("text=\(String(repeating: "x", count: 200))", 0), ("camera=&kind=photo", 4),
    ])
    func aFilterOfTheAddressIsHeeded(query: String, count: Int) async throws {
        try await PageFixture.with { fixture in
            let columns = try Columns(await fixture.ask("/api/1/timeline/assets?\(query)"))
            #expect(columns.names.count == count)
        }
    }

    @Test func foldersAndCopiesAreListed() async throws {
        try await PageFixture.with { fixture in
            let roots = try await fixture.ask("/api/1/folders").text
            #expect(
                roots == #"{"folders":[{"count":4,"hasFolders":false,"name":"Pictures","path":"","root":"Pictures"}],"#
                    + #""schema":"gallery-sync/folders/1"}"#)
            let below = try await fixture.ask("/api/1/folders?root=Pictures").text
            #expect(below.contains(#""folders":[]"#))
            #expect(await fixture.ask("/api/1/folders?root=Other").status == 404)
            let none = #"{"bytes":0,"count":0,"schema":"gallery-sync/duplicates/1","sets":[]}"#
            let duplicates = try await fixture.ask("/api/1/duplicates").text
            #expect(duplicates == none)
        }
    }

    @Test(arguments: [[0x61, 0x2F, 0x62], [0xFF, 0x2F], [0x7E, 0x61]] as [[UInt8]])
    func aFolderIsNamedByTextWhateverItsBytes(_ bytes: [UInt8]) throws {
        let path = FilePath(bytes: bytes)
        #expect(FilePath(inPage: path.inPage) == path)
    }

    @Test func aFacetCountsWhatTheOthersLeave() async throws {
        try await PageFixture.with { fixture in
            let all = try await fixture.ask("/api/1/facets").text
            #expect(all.contains(#""states":{"remote":1,"stored":3}"#))
            let remote = try await fixture.ask("/api/1/facets?state=remote").text
            #expect(remote.contains(#""kinds":{"photo":1}"#) && remote.contains(#""states":{"remote":1,"stored":3}"#))
        }
    }

    @Test func anAssetSaysWhatIsKnownAndWhy() async throws {
        try await PageFixture.with { fixture in
            let text = try await fixture.ask("/api/1/assets/\(try await fixture.id("a.jpg"))").text
            for part in [
                #""isHere":true"#, #""width":4000"#, #""state":"stored""#, "Pictures/a.jpg.", #""root":"Pictures""#,
            ] {
                #expect(text.contains(part), "\(part)")
            }
            #expect(!text.contains("camera"))
            let gone = try await fixture.id("gone.jpg")
            #expect(try await fixture.ask("/api/1/assets/\(gone)").text.contains(#""isHere":false"#))
        }
    }

    /// It is stored, and its file is here; no walk meets it any more.
    @Test func whatARuleLeavesOutSaysThatItStaysStored() async throws {
        try await PageFixture.with { fixture in
            let root = try await fixture.library.roots()[0]
            try await fixture.library.setRuled(["gone.jpg"], of: root.id)
            try await fixture.library.commit()
            let text = try await fixture.ask("/api/1/assets/\(try await fixture.id("gone.jpg"))").text
            #expect(text.contains(#""state":"ignored""#) && text.contains("what is stored of it stays."))
            #expect(text.contains(#""kept":true"#))
            let columns = try Columns(await fixture.ask("/api/1/timeline/assets"))
            #expect(zip(columns.names, columns.kept).filter(\.1).map(\.0) == ["gone.jpg"])
        }
    }

    /// Each browser has a stream of its own; what one was told, or has seen itself, the others are told as well.
    @Test(arguments: [false, true]) func everyBrowserIsToldWhatChanged(isSeenByAnother: Bool) async throws {
        try await PageFixture.with { fixture in
            let id = try await fixture.id("a.jpg")
            let feeds = (1...3).map { _ in
                EventFeed(contents: fixture.router.contents, host: fixture.host, seen: fixture.router.seen)
            }
            for feed in feeds { _ = try await feed.next() }
            let root = try await fixture.library.roots()[0]
            let asset = try #require(try await fixture.library.asset(root: root.name, path: "a.jpg"))
            try await fixture.library.request([asset])
            if isSeenByAnother { _ = await fixture.ask("/api/1/timeline/assets") }
            for feed in feeds {
                let news = try await feed.next()
                #expect(String(decoding: news, as: UTF8.self) == Self.waits(id))
            }
        }
    }

    @Test func eventsTellOnlyWhatChanged() async throws {
        try await PageFixture.with { fixture in
            let id = try await fixture.id("a.jpg")
            let feed = EventFeed(contents: fixture.router.contents, host: fixture.host, seen: fixture.router.seen)
            let first = String(decoding: try await feed.next(), as: UTF8.self)
            #expect(first.hasPrefix("event: status\ndata: {"))
            #expect(first.contains("\n\nevent: works\ndata: {\"works\":[]}\n\nevent: timeline\ndata: {\"count\":4,"))
            let root = try await fixture.library.roots()[0]
            let asset = try #require(try await fixture.library.asset(root: root.name, path: "a.jpg"))
            try await fixture.library.request([asset])
            let second = String(decoding: try await feed.next(), as: UTF8.self)
            #expect(second == Self.waits(id))
        }
    }

    /// A page has its own list of them, which is longer than that of a text.
    @Test func eventsLeaveOutTheNotesOfFiles() async throws {
        try await PageFixture.with { fixture in
            let feed = EventFeed(contents: nil, host: fixture.host, seen: fixture.router.seen)
            let event = String(decoding: try await feed.next(), as: UTF8.self)
            #expect(event.hasPrefix("event: status\n") && !event.contains(HostDouble.noteOfFile))
            #expect(try await fixture.ask("/api/1/status").text.contains(HostDouble.noteOfFile))
        }
    }

    /// The event that this asset waits.
    private static func waits(_ id: String) -> String {
        let columns = #"{"ids":["\#(id)"],"kept":[false],"notes":[null],"states":["waiting"]}"#
        return "event: assets\ndata: \(columns)\n\n"
    }
}
