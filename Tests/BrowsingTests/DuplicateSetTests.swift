import Database
import Fixtures
import Platform
import Records
import Roots
import TestSupport
import Testing

@testable import Browsing
@testable import Catalog
@testable import Queue

/// Contents that several files have, at the bounds of what one query looks at.
@Suite struct DuplicateSetTests {
    /// Assets by their content's name, each content as often as it stands here.
    private static func assets(_ contents: [String]) -> [MadeAsset] {
        contents.enumerated().map { number, content in
            var asset = MadeAsset(FilePath("\(number).jpg"), takenAt: 1_781_956_800)
            asset.content = FilePath(content)
            return asset
        }
    }

    /// Gives every asset of a content another hash.
    private static func rehash(_ library: Library, _ content: String, as hash: [UInt8]) async throws {
        try await library.rehash(SHA256.hash(FilePath(content).bytes), as: hash)
    }

    /// Hashes are looked at in 64 parts: each is found once, be it the first or the last of its part.
    @Test(arguments: [
        [UInt8](repeating: 0, count: 32), [3] + [UInt8](repeating: 255, count: 31),
        [4] + [UInt8](repeating: 0, count: 31), [251] + [UInt8](repeating: 255, count: 31),
        [252] + [UInt8](repeating: 0, count: 31), [UInt8](repeating: 255, count: 32),
    ])
    func aHashAtTheBoundOfAPartIsFoundOnce(hash: [UInt8]) async throws {
        try await Timeline.of(Self.assets(["x", "x"])) { library, timeline in
            try await Self.rehash(library, "x", as: hash)
            let sets = try await timeline.duplicates()
            #expect(sets.map(\.sha256) == [hash.hexadecimal])
            let files = try await timeline.files(of: try #require(sets.first))
            #expect(files.map(\.asset.name).sorted() == ["0.jpg", "1.jpg"])
        }
    }

    @Test(arguments: [(1, 0, 0), (2, 2, 2), (64, 64, 64), (65, 65, 64)])
    func ofASetSomeFilesAreShownAndAllCounted(files: Int, count: Int, shown: Int) async throws {
        try await Timeline.of(Self.assets(Array(repeating: "x", count: files))) { _, timeline in
            let sets = try await timeline.duplicates()
            #expect(sets.map(\.count) == (count == 0 ? [] : [count]))
            for set in sets {
                let listed = try await timeline.files(of: set)
                #expect(listed.count == shown)
                #expect(set.waste == Int64(files - 1) * set.size)
            }
        }
    }

    /// What wastes most comes first; files without a byte waste none.
    @Test func emptyFilesAreCopiesOfNothing() async throws {
        let contents = ["none", "none", "none", "small", "small", "small", "large", "large"]
        try await Timeline.of(Self.assets(contents)) { library, timeline in
            for (content, size) in [("none", 0), ("small", 1), ("large", 3)] as [(String, Int64)] {
                try await library.resize(SHA256.hash(FilePath(content).bytes), to: size)
            }
            let sets = try await timeline.duplicates()
            #expect(sets.map(\.size) == [3, 1])
            #expect(sets.map(\.waste) == [3, 2])
        }
    }

    /// Sizes come from a file that may have been changed by hand.
    @Test func aSumThatIsTooLargeTrapsNothing() async throws {
        try await Timeline.of(Self.assets(["x", "x", "x", "x"])) { library, timeline in
            try await library.resize(SHA256.hash(FilePath("x").bytes), to: .max)
            let sets = try await timeline.duplicates()
            #expect(sets.map(\.count) == [4])
            #expect(sets.map(\.waste) == [.max], "the most that can be said, and not less than nothing")
        }
    }

    /// The product is never less than a factor: what wastes most is first, however large the sizes are.
    @Test(
        arguments: [
            Fact("a pair", (2, 7), 7), Fact("three", (3, 7), 14), Fact("the largest pair", (2, .max), .max),
            Fact("three of half the largest", (3, .max / 2), .max - 1),
            Fact("a byte more of each", (3, .max / 2 + 1), .max),
            Fact("a million of the largest", (1_000_000, .max), .max),
        ] as [Fact<(count: Int, size: Int64), Int64>])
    func whatTheCopiesTake(_ fact: Fact<(count: Int, size: Int64), Int64>) {
        #expect(DuplicateSet(sha256: "", count: fact.input.count, size: fact.input.size).waste == fact.output)
    }

    /// A file that is gone, or that was excluded, is no copy of one that is here.
    @Test(arguments: Asset.State.allCases)
    func onlyWhatTheTimelineShowsCounts(state: Asset.State) async throws {
        try await Timeline.of(Self.assets(["x", "x"])) { library, timeline in
            try await library.restate("0.jpg", to: state)
            let shown = try await timeline.assets(TimelineFilter(), from: 0, count: 9).count
            let sets = try await timeline.duplicates()
            #expect(sets.map(\.count) == (shown == 2 ? [2] : []), "\(state)")
        }
    }
}

extension Library {
    fileprivate func rehash(_ old: [UInt8], as new: [UInt8]) throws {
        try write("UPDATE assets SET sha256 = ? WHERE sha256 = ?", .blob(new), .blob(old))
        try commit()
    }

    fileprivate func resize(_ hash: [UInt8], to size: Int64) throws {
        try write("UPDATE assets SET size = ? WHERE sha256 = ?", .integer(size), .blob(hash))
        try commit()
    }

    fileprivate func restate(_ name: String, to state: Asset.State) throws {
        try write("UPDATE assets SET state = ? WHERE name = CAST(? AS BLOB)", .integer(state.rawValue), .text(name))
        try commit()
    }
}
