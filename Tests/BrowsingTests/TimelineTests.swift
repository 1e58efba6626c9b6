import Database
import Fixtures
import Foundation
import MediaModel
import Platform
import Records
import Roots
import TestSupport
import Testing

@testable import Browsing
@testable import Catalog
@testable import Queue

/// The assets of a gallery in the order in which they were taken.
@Suite struct TimelineTests {
    /// In July, June and February; two of one moment.
    private static let assets: [MadeAsset] = [
        MadeAsset("2026/a.jpg", takenAt: 1_783_000_000),
        MadeAsset("2026/b.jpg", takenAt: 1_783_000_000, state: .queued),
        MadeAsset("2026/c.mp4", takenAt: 1_782_000_000, type: .mp4),
        MadeAsset("2026/d.jpg", takenAt: 1_781_000_000, state: .failed),
        MadeAsset("2026/e.gif", takenAt: 1_781_000_001, type: .gif),
        MadeAsset("x/ÜBUNG 50%_1.dng", takenAt: 1_771_000_000, state: .held, type: .dng),
        MadeAsset("x/y.jpg", takenAt: 1_770_000_000, state: .remoteOnly),
        MadeAsset("x/z\u{301}.jpg", takenAt: 1_769_999_999, state: .excluded),
        MadeAsset("x/gone.jpg", takenAt: 1_770_000_001, state: .gone), MadeAsset("x/notes.xmp", type: .xmp),
    ]
    private static let order = [
        "a.jpg", "b.jpg", "c.mp4", "e.gif", "d.jpg", "ÜBUNG 50%_1.dng", "y.jpg", "z\u{301}.jpg",
    ]

    @Test func anEmptyFileIsWhatItsNameSays() async throws {
        let names: [(FilePath, MediaType)] = [("a.jpg", .jpeg), ("b.mp4", .mp4), ("c.gif", .gif)]
        let empty = names.map { name, type in
            var made = MadeAsset(name, type: type)
            (made.size, made.content) = (0, "empty")
            return made
        }
        try await Timeline.of(empty) { _, timeline in
            var types: [String: MediaType] = [:]
            for asset in try await timeline.assets(TimelineFilter(), from: 0, count: 9) {
                types[asset.name] = try await timeline.details(of: asset.place)?.type
            }
            #expect(types == ["a.jpg": .jpeg, "b.mp4": .mp4, "c.gif": .gif])
        }
    }

    /// The file is here, and no walk meets it; until its state is another one.
    @Test func whatARuleLeavesOutIsNotShownAsOnlyInStorage() async throws {
        let names: [FilePath] = ["x/a.jpg", "x/b.jpg"]
        try await Timeline.of(names.map { MadeAsset($0, takenAt: 1_770_000_000, state: .remoteOnly) }) {
            library, timeline in
            let root = try #require(try await library.roots().first)
            func shown() async throws -> [Standing] {
                let standings = try await timeline.assets(TimelineFilter(), from: 0, count: 9).map(\.standing)
                var counted: [Standing] = []
                for standing in standings {
                    var filter = TimelineFilter()
                    filter.standing = standing
                    if try await timeline.days(filter).map(\.count) == [1] { counted.append(standing) }
                }
                return counted
            }
            func counts() async throws -> [Int] {
                let counts = try await library.counts()
                return [counts.remoteOnly, counts.leftOutStored]
            }
            try await library.setRuled(["x/a.jpg"], of: root.id)
            try await library.commit()
            #expect(try await shown() == [.ignored, .remote])
            #expect(try await counts() == [1, 1])
            try await library.setRuled(["x/b.jpg"], of: root.id)
            try await library.commit()
            #expect(try await shown() == [.remote, .ignored])
            for (state, ends) in [(Asset.State.gone, [1, 0]), (.remoteOnly, [2, 0])] {
                try await library.setStates(to: state, where: "name = CAST('b.jpg' AS BLOB)")
                #expect(try await counts() == ends)
            }
        }
    }

