import Database
import Fixtures
import Foundation
import Platform
import Records
import Roots
import TestSupport
import Testing
import Text

@testable import Catalog
@testable import Queue
@testable import Reporting
@testable import Tables

/// Sums that are kept, so that a report need not look at every asset.
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

    /// How many sums of the library at `path` differ from what is counted anew.
    private func errors(in path: FilePath) throws -> [String] {
        let database = try Connection(path: path.display, isReadOnly: true)
        try database.execute(Schema.countedSums(hasFaces: true))
        return try ["asset_sums", "receipt_sums", "waiting_sums"].flatMap { table in
            let (kept, counted) = ("SELECT * FROM main.\(table) WHERE count != 0", "SELECT * FROM temp.\(table)")
            return try [(kept, counted), (counted, kept)].flatMap { these, those in
                try database.rows("\(these) EXCEPT \(those)") { row in
                    "\(table): \(row.integer(0)) \(row.integer(1))"
                }
            }
        }
    }

    /// Whatever happens to an asset or a receipt happens to the sums.
    @Test func theSumsAreWhatIsThere() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let library = try Library(path: path)
            func asset(_ name: String) async throws -> Asset {
                try #require(try await library.asset(root: "Pictures", path: FilePath(name)))
            }
            let (here, there) = ("destination", "Pictures")
            let acts: [(what: String, act: () async throws -> Void)] = [
                (
                    "files are found",
                    { try await see(["a.jpg", "b.jpg", "c.mp4", "d.xmp", "e.mp3", "f.jpg"], in: library) }
                ),
                (
                    "a file is read",
                    {
                        let hash = SHA256.hash(Array("a.jpg".utf8)).hexadecimal
                        let reading = Reading.identified(
                            sha256: hash, type: "image/jpeg", next: .queued, note: nil)
                        try await library.settle(try await asset("a.jpg"), as: reading)
                    }
                ),
                (
                    "a sidecar is read",
                    {
                        let reading = Reading.identified(
                            sha256: "0b", type: "application/rdf+xml", next: .queued, note: nil)
                        try await library.settle(try await asset("d.xmp"), as: reading)
                    }
                ),
                ("a file is stored", { try await store("a.jpg", in: library, at: Self.now) }),
                ("it is stored again", { try await store("a.jpg", in: library, at: Self.now + 7_200) }),
                (
                    "a file cannot be read",
                    {
                        let failure = Item.Failure(code: .http(413), message: "too large", retryable: false)
                        try await library.settle(try await asset("b.jpg"), as: .unreadable(failure))
                    }
                ),
                (
                    "a file is no media",
                    {
                        try await library.settle(try await asset("f.jpg"), as: .ignored(reason: Asset.noMedia))
                    }
                ),
                (
                    "a receipt is confirmed",
                    {
                        let receipt = try await library.receipt(
                            destination: here, key: ObjectKey(root: there, path: "a.jpg"))
                        try await library.confirm(try #require(receipt), at: Self.now + 14_400)
                    }
                ),
                ("a file is gone", { try await library.miss([try await asset("c.mp4").place]) }),
                (
                    "an object is gone",
                    {
                        let receipt = try await library.receipt(
                            destination: here, key: ObjectKey(root: there, path: "a.jpg"))
                        try await library.forget(try #require(receipt))
                    }
                ),
            ]
            for (what, act) in acts {
                try await act()
                try await library.commit()
                #expect(try errors(in: path) == [], "\(what)")
            }
            let counts = try await library.counts()
            #expect(counts.number == [.seen: 2, .queued: 1, .unreadable: 1, .ignored: 1, .gone: 1])
            #expect(try await library.leftOut(of: counts).map(\.count) == [1])
            let problems = try await library.problems(of: counts)
            #expect(problems.map(\.path) == ["b.jpg"] && problems.map(\.message) == ["too large"])
        }
    }

    /// SQLite calls no trigger for a receipt whose place another one takes.
    @Test func anObjectThatIsMovedOverAnotherTakesItsPlaceInTheSums() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let library = try Library(path: path)
            try await see(["a.jpg", "b.jpg"], in: library)
            try await store("a.jpg", in: library, at: Self.now)
            try await store("b.jpg", in: library, at: Self.now + 7_200)
            let keys = ["a.jpg", "b.jpg"].map { ObjectKey(root: "Pictures", path: $0) }
            let receipt = try #require(try await library.receipt(destination: "destination", key: keys[0]))
            let move = Move(
                destination: receipt.destination, from: keys[0], to: keys[1], sha256: receipt.sha256, role: .original,
                place: try await library.asset(root: "Pictures", path: "b.jpg")?.place, isSettled: false,
                notedAt: Self.now)
            let held = HeldObject(id: "1", size: 7, eTag: nil, version: nil, updatedAt: nil)
            try await library.settle(moved: move, from: receipt, held: held, at: Self.now + 14_400)
            try await library.commit()
            #expect(try errors(in: path) == [])
            #expect(try await library.storedBytes(destination: "destination") == 7)
        }
    }

    /// A library of version 9 is read with its sums counted, and gets them when it is opened for writing.
    @Test func anOlderLibraryGetsItsSums() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let library = try Library(path: path)
            try await see(["a.jpg", "b.jpg"], in: library)
            try await store("a.jpg", in: library, at: Self.now)
            let counts = try await library.counts()
            try await library.close()
            let database = try Connection(path: path.display)
            try database.dropSums()
            try database.execute("PRAGMA user_version = 9")

            let reader = try #require(try Library.existing(at: path))
            #expect(try await reader.counts() == counts)
            #expect(try await reader.storedByHour(at: Self.now).map(\.objects) == [1])
            let next = try Library(path: path)
            #expect(try await next.counts() == counts)
            try await see(["c.jpg"], in: next)
            try await next.commit()
            #expect(try errors(in: path) == [])
            #expect(try await next.counts().total == 3)
        }
    }

    /// What a later version writes, this one may misread.
    @Test func aLaterVersionsLibraryIsReadByNone() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            try await Library(path: path).close()
            try Connection(path: path.display).execute("PRAGMA user_version = 9999")
            #expect(throws: Library.NewerLibrary.self) { try Library(path: path) }
            #expect(throws: Library.NewerLibrary.self) { try Library.existing(at: path) }
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
                let roots = try await reader.rootCounts(of: counts)
                #expect(roots.map(\.count.total) == [total, 0] && roots.map(\.count.waiting) == [total, 0])
            }
        }
    }

    @Test func theHoursOfTheLastMonthAreTold() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let hour = Self.now - Self.now.timeIntervalSince1970.truncatingRemainder(dividingBy: 3_600)
            for (name, age) in [("a.jpg", 0.0), ("b.jpg", 60), ("c.jpg", 3_600), ("d.jpg", 31 * 86_400)] {
                try await see([name], in: library)
                try await store(name, in: library, at: hour - age)
            }
            let counted = try await library.storedByHour(at: Self.now)
            #expect(counted.map(\.objects) == [2, 1] && counted.map(\.start) == [hour - 3_600, hour])
            #expect(try await library.storedByHour(at: Self.now + 30 * 86_400 + 1) == [])
        }
    }
}
