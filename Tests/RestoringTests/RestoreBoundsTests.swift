import Catalog
import Fixtures
import Foundation
import Platform
import Queue
import Records
import Supabase
import Sync
import TestSupport
import Testing

@testable import Restoring
@testable import Text

/// What a restore accepts from a bucket that other clients may have filled.
@Suite struct RestoreBoundsTests {
    private static func hello() throws -> StoredThing { try StoredThing("a.jpg", "hello") }

    private func codes(_ result: RestoreResult) -> [String] {
        result.failed.map { if case .failed(let failure) = $0.outcome { failure.code.text } else { "" } }
    }

    @Test func noMoreBytesAreTakenThanAreNamed() async throws {
        try await RestoreBench.with { bench throws in
            let bucket = BucketDouble([try Self.hello().with { $0.claimedSize = 4 }, try StoredThing("z.jpg", "more")])
            let result = try await bench.restore(bucket)
            #expect(codes(result) == ["restore.size"])
            #expect(result.restored == 1)
            #expect(result.ending == .someFailed(1))
            #expect(bucket.calls(.get).count { $0.key == "Pictures/a.jpg" } == 2, "once more, for it may be a new one")
            let part = try bench.tree.files.first { $0.key.isPart }
            #expect(part?.value.isEmpty ?? true)
        }
    }

    @Test func whatTheDiskHasNoRoomForIsNotFetched() async throws {
        try await RestoreBench.with { bench throws in
            let bucket = BucketDouble([try Self.hello()])
            let error = await #expect(throws: NoRoom.self) { try await bench.restore(bucket) { $0.reserve = 1 << 60 } }
            let kept = Quantity.text(bytes: 1 << 60)
            #expect(error?.description.contains("has no room beside the \(kept) that are kept free: make room") == true)
            #expect(try bench.tree.files.isEmpty)
            #expect(bucket.calls(.get).isEmpty)
        }
    }

    /// What is smaller may fit.
    @Test func aFileThatIsTooLargeForTheDiskKeepsNoOtherFromBeingFetched() async throws {
        try await RestoreBench.with { bench throws in
            let left = Int(try Directory(bench.directory).availableBytes())
            let things = [try Self.hello().with { $0.claimedSize = left }, try StoredThing("z.jpg", "more")]
            let result = try await bench.restore(BucketDouble(things))
            #expect(codes(result) == ["restore.room"])
            guard case .failed(let failure) = result.failed.first?.outcome else { return }
            #expect(
                failure.message.hasPrefix("it needs \(Quantity.text(bytes: Int64(left))), and the disk has room for "))
            #expect(result.restored == 1 && result.ending == .someFailed(1))
        }
    }

    @Test func othersInHandNeedTheirRoomToo() throws {
        let tally = RestoreTally(isDryRun: false)
        let things = try [StoredThing("a.jpg", "12345678"), StoredThing("b.jpg", "123")]
        for thing in things {
            tally.begin(try JSONDecoder().decode(ListedObject.self, from: Data(thing.row.utf8)))
        }
        #expect(tally.room(for: things[0].key, done: 0, available: 10) == 10)
        #expect(tally.room(for: things[1].key, done: 0, available: 10) == 2)
        tally.progress(things[0].key, done: 5, received: 5)
        #expect(tally.room(for: things[1].key, done: 0, available: 5) == 2)
        tally.requestEnded(things[0].key)
        #expect(tally.room(for: things[1].key, done: 0, available: 5) == 5)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let path: FilePath
        let isExcess: Bool

        init(_ description: String, folders: Int, of name: String, _ isExcess: Bool) {
            testDescription = description
            path = FilePath(Array(repeating: name, count: folders).joined(separator: "/") + "/a.jpg")
            self.isExcess = isExcess
        }
    }

    @Test(arguments: [
        Row("as deep as is made", folders: 512, of: "d", false),
        Row("one deeper", folders: 513, of: "d", true),
        Row("thousands", folders: 5_000, of: "d", true),
        // "/restore" and a slash, 20 names of 200 with their slashes, and 63 of the part: 4,092.
        Row("as long as can be opened", folders: 20, of: String(repeating: "n", count: 200), false),
        Row("longer", folders: 20, of: String(repeating: "n", count: 201), true),
    ])
    func pathsHaveBounds(_ row: Row) {
        #expect((RestorePlace.excess(row.path, below: "/restore") != nil) == row.isExcess)
    }

    @Test func aPathBeyondThemIsRefusedByItself() async throws {
        try await RestoreBench.with { bench throws in
            let deep = "Pictures/" + String(repeating: "d/", count: 3_000) + "a.jpg"
            let bucket = BucketDouble([StoredThing(key: deep, "x"), try StoredThing("z.jpg", "hello")])
            let result = try await bench.restore(bucket)
            #expect(result.refused.count == 1)
            #expect(try bench.tree == ["Pictures": ["z.jpg": "hello"]])
        }
    }

    @Test(arguments: [false, true])
    func atTheEndAllBytesAreAccountedFor(_ isThere: Bool) async throws {
        try await RestoreBench.with { bench throws in
            let things = try [
                Self.hello(), StoredThing("b.jpg", "other").with { $0.claimedSize = 9_000 },
                StoredThing("c.jpg", "c").with { $0.claimedSize = .max },
                StoredThing("d.jpg", "").with { $0.claimedSize = -1 },
            ]
            let bucket = BucketDouble(things)
            if isThere { _ = try await bench.restore(bucket) }
            let restorer = Restorer(bench.setup(bucket))
            _ = try await restorer.run()
            let progress = restorer.progress
            #expect(progress.bytesDone == progress.bytesTotal)
            #expect(progress.counts.map(\.done) == [4, 4])
        }
    }
}
