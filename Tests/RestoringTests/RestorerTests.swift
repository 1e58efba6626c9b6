import Fixtures
import Foundation
import Platform
import Records
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Catalog
@testable import Queue
@testable import Restoring
@testable import Sync
@testable import Text

@Suite struct RestorerTests {
    /// Names that have caused bugs elsewhere.
    static let album: [FilePath] = [
        "a.jpg", "2026/夏/写真 1.jpg", "e\u{301}.jpg", "é.jpg", "100% #1!.jpg", "empty.jpg",
        FilePath(bytes: [0xFF, 0xFE, 0x2E, 0x6A]), FilePath("deep/" + String(repeating: "写", count: 85)),
        FilePath(Array(repeating: String(repeating: "d", count: 120), count: 8).joined(separator: "/")),
        FilePath(String(repeating: "n", count: 255)),
    ]

    static func things(prefix: String = "") throws -> [StoredThing] {
        try album.enumerated().map { index, path in
            try StoredThing(
                path, path == "empty.jpg" ? "" : "content \(index)", prefix: prefix,
                at: FileTime(nanoseconds: 1_600_000_000_000_000_001 + Int64(index) * 1_000_000_007))
        }
    }

    // MARK: What comes back

    @Test(arguments: ["", "0b9c6a4e-8f3a-4c1e-9d53-0a1b2c3d4e5f", "backup/laptop"])
    func everyNameTimeAndByteComesBack(prefix: String) async throws {
        try await RestoreBench.with { bench throws in
            let result = try await bench.restore(BucketDouble(try Self.things(prefix: prefix))) {
                $0.keyPrefix = prefix
            }
            #expect(result.restored == Self.album.count)
            #expect(result.unproven == 0)
            #expect(result.ending == .done)
            let files = try bench.tree.files
            #expect(files.count == Self.album.count)
            for (index, path) in Self.album.enumerated() {
                let place = FilePath("Pictures").appending(path)
                #expect(files[place] == Array((path == "empty.jpg" ? "" : "content \(index)").utf8), "\(path)")
                #expect(
                    try bench.modified(place).nanoseconds == 1_600_000_000_000_000_001 + Int64(index) * 1_000_000_007)
            }
        }
    }

    @Test func aSecondRunFetchesNothing() async throws {
        try await RestoreBench.with { bench throws in
            let bucket = BucketDouble(try Self.things())
            _ = try await bench.restore(bucket)
            let requests = bucket.calls(.get).count
            #expect(requests == Self.album.count - 1, "nothing is asked for of an empty file")
            let again = try await bench.restore(bucket)
            #expect(bucket.calls(.get).count == requests)
            #expect(again.alreadyThere == Self.album.count)
            #expect(again.received == 0)
            #expect(again.ending == .done)
        }
    }

    @Test func theSameContentGetsItsTimeBack() async throws {
        try await RestoreBench.with(["Pictures": ["a.jpg": "hello"]]) { bench throws in
            let bucket = BucketDouble([try StoredThing("a.jpg", "hello")])
            #expect(try await bench.restore(bucket).alreadyThere == 1)
            #expect(try bench.modified("Pictures/a.jpg") == StoredThing.usualTime)
            #expect(bucket.calls(.get).isEmpty)
        }
    }

    @Test func aDifferentFileStays() async throws {
        try await RestoreBench.with(["Pictures": ["a.jpg": "jello", "b.jpg": "x", "c.jpg": .symlink(to: "a.jpg")]]) {
            bench throws in
            let before = try bench.tree
            let result = try await bench.restore(
                BucketDouble(try ["a.jpg", "b.jpg", "c.jpg"].map { try StoredThing($0, "hello") }))
            #expect(try bench.tree == before)
            #expect(
                result.refused.map(\.outcome) == [
                    .refused("a different file is there"),
                    .refused("a different file is there, with 1 bytes instead of 5"),
                    .refused("a symlink has its name"),
                ])
            #expect(result.ending == .someFailed(3))
        }
    }

    /// A folder's name may have become a file's, or the other way round, while the objects of both are in the bucket.
    @Test(
        arguments: [
            Fact(
                "a folder is there", ["x.jpg": ["old": "other"]],
                ["x.jpg": ["old": "other"], "x--2cf24dba.jpg": "hello"]),
            Fact("an empty one", ["x.jpg": [:]], ["x.jpg": [:], "x--2cf24dba.jpg": "hello"]),
            Fact(
                "so is one at its second place", ["x.jpg": [:], "x--2cf24dba.jpg": [:]],
                ["x.jpg": [:], "x--2cf24dba.jpg": [:]]),
        ] as [Fact<FileTree, FileTree>])
    func aFileWhoseNameAFolderHasGoesBeside(_ row: Fact<FileTree, FileTree>) async throws {
        try await RestoreBench.with(["Pictures": .directory(row.input)]) { bench throws in
            let bucket = BucketDouble([try StoredThing("x.jpg", "hello")])
            let isWritten = row.output.nodes["x--2cf24dba.jpg"] == "hello"
            for run in 1...2 {
                let result = try await bench.restore(bucket)
                #expect(try bench.tree == ["Pictures": .directory(row.output)])
                #expect(result.renamed.count == (isWritten && run == 1 ? 1 : 0))
                #expect(result.refused.isEmpty == isWritten)
            }
        }
    }

    @Test func whatLiesBelowANameThatAFileHasGoesBeside() async throws {
        try await RestoreBench.with(["Pictures": ["x.jpg": "a photo"]]) { bench throws in
            let bucket = BucketDouble(try ["x.jpg/old.jpg", "x.jpg/a/b.jpg"].map { try StoredThing($0, "hello") })
            let planned = try await bench.restore(bucket) { $0.isDryRun = true }
            #expect(
                planned.planned.map(\.name) == ["Pictures/x.jpg--folder/a/b.jpg", "Pictures/x.jpg--folder/old.jpg"])
            let result = try await bench.restore(bucket)
            #expect(
                result.renamed.map(\.problem).last
                    == "Pictures/x.jpg/old.jpg: something else has its name, so it is Pictures/x.jpg--folder/old.jpg")
            let expected: FileTree = [
                "x.jpg": "a photo", "x.jpg--folder": ["old.jpg": "hello", "a": ["b.jpg": "hello"]],
            ]
            #expect(try bench.tree == ["Pictures": .directory(expected)])
            #expect(try await bench.restore(bucket).alreadyThere == 2)
        }
    }

    /// Whichever of both comes first, all bytes come back.
    @Test func aFileAndAFolderOfOneNameBothComeBack() async throws {
        let things = try ["x.jpg", "x.jpg/old.jpg"].map { try StoredThing($0, "\($0)") }
        try await RestoreBench.with { bench throws in
            let result = try await bench.restore(BucketDouble(things))
            #expect(result.ending == .done && result.restored == 2 && result.renamed.count == 1)
            #expect(try await bench.restore(BucketDouble(things)).alreadyThere == 2)
        }
    }

    /// Another object had the key when the file was stored: it is told, and asked for by its own name.
    @Test(arguments: [[], ["Pictures/x.jpg"], ["x--2cf24dba.jpg"], ["other.jpg"]] as [[FilePath]])
    func aFileThatWasStoredBesideIsTold(paths: [FilePath]) async throws {
        var beside = try StoredThing("x.jpg", "hello")
        beside.key = "Pictures/x--2cf24dba.jpg"
        let bucket = BucketDouble([try StoredThing("x.jpg", "older"), beside])
        for isDryRun in [true, false] {
            try await RestoreBench.with { bench throws in
                let result = try await bench.restore(bucket) {
                    $0.selection = RestoreSelection(paths: paths)
                    $0.isDryRun = isDryRun
                }
                let isMeant = paths != ["other.jpg"]
                #expect(result.restored == (isMeant ? (paths == ["x--2cf24dba.jpg"] ? 1 : 2) : 0))
                #expect(
                    result.renamed.map(\.problem)
                        == (isMeant
                            ? [
                                "Pictures/x.jpg: it was stored beside another one of its name, so it is Pictures/x--2cf24dba.jpg"
                            ]
                            : []))
            }
        }
    }

    @Test func thumbnailsStayWhereTheyAre() async throws {
        try await RestoreBench.with { bench throws in
            let photo = try StoredThing("a.jpg", "hello")
            let thumbnail = ObjectKey(thumbnail: 512, of: ObjectKey(text: photo.key)).text
            let bucket = BucketDouble([photo, StoredThing(key: thumbnail, "small")])
            #expect(try await bench.restore(bucket).restored == 1)
            #expect(try bench.tree == ["Pictures": ["a.jpg": "hello"]])
            #expect(!bucket.calls.contains { $0.key == thumbnail })
        }
    }

    /// Another computer stores into the same bucket, below a prefix of its own, and this one restores all.
    @Test func thumbnailsOfAnotherPrefixStayWhereTheyAre() async throws {
        try await RestoreBench.with { bench throws in
            func thing(_ key: String, _ path: FilePath) throws -> StoredThing {
                var thing = try StoredThing(path, "small")
                thing.key = key
                return thing
            }
            let bucket = BucketDouble([
                try thing("laptop/.thumbnails/512/Pictures/a.jpg.jpg", "a.jpg"),
                try thing("Pictures/.thumbnails/512/x.jpg", ".thumbnails/512/x.jpg"),
            ])
            let result = try await bench.restore(bucket)
            #expect(result.restored == 1 && result.ending == .done)
            #expect(try bench.tree == ["Pictures": [".thumbnails": ["512": ["x.jpg": "small"]]]])
        }
    }

    // MARK: Objects of others

    @Test func whatCarriesNoMetadataOfOursIsTakenAsItIs() async throws {
        let things = [
            StoredThing(key: "shop/a+b.jpg", "one", eTag: "\"\(MD5.hash("one".utf8).hexadecimal)\""),
            StoredThing(key: "shop/sealed.jpg", "two", eTag: "\"\(String(repeating: "0", count: 32))\""),
            StoredThing(key: "top.jpg", "three", eTag: "\"abc-2\""),
        ]
        try await RestoreBench.with { bench throws in
            let bucket = BucketDouble(things)
            let result = try await bench.restore(bucket)
            #expect(result.restored == 3)
            #expect(result.unproven == 3)
            #expect(result.ending == .done)
            #expect(try bench.tree == ["shop": ["a+b.jpg": "one", "sealed.jpg": "two"], "top.jpg": "three"])
            #expect(bench.told.value.allSatisfy { !$0.isProven })
            #expect(try bench.modified("top.jpg") == ISO8601.time(StoredThing.storedAt))
            let again = try await bench.restore(bucket)
            #expect(again.alreadyThere == 3)
            #expect(bucket.calls(.get).count == 3)
        }
    }

    @Test func ofTwoObjectsForOneFileTheSecondIsCompared() async throws {
        let ours = try StoredThing("a+b.jpg", "hello")
        for (text, ending) in [("hello", Ending.done), ("jello", .someFailed(1))] {
            try await RestoreBench.with { bench throws in
                let other = StoredThing(key: "Pictures/a+b.jpg", text, eTag: "\"\(MD5.hash(text.utf8).hexadecimal)\"")
                let result = try await bench.restore(BucketDouble([ours, other]))
                #expect(result.restored == 1)
                #expect(result.ending == ending)
                #expect(try bench.tree.files.count == 1)
            }
        }
    }

    // MARK: What is selected

    @Test func onlyWhatIsSelectedComes() async throws {
        let things = try [
            StoredThing("2026/a.jpg", "1"), StoredThing("2027/b.jpg", "2"),
            StoredThing("2026/c.mp4", "3", root: "Videos"),
            StoredThing(FilePath("2026/" + String(repeating: "写", count: 80)), "4"),
        ]
        try await RestoreBench.with { bench throws in
            let bucket = BucketDouble(things)
            let result = try await bench.restore(bucket) {
                $0.selection = RestoreSelection(paths: ["Pictures/2026", "Musik"])
            }
            #expect(Set(try bench.tree.files.values) == [Array("1".utf8), Array("4".utf8)])
            #expect(result.unmatched == ["Musik"])
            #expect(result.ending == .someFailed(1))
            #expect(!bucket.calls.contains { $0.key.hasPrefix("Videos") }, "what the key rules out is not asked for")
        }
    }

    @Test func onlyWhatIsNewEnoughComes() async throws {
        let things = try [
            StoredThing("old.jpg", "1", at: FileTime(nanoseconds: 999)),
            StoredThing("new.jpg", "2", at: FileTime(nanoseconds: 1_000)),
        ]
        try await RestoreBench.with { bench throws in
            let result = try await bench.restore(BucketDouble(things)) {
                $0.selection = RestoreSelection(paths: ["Pictures"], since: FileTime(nanoseconds: 1_000))
            }
            #expect(try bench.tree == ["Pictures": ["new.jpg": "2"]])
            #expect(result.ending == .done)
        }
    }

    @Test func aDryRunTellsWhatWouldComeAndWritesNothing() async throws {
        try await RestoreBench.with(["Pictures": ["a.jpg": "hello", "b.jpg": "other"]]) { bench throws in
            let before = try FileFacts(of: bench.directory.appending("Pictures/a.jpg"))
            let bucket = BucketDouble(try ["a.jpg", "b.jpg", "c.jpg", "d/e.jpg"].map { try StoredThing($0, "hello") })
            let result = try await bench.restore(bucket) { $0.isDryRun = true }
            #expect(result.isDryRun)
            #expect(result.planned.map(\.place) == ["Pictures/c.jpg", "Pictures/d/e.jpg"])
            #expect(result.restoredBytes == 10)
            #expect(result.alreadyThere == 1)
            #expect(result.refused.map(\.place) == ["Pictures/b.jpg"])
            #expect(try bench.tree == ["Pictures": ["a.jpg": "hello", "b.jpg": "other"]])
            #expect(try FileFacts(of: bench.directory.appending("Pictures/a.jpg")) == before)
            #expect(bucket.calls(.get).isEmpty)
        }
    }

    @Test func anEmptyBucketIsNoError() async throws {
        try await RestoreBench.with { bench throws in
            let bucket = BucketDouble([])
            let result = try await bench.restore(bucket)
            #expect(result.ending == .done)
            #expect(bucket.calls.map(\.verb) == [.list, .bucket])
        }
    }

    @Test func aDirectoryIsMadeButNotByADryRun() async throws {
        try await RestoreBench.with { bench throws in
            let bucket = BucketDouble([try StoredThing("a.jpg", "hello")])
            let directory = bench.directory.appending("x/y")
            let plan = try await bench.restore(bucket) {
                $0.directory = directory
                $0.isDryRun = true
            }
            #expect(plan.planned.count == 1)
            #expect(try bench.tree == [:])
            _ = try await bench.restore(bucket) { $0.directory = directory }
            #expect(try bench.tree == ["x": ["y": ["Pictures": ["a.jpg": "hello"]]]])
        }
    }

    // MARK: Many

    @Test(arguments: [1, 3, 8])
    func manyPagesAreWalked(concurrency: Int) async throws {
        let things = try (0..<250).map { try StoredThing(FilePath("\($0 % 7)/\($0).jpg"), "content \($0)") }
        try await RestoreBench.with { bench throws in
            let bucket = BucketDouble(things, pageSize: 40)
            let restorer = Restorer(bench.setup(bucket) { $0.concurrency = concurrency })
            let result = try await restorer.run()
            #expect(bucket.calls(.list).count == 7)
            #expect(try bench.tree.files.count == 250)
            let bytes = Int64(things.reduce(0) { $0 + $1.bytes.count })
            #expect(result.restoredBytes == bytes)
            #expect(result.received == bytes)
            let progress = restorer.progress
            #expect(progress.counts == [.init(.scan, done: 250, of: 250), .init(.download, done: 250, of: 250)])
            #expect(progress.bytesDone == bytes)
            #expect(progress.bytesTotal == bytes)
            #expect(progress.current.isEmpty)
            #expect(progress.retriesWaiting == 0)
        }
    }

    @Test func aFileUnderWayIsShown() async throws {
        try await RestoreBench.with { bench throws in
            let shown = Shared<Sync.Progress?>(nil)
            let restorer = Shared<Restorer?>(nil)
            let bucket = BucketDouble([try StoredThing("写真/a.jpg", "hello")]) { _, call in
                if call.verb == .get { shown.change { $0 = restorer.value?.progress } }
                return nil
            }
            let setup = bench.setup(bucket)
            restorer.change { $0 = Restorer(setup) }
            _ = try await restorer.value?.run()
            #expect(shown.value?.current == [.init(path: "Pictures/写真/a.jpg", step: .download, size: 5)])
            #expect(shown.value?.bytesTotal == 5)
        }
    }
}
