import Fixtures
import Foundation
import Platform
import Serving
import TestSupport
import Testing

@testable import Catalog
@testable import Dashboard

@Suite struct TimelineRoutesTests {
    @Test func columnsHaveTheSameLength() async throws {
        try await PageStand.with { stand in
            let columns = try Columns(await stand.ask("/api/1/timeline/assets?from=1&count=2"))
            #expect(columns.names == [FilePath("<b>\"\n.jpg").display, "c.jpg"])
            #expect(columns.from == 1 && columns.ids.count == 2 && columns.states == ["stored", "stored"])
            let ratios = await stand.ask("/api/1/timeline/ratios?from=3")
            #expect(try ratios.bytes == [148])
            #expect(ratios.headers["x-revision"] == columns.revision)
            let months = try await stand.ask("/api/1/timeline").text
            #expect(months.contains(#""count":4,"days":[["2026-05-28",4]],"months":[["2026-05",4]]"#))
        }
    }

    @Test(arguments: [
        "state=bogus", "kind=movie", "root=Other", "from=-1", "from=x", "count=0", "count=513",
        "text=\(String(repeating: "x", count: 201))",
    ])
    func whatMakesNoSenseIsRefused(_ query: String) async throws {
        try await PageStand.with { stand in
            let answer = await stand.ask("/api/1/timeline/assets?\(query)")
            let text = try answer.text
            #expect(answer.status == 400 && text.contains(#""schema":"gallery-sync/error/1""#))
        }
    }

    @Test func aFacetCountsWhatTheOthersLeave() async throws {
        try await PageStand.with { stand in
            let all = try await stand.ask("/api/1/facets").text
            #expect(all.contains(#""states":{"remote":1,"stored":3}"#) && all.contains(#""thumbnailSizes":[256,512]"#))
            let remote = try await stand.ask("/api/1/facets?state=remote").text
            #expect(remote.contains(#""kinds":{"photo":1}"#) && remote.contains(#""states":{"remote":1,"stored":3}"#))
        }
    }

    @Test func anAssetSaysWhatIsKnownAndWhy() async throws {
        try await PageStand.with { stand in
            let text = try await stand.ask("/api/1/assets/\(try await stand.id("a.jpg"))").text
            for part in [
                #""isHere":true"#, #""width":4000"#, #""state":"stored""#, "Pictures/a.jpg.", #""root":"Pictures""#,
            ] {
                #expect(text.contains(part), "\(part)")
            }
            #expect(!text.contains("camera"))
            let gone = try await stand.id("gone.jpg")
            #expect(try await stand.ask("/api/1/assets/\(gone)").text.contains(#""isHere":false"#))
        }
    }

    @Test func eventsTellOnlyWhatChanged() async throws {
        try await PageStand.with { stand in
            let id = try await stand.id("a.jpg")
            let feed = EventFeed(shelf: stand.desk.shelf, host: stand.host, seen: stand.desk.seen)
            let first = String(decoding: try await feed.next(), as: UTF8.self)
            #expect(
                first.hasPrefix("event: status\ndata: {") && first.hasSuffix("event: works\ndata: {\"works\":[]}\n\n"))
            let root = try await stand.library.roots()[0]
            let asset = try #require(try await stand.library.asset(root: root.name, path: "a.jpg"))
            try await stand.library.request([asset], forcedAt: nil)
            let second = String(decoding: try await feed.next(), as: UTF8.self)
            #expect(
                second == "event: assets\ndata: {\"ids\":[\"\(id)\"],\"notes\":[null],\"states\":[\"waiting\"]}\n\n")
        }
    }
}
