import Catalog
import Fixtures
import Platform
import Queue
import Records
import Roots
import Testing

@testable import Browsing
@testable import Dashboard

/// Which assets are looked at again for those who see them: the last 8,192 that were shown.
@Suite struct SeenAssetsTests {
    private static let limit = 8_192

    /// As many assets as wanted, which the library does not know, from a number on.
    private static func others(_ shown: TimelineAsset, _ numbers: Range<Int>) -> [TimelineAsset] {
        numbers.map { number in
            TimelineAsset(
                place: Asset.Place(directory: 9, name: Array("\(number).jpg".utf8)), face: shown.face,
                standing: .stored, thumbHash: nil, duration: nil, state: .stored, note: nil, blocked: nil, sha256: nil,
                motion: nil)
        }
    }

    /// What is told of `a.jpg` once it waits again, after it was shown together with others.
    private static func told(
        _ show: (SeenAssets, TimelineAsset, (Range<Int>) -> [TimelineAsset]) -> Void
    ) async throws -> [Standing] {
        var told: [Standing] = []
        try await PageFixture.with { fixture in
            let timeline = try #require(fixture.router.contents).timeline
            let shown = try #require(
                try await timeline.assets(TimelineFilter(), from: 0, count: 9).first { $0.name == "a.jpg" })
            let seen = SeenAssets()
            show(seen, shown) { Self.others(shown, $0) }
            let root = try await fixture.library.roots()[0]
            let asset = try #require(try await fixture.library.asset(root: root.name, path: "a.jpg"))
            try await fixture.library.request([asset])
            told = try await seen.changes(in: timeline, after: 0).assets.map(\.standing)
        }
        return told
    }

    @Test(arguments: [(limit - 1, [Standing.waiting]), (limit, [])])
    func theOldestIsForgottenBeyondTheLimit(others: Int, standings: [Standing]) async throws {
        let told = try await Self.told { seen, shown, more in
            seen.note([shown])
            seen.note(more(0..<others))
        }
        #expect(told == standings)
    }

    /// Who goes back to a photo looks at it now, however long ago it was shown first.
    @Test func whatIsShownAgainIsAmongTheLatest() async throws {
        let told = try await Self.told { seen, shown, more in
            seen.note([shown])
            seen.note(more(0..<Self.limit - 1))
            seen.note([shown])
            seen.note(more(Self.limit..<Self.limit + 100))
        }
        #expect(told == [.waiting])
    }

    /// The same photo on the screen again and again takes the place of no other.
    @Test func whatIsShownOftenCountsOnce() async throws {
        let told = try await Self.told { seen, shown, more in
            seen.note([shown])
            let other = more(0..<1)
            for _ in 0..<2 * Self.limit + 1 { seen.note(other) }
        }
        #expect(told == [.waiting])
    }

    /// What a browser was shown as it is now is no news to it, and to one that was told before it is.
    @Test func aChangeIsNumberedOnce() async throws {
        try await PageFixture.with { fixture in
            let timeline = try #require(fixture.router.contents).timeline
            let seen = SeenAssets()
            seen.note(try await timeline.assets(TimelineFilter(), from: 0, count: 9))
            #expect(try await seen.changes(in: timeline, after: 0).last == 0)
            let root = try await fixture.library.roots()[0]
            let asset = try #require(try await fixture.library.asset(root: root.name, path: "a.jpg"))
            try await fixture.library.request([asset])
            for _ in 0..<2 {
                let news = try await seen.changes(in: timeline, after: 0)
                #expect(news.assets.map(\.name) == ["a.jpg"] && news.last == 1)
            }
            seen.note(try await timeline.assets(TimelineFilter(), from: 0, count: 9))
            let later = try await seen.changes(in: timeline, after: 1)
            #expect(later.assets.isEmpty && later.last == 1)
        }
    }
}
