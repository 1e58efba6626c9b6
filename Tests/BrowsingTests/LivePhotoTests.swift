import Database
import Fixtures
import MediaModel
import Platform
import Records
import Roots
import Tables
import TestSupport
import Testing

@testable import Browsing
@testable import Catalog
@testable import Queue

/// A photo and its movie are one in the timeline, as long as that hides nothing.
@Suite struct LivePhotoTests {
    private static func half(_ path: FilePath, _ identifier: String? = "A", state: Asset.State = .stored) -> MadeAsset {
        let isMovie = path.display.hasSuffix(".mov")
        var half = MadeAsset(path, takenAt: 1_783_000_000, state: state, type: isMovie ? .quickTime : .jpeg)
        half.contentIdentifier = identifier
        if isMovie { half.duration = 2 }
        return half
    }

    private func names(_ timeline: Timeline) async throws -> [String] {
        let assets = try await timeline.assets(TimelineFilter(), from: 0, count: 100)
        #expect(try await timeline.days(TimelineFilter()).reduce(0) { $0 + $1.count } == assets.count)
        return assets.map { "\($0.name)\($0.motion == nil ? "" : " live")" }.sorted()
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let assets: [MadeAsset]
        let names: [String]

        init(_ fact: String, _ assets: [MadeAsset], _ names: [String]) {
            (testDescription, self.assets, self.names) = (fact, assets, names)
        }
    }

    @Test(arguments: [
        Row("the photo first", [half("a.jpg"), half("a.mov")], ["a.jpg live"]),
        Row("the movie first", [half("a.mov"), half("a.jpg")], ["a.jpg live"]),
        Row("another movie", [half("a.jpg"), half("a.mov", "B")], ["a.jpg", "a.mov"]),
        Row("a movie of a camera", [half("a.jpg"), half("a.mov", nil)], ["a.jpg", "a.mov"]),
        Row("another name", [half("a.jpg"), half("b.mov")], ["a.jpg", "b.mov"]),
        Row("another folder", [half("a.jpg"), half("x/a.mov")], ["a.jpg", "a.mov"]),
        Row("two photos", [half("a.jpg"), half("a.heic"), half("a.mov")], ["a.heic live", "a.jpg"]),
        Row("a movie that failed", [half("a.jpg"), half("a.mov", state: .failed)], ["a.jpg", "a.mov"]),
        Row("a photo that is gone", [half("a.jpg", state: .gone), half("a.mov")], ["a.mov"]),
        Row("a movie that is gone", [half("a.jpg"), half("a.mov", state: .gone)], ["a.jpg"]),
        Row("both only in storage", ["a.jpg", "a.mov"].map { half($0, state: .remoteOnly) }, ["a.jpg live"]),
    ])
    func bothAreOneWhereThatHidesNothing(_ row: Row) async throws {
        try await Timeline.of(row.assets) { _, timeline in
            let (shown, motions) = (try await names(timeline), try await timeline.motionCount())
            #expect(shown == row.names)
            #expect(motions == row.names.filter { $0.hasSuffix("live") }.count)
        }
    }

    @Test func theyAreStoredOnceBothAre() async throws {
        try await Timeline.of([Self.half("a.jpg"), Self.half("a.mov", state: .queued)]) { library, timeline in
            func shown() async throws -> Standing? {
                try await timeline.assets(TimelineFilter(), from: 0, count: 9).first?.standing
            }
            var waiting = TimelineFilter()
            waiting.standing = .waiting
            #expect(try await shown() == .waiting)
            #expect(try await timeline.days(waiting).map(\.count) == [1])
            try await library.set(.stored, of: "a.mov")
            #expect(try await shown() == .stored)
            #expect(try await timeline.days(waiting) == [])
            try await library.set(.failed, of: "a.mov")
            #expect(try await names(timeline) == ["a.jpg", "a.mov"])
            try await library.set(.failed, of: "a.jpg")
            #expect(try await shown() == .failed)
            #expect(try await names(timeline) == ["a.jpg live"])
        }
    }

    @Test func whatIsDoneToItIsDoneToBothFiles() async throws {
        try await Timeline.of([Self.half("a.jpg"), Self.half("a.mov"), Self.half("b.jpg", nil)]) { _, timeline in
            let places = try await timeline.assets(TimelineFilter(), from: 0, count: 9).map(\.place)
            let paths = try await timeline.locations(of: places).map(\.path.display)
            #expect(paths == ["a.jpg", "a.mov", "b.jpg"])
            #expect(try await timeline.motionRecord(of: places[0])?.asset.path == "a.mov")
            #expect(try await timeline.motionRecord(of: places[1]) == nil)
        }
    }

    @Test func anotherContentAndADeletionPartThem() async throws {
        try await Timeline.of([Self.half("a.jpg"), Self.half("a.mov")]) { library, timeline in
            let root = try await library.roots()[0]
            var other = Self.half("a.mov", "B")
            (other.content, other.modified) = ("other", 1_790_000_000)
            try await library.make([other], below: root)
            #expect(try await names(timeline) == ["a.jpg", "a.mov"])
            var again = Self.half("a.mov")
            again.modified = 1_791_000_000
            try await library.make([again], below: root)
            #expect(try await names(timeline) == ["a.jpg live"])
            try await library.forget("a.jpg")
            #expect(try await names(timeline) == ["a.mov"])
        }
    }

    @Test func aLibraryOfVersion7LearnsWhatBelongsTogether() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let library = try Library(path: path)
            let assets = [Self.half("a.jpg"), Self.half("a.mov"), Self.half("b.jpg", "B"), Self.half("c.mov", "B")]
            try await library.make(assets, below: try await library.root(at: "/home/Pictures").root)
            try await library.becomeVersion7()
            await #expect(throws: OutdatedLibrary.self) { try await Timeline(at: path) }
            try await Library(path: path).close()
            #expect(try await names(Timeline(at: path)) == ["a.jpg live", "b.jpg", "c.mov"])
        }
    }
}

extension Library {
    fileprivate func set(_ state: Asset.State, of name: FilePath) throws {
        try write("UPDATE assets SET state = ? WHERE name = ?", .integer(state.rawValue), .blob(name.bytes))
        try commit()
    }

    fileprivate func forget(_ name: FilePath) throws {
        try write("DELETE FROM assets WHERE name = ?", .blob(name.bytes))
        try commit()
    }

    /// Takes away what version 8 added.
    fileprivate func becomeVersion7() throws {
        try database.execute(
            """
            \(Self.forgetPairs)
            UPDATE assets SET standing = \(Schema.standing("state")); PRAGMA user_version = 7
            """)
    }
}