    @Test func everyWindowIsAPartOfTheWhole() async throws {
        try await Timeline.of(Self.assets) { _, timeline in
            let all = TimelineFilter()
            #expect(try await timeline.days(all).map(\.count).reduce(0, +) == Self.order.count)
            for from in 0...Self.order.count + 1 {
                for count in 1...Self.order.count + 1 {
                    let names = try await timeline.assets(all, from: from, count: count).map(\.name)
                    #expect(names == Array(Self.order.dropFirst(from).prefix(count)))
                    #expect(try await timeline.ratios(all, from: from, count: count).count == names.count)
                }
            }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var filter = TimelineFilter()
        let names: [String]

        init(_ fact: String, _ names: [String], _ change: (inout TimelineFilter) -> Void) {
            (testDescription, self.names) = (fact, names)
            change(&filter)
        }
    }

    @Test(arguments: [
        Row("by standing", ["d.jpg"]) { $0.standing = .failed },
        Row("by kind", ["c.mp4"]) { $0.kind = .video },
        Row("a camera's originals", ["ÜBUNG 50%_1.dng"]) { $0.kind = .raw },
        Row("by both", ["b.jpg"]) { ($0.standing, $0.kind) = (.waiting, .photo) },
        Row("by a part of the name in any case", ["a.jpg"]) { $0.text = "A.J" },
        Row("what SQLite's LIKE takes for a pattern", ["ÜBUNG 50%_1.dng"]) { $0.text = "%_" },
        Row("and under an accent, too", []) { $0.text = "_\u{301}" },
        Row("a part that no name has", []) { $0.text = "50_" },
        Row("a backslash", []) { $0.text = "\\" },
        Row("letters beyond ASCII in any case", ["ÜBUNG 50%_1.dng"]) { $0.text = "Übung" },
        Row("below a root", ["y.jpg"]) { ($0.root, $0.standing) = (1, .remote) },
        Row("a text below a root", ["e.gif"]) { ($0.root, $0.text) = (1, "gif") },
        Row("another root", []) { $0.root = 2 },
        Row("nothing", []) { $0.text = "no such name" },
    ])
    func aFilterLeavesTheOthersOut(_ row: Row) async throws {
        try await Timeline.of(Self.assets) { _, timeline in
            let assets = try await timeline.assets(row.filter, from: 0, count: 100)
            let days = try await timeline.days(row.filter)
            #expect(assets.map(\.name) == row.names)
            #expect(days.map(\.count).reduce(0, +) == row.names.count)
        }
    }

    @Test func theCountsFollowEveryChange() async throws {
        try await Timeline.of(Self.assets) { library, timeline in
            let root = try await library.roots()[0]
            let before = try await timeline.revision(TimelineFilter())
            for state in Asset.State.allCases {
                try await library.setStates(to: state)
                let expected = Standing(state).map { _ in 9 } ?? 0
                let counts = try await timeline.counts().map(\.count)
                #expect(counts.reduce(0, +) == expected, "\(state)")
                let shown = try await timeline.assets(TimelineFilter(), from: 0, count: 100)
                #expect(shown.count == expected, "\(state)")
            }
            #expect(try await timeline.revision(TimelineFilter()) != before)
            try await library.make([MadeAsset("new.jpg", takenAt: 1_790_000_000)], below: root)
            #expect(try await timeline.days(TimelineFilter()).months.first?.name == "2026-09")
            try await library.dropAll()
            #expect(try await timeline.days(TimelineFilter()) == [])
            #expect(try await timeline.counts() == [])
        }
    }

    @Test func theRevisionOfAFilterByStandingGrowsWithStandings() async throws {
        try await Timeline.of(Self.assets) { library, timeline in
            var failed = TimelineFilter()
            failed.standing = .failed
            let before = (try await timeline.revision(TimelineFilter()), try await timeline.revision(failed))
            try await library.readAgain(failedFor: FailureCode("unknown"))
            try await library.setStates(to: .queued, where: "name = CAST('d.jpg' AS BLOB)")
            #expect(try await timeline.revision(TimelineFilter()) == before.0)
            #expect(try await timeline.revision(failed) != before.1)
        }
    }

    @Test func aLibraryOfAnEarlierVersionIsBroughtUpToDate() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let library = try Library(path: path)
            try await library.make(
                Self.assets + [MadeAsset("unread.mov", state: .seen)],
                below: try await library.root(at: "/home/Pictures").root)
            let shown = try await Timeline(at: path).assets(TimelineFilter(), from: 0, count: 100)
            try await library.becomeVersion5()
            await #expect(throws: OutdatedLibrary.self) { try await Timeline(at: path) }
            try await Library(path: path).close()
            #expect(try await Timeline(at: path).assets(TimelineFilter(), from: 0, count: 100) == shown)
            #expect(try await Timeline(at: path).days(TimelineFilter()).reduce(0) { $0 + $1.count } == shown.count)
        }
    }

    @Test func aChangedFileKeepsItsDateUntilItIsRead() async throws {
        try await Timeline.of(Self.assets) { library, timeline in
            let root = try await library.roots()[0]
            var changed = MadeAsset("2026/a.jpg", state: .seen)
            changed.modified = 1_790_000_000
            try await library.make([changed], below: root)
            let first = try #require(try await timeline.assets(TimelineFilter(), from: 0, count: 1).first)
            #expect(first.name == "a.jpg" && first.face.isDated && first.standing == .waiting)
        }
    }
}

extension Library {
    fileprivate func setStates(to state: Asset.State, where condition: String = "taken IS NOT NULL") throws {
        try write("UPDATE assets SET state = ? WHERE \(condition)", .integer(state.rawValue))
        try commit()
    }

    fileprivate func dropAll() throws {
        try write("DELETE FROM assets")
        try commit()
    }

    /// Takes away what version 6 added.
    fileprivate func becomeVersion5() throws {
        try database.dropSums()
        let triggers = try database.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'") { $0.text(0) }
        for trigger in triggers { try database.execute("DROP TRIGGER \(trigger)") }
        try database.execute(
            "DROP INDEX assets_timeline; DROP INDEX assets_content; DROP INDEX assets_motions; DROP TABLE cameras; DROP TABLE timeline; DROP TABLE timeline_changes"
        )
        for column in ["taken", "dated", "ratio", "kind", "standing", "camera", "pair"] {
            try database.execute("ALTER TABLE assets DROP COLUMN \(column)")
        }
        try database.execute("PRAGMA user_version = 5")
    }
}
