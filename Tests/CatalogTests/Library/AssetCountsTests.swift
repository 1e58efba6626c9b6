import Foundation
import Platform
import TestSupport
import Testing
import Text

@testable import Catalog
@testable import Queue

/// Counts that are kept, so that a report need not look at every asset.
@Suite struct AssetCountsTests {
    private static let now = Date(timeIntervalSince1970: 1_795_168_800)

    private func see(_ names: [String], in library: Library) async throws {
        let root = try await library.root(at: "/home/Pictures").root
        for name in names {
            let observation = Observation(name: FilePath(name).name, size: 7, modifiedAt: FileTime(Self.now))
            _ = try await library.merge(observation, at: FilePath(name), root: root.id, origin: .backlog, now: Self.now)
        }
    }

    private func store(_ name: String, in library: Library, at date: Date) async throws {
        let item = Item(
            root: "Pictures", path: FilePath(name), role: .original, contentType: "image/jpeg", size: 7,
            sha256: SHA256.hash(Array(name.utf8)).hexadecimal, modifiedAt: FileTime(Self.now), bucket: "media",
            objectKey: ObjectKey(root: "Pictures", path: FilePath(name)), now: date)
        let receipt = Receipt(
            destination: "destination", key: item.objectKey, role: item.role, item: item.id, sha256: item.sha256,
            size: item.size, objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: date)
        try await library.record([(receipt, item)])
    }

    @Test func aCleanEndKeepsTheCountsUntilTheNextChange() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let library = try Library(path: path)
            try await see(["a.jpg", "b.jpg"], in: library)
            #expect(try await library.fact(Library.countsFact) == nil)
            try await library.close()
            #expect(try await library.fact(Library.countsFact) == "0,0 2 14")

            let next = try Library(path: path)
            #expect(try await next.counts().waiting == 2)
            #expect(try await Library.existing(at: path)?.counts().bytesToStore == 14)
            try await see(["c.jpg"], in: next)
            #expect(try await next.fact(Library.countsFact) == nil)
            #expect(try await next.counts().waiting == 3)
            // Other connections see neither a change before it is durable, nor counts that do not match it.
            #expect(try await Library.existing(at: path)?.counts().waiting == 2)
            try await next.commit()
            #expect(try await Library.existing(at: path)?.counts().waiting == 3)
            try await next.close()
            #expect(try await next.fact(Library.countsFact) == "0,0 3 21")
        }
    }

    @Test func changesAfterACleanEndOfTheSameLibraryCount() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            try await see(["a.jpg"], in: library)
            try await library.close()
            try await see(["b.jpg"], in: library)
            #expect(try await library.counts().waiting == 2)
        }
    }

    @Test func aCleanEndKeepsTheSumsOfRootsUntilTheNextChange() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let library = try Library(path: path)
            try await see(["a.jpg", "b.jpg"], in: library)
            _ = try await library.root(at: "/home/Empty")
            try await library.close()
            let kept = try await library.fact(Library.sumsFact)
            #expect(kept.flatMap(LibrarySums.init(encoded:))?.roots.map(\.total) == [2])
            let existing = try #require(try Library.existing(at: path))
            let rows = try await existing.rootCounts(of: existing.counts())
            #expect(rows.map(\.root.name) == ["Pictures", "Empty"])
            #expect(rows.map(\.count.bytes) == [14, 0])

            try await see(["c.jpg"], in: library)
            #expect(try await library.fact(Library.sumsFact) == nil)
            #expect(try await library.rootCounts(of: library.counts()).map(\.count.total) == [3, 0])
        }
    }

    @Test func aReaderHearsOfWhatAnotherConnectionChangedSinceItCounted() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let library = try Library(path: path)
            try await see(["a.jpg", "b.jpg"], in: library)
            _ = try await library.root(at: "/home/Other")
            try await library.commit()
            let reader = try Library(path: path, isReadOnly: true)
            for (names, total) in [([], 2), (["c.jpg"], 3), ([], 3), (["d.jpg", "e.jpg"], 5)] {
                try await see(names, in: library)
                try await library.commit()
                let counts = try await reader.counts()
                #expect(counts.waiting == total)
                #expect(try await reader.rootCounts(of: counts).map(\.count.total) == [total, 0])
            }
        }
    }

    @Test func theHoursOfTheLastMonthAreKeptUntilTheNextChange() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let hour = Self.now - Self.now.timeIntervalSince1970.truncatingRemainder(dividingBy: 3_600)
            for (name, age) in [("a.jpg", 0.0), ("b.jpg", 60), ("c.jpg", 3_600), ("d.jpg", 31 * 86_400)] {
                try await see([name], in: library)
                try await store(name, in: library, at: hour - age)
            }
            let counted = try await library.storedByHour(at: Self.now)
            #expect(counted.map(\.objects) == [2, 1] && counted.map(\.start) == [hour - 3_600, hour])
            try await library.close(at: Self.now)
            #expect(try await library.storedByHour(at: Self.now) == counted)
            #expect(try await library.storedByHour(at: Self.now + 30 * 86_400 + 1) == [])
            try await see(["e.jpg"], in: library)
            #expect(try await library.fact(Library.sumsFact) == nil)
        }
    }

    @Test(arguments: ["", "{}", "[]", "0,0 2 14"])
    func otherTextIsNoSums(_ text: String) {
        #expect(LibrarySums(encoded: text) == nil)
    }

    @Test(
        arguments: [
            ("0", [:], 0), ("12", [:], 12), ("3,0 2 14", [0: (2, 14)], 3),
            ("0,0 1 2,3 4 5,11 6 7", [0: (1, 2), 3: (4, 5), 11: (6, 7)], 0),
        ] as [(String, [Int64: (Int, Int64)], Int)])
    func countsAreWrittenAsText(_ row: (text: String, states: [Int64: (number: Int, bytes: Int64)], leftOut: Int))
        throws
    {
        var counts = AssetCounts()
        counts.leftOut = row.leftOut
        for (state, count) in row.states {
            let state = try #require(Asset.State(rawValue: state))
            counts.number[state] = count.number
            counts.bytes[state] = count.bytes
        }
        #expect(counts.encoded == row.text)
        #expect(AssetCounts(encoded: row.text) == counts)
    }

    @Test(arguments: ["", "x", "1 2", "0,1", "0,0 1", "0,0 1 2 3", "0,99 1 2", "0,0 x 2"])
    func otherTextIsCountedAnew(text: String) {
        #expect(AssetCounts(encoded: text) == nil)
    }
}
