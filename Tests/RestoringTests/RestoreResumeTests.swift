import Catalog
import Fixtures
import Foundation
import Glibc
import Platform
import Records
import Supabase
import Sync
import TestSupport
import Testing
import Transfer

@testable import Queue
@testable import Restoring

@Suite struct RestoreResumeTests {
    static let text = "sixteen bytes ok"

    static func things() throws -> [StoredThing] {
        try [StoredThing("a.jpg", text), StoredThing("b/c.jpg", "other"), StoredThing("b/d.jpg", "third")]
    }

    static let whole: FileTree = [
        "Pictures": ["a.jpg": "sixteen bytes ok", "b": ["c.jpg": "other", "d.jpg": "third"]]
    ]

    /// One attempt and one object at a time, so that the n-th call is always the same.
    static func plain(_ setup: inout Restorer.Setup) {
        setup.concurrency = 1
        setup.ladder = RetryLadder(attempts: 1)
    }

    /// Whether every file under its final name is right.
    static func isSound(_ tree: FileTree) -> Bool {
        let files = tree.files.filter { !$0.key.isPart }
        return files.allSatisfy { whole.files[$0.key] == $0.value }
    }

    // MARK: The n-th thing fails

    @Test(arguments: [ENOSPC, EIO])
    func aFullDiskAtAnyCallLeavesWholeFilesAndIsGoneOnFrom(code: Int32) async throws {
        for calls in 0... {
            var hasFailed = false
            try await RestoreBench.with { bench throws in
                let folder = try FailingFolder(bench.directory, callsBeforeFailure: calls, code: code)
                let bucket = BucketDouble(try Self.things())
                let restorer = Restorer(bench.setup(bucket, Self.plain)) { folder }
                let error = await Self.error { _ = try await restorer.run() }
                #expect((error as? SystemError)?.code == (folder.hasFailed ? code : nil), "\(folder.failedCall)")
                hasFailed = folder.hasFailed
                #expect(Self.isSound(try bench.tree), "\(folder.failedCall), call \(calls)")
                #expect(try await bench.restore(bucket).ending == .done)
                #expect(try bench.tree == Self.whole, "\(folder.failedCall), call \(calls)")
            }
            if !hasFailed { break }
        }
    }

    @Test func aCallThatIsNotPermittedFailsItsFileAlone() async throws {
        for calls in 0... {
            var hasFailed = false
            try await RestoreBench.with { bench throws in
                let folder = try FailingFolder(
                    bench.directory, callsBeforeFailure: calls, code: EACCES, staysBroken: false)
                let bucket = BucketDouble(try Self.things())
                hasFailed = try await Self.failsAtMostOne(Restorer(bench.setup(bucket, Self.plain)) { folder }, folder)
                #expect(Self.isSound(try bench.tree), "\(folder.failedCall), call \(calls)")
                #expect(try await bench.restore(bucket).ending == .done)
                #expect(try bench.tree == Self.whole, "\(folder.failedCall), call \(calls)")
            }
            if !hasFailed { break }
        }
    }

    /// What `body` throws.
    static func error(_ body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    /// Runs the restorer; at most one file may fail, unless the names cannot be made durable, or the folder is closed.
    static func failsAtMostOne(_ restorer: Restorer, _ folder: FailingFolder) async throws -> Bool {
        do {
            let result = try await restorer.run()
            #expect(result.failed.count == (folder.hasFailed ? 1 : 0), "\(folder.failedCall)")
            #expect(result.restored + result.failed.count == 3)
        } catch let error as SystemError {
            #expect(error.call == "synchronize directory")
        } catch is ClosedFolder {
            #expect(["checkWriting", "names", "availableBytes"].contains(folder.failedCall))
        }
        return folder.hasFailed
    }

    @Test func aRequestThatBreaksAtAnyPointIsMadeUpForByTheNextRun() async throws {
        for number in 0..<7 {
            try await RestoreBench.with { bench throws in
                let isBroken = Shared(true)
                let bucket = BucketDouble(try Self.things()) { call, _ in
                    isBroken.value && call >= number ? .cut(after: 2) : nil
                }
                _ = try await bench.restore(bucket, Self.plain)
                #expect(Self.isSound(try bench.tree))
                isBroken.change { $0 = false }
                #expect(try await bench.restore(bucket).ending == .done)
                #expect(try bench.tree == Self.whole, "request \(number)")
            }
        }
    }

    // MARK: Bytes that are there are not fetched again

    @Test func aCutDownloadGoesOnAtTheVeryByte() async throws {
        for count in 0...Self.text.utf8.count {
            try await RestoreBench.with { bench throws in
                let isBroken = Shared(true)
                let bucket = BucketDouble([try StoredThing("a.jpg", Self.text)]) { _, call in
                    call.verb == .get && isBroken.value ? .cut(after: count) : nil
                }
                #expect(try await bench.restore(bucket, Self.plain).failed.count == 1)
                #expect(try bench.tree.files.values.map(\.count) == [count])
                isBroken.change { $0 = false }
                let result = try await bench.restore(bucket, Self.plain)
                #expect(try bench.tree == ["Pictures": ["a.jpg": "sixteen bytes ok"]])
                #expect(result.received == Int64(Self.text.utf8.count - count))
                let ranges = bucket.calls(.get).dropFirst().map(\.range)
                #expect(ranges == (count == 16 ? [] : [count == 0 ? nil : "bytes=\(count)-"]))
            }
        }
    }

    @Test func withinARunAnObjectWithoutAHashGoesOnTooButNotAfterIt() async throws {
        try await RestoreBench.with { bench throws in
            let bare = StoredThing(key: "a.jpg", Self.text, eTag: "\"x-2\"")
            let cuts = Shared(0)
            let bucket = BucketDouble([bare]) { _, call in
                guard call.verb == .get, cuts.value < 3 else { return nil }
                cuts.change { $0 += 1 }
                return .cut(after: 3)
            }
            #expect(try await bench.restore(bucket) { $0.ladder = RetryLadder(attempts: 2) }.failed.count == 1)
            #expect(bucket.calls(.get).map(\.range) == [nil, "bytes=3-"])
            #expect(bucket.calls(.get).map(\.ifRange) == [nil, "\"x-2\""])
            #expect(try await bench.restore(bucket).restored == 1)
            #expect(bucket.calls(.get).dropFirst(2).map(\.range) == [nil, "bytes=3-"])
            #expect(try bench.tree == ["a.jpg": "sixteen bytes ok"])
        }
    }

    @Test func aServerThatIgnoresRangesSendsItAllAgain() async throws {
        try await RestoreBench.with { bench throws in
            let bucket = BucketDouble([try StoredThing("a.jpg", Self.text)], ignoresRanges: true) { _, call in
                call.verb == .get && call.range == nil ? .cut(after: 5) : nil
            }
            #expect(try await bench.restore(bucket).restored == 1)
            #expect(try bench.tree == ["Pictures": ["a.jpg": "sixteen bytes ok"]])
        }
    }

    @Test func anObjectReplacedMeanwhileIsFetchedAnew() async throws {
        try await RestoreBench.with { bench throws in
            let replacement = try StoredThing("a.jpg", "something else")
            let buckets = Shared<BucketDouble?>(nil)
            let bucket = BucketDouble([try StoredThing("a.jpg", Self.text)]) { _, call in
                guard call.verb == .get, buckets.value?.calls(.get).count == 1 else { return nil }
                buckets.value?.put(replacement)
                return .cut(after: 5)
            }
            buckets.change { $0 = bucket }
            #expect(try await bench.restore(bucket).restored == 1)
            #expect(bucket.calls(.get).map(\.range) == [nil, nil])
            #expect(try bench.tree == ["Pictures": ["a.jpg": "something else"]], "the first part is gone too")
            buckets.change { $0 = nil }
        }
    }

    @Test func anObjectThatIsGoneAfterABreakLeavesNoPart() async throws {
        try await RestoreBench.with { bench throws in
            let isBroken = Shared(false)
            let bucket = BucketDouble([try StoredThing("a.jpg", Self.text)]) { _, call in
                if isBroken.value { return .answer(BucketDouble.missing) }
                guard call.verb == .get else { return nil }
                isBroken.change { $0 = true }
                return .cut(after: 5)
            }
            #expect(try await bench.restore(bucket).failed.map(\.key) == ["Pictures/a.jpg"])
            #expect(bucket.calls.map(\.verb) == [.list, .info, .get, .info])
            #expect(try bench.tree.files.isEmpty)
        }
    }

    @Test func whatAPowerCutLeftInAPartIsFoundOut() async throws {
        let thing = try StoredThing("a.jpg", Self.text)
        let part = try RestoreTarget(try thing.read, key: thing.key, prefix: "").part
        for left in ["", "sixteen", "zeros\0\0\0", Self.text, "sixteen bytes no", "much longer than it should be"] {
            try await RestoreBench.with(["Pictures": [FilePath(bytes: part.name): .file(Array(left.utf8))]]) {
                bench throws in
                #expect(try await bench.restore(BucketDouble([thing])).restored == 1)
                #expect(try bench.tree == ["Pictures": ["a.jpg": "sixteen bytes ok"]], "\(left)")
            }
        }
    }

    @Test func partsOfWhatAnObjectOnceHeldAreRemoved() async throws {
        let part = try RestoreTarget(try StoredThing("a.jpg", "old").read, key: "Pictures/a.jpg", prefix: "").part
        let other = try RestoreTarget(try StoredThing("b.jpg", "old").read, key: "Pictures/b.jpg", prefix: "").part
        let tree: FileTree = ["Pictures": [FilePath(bytes: part.name): "o", FilePath(bytes: other.name): "o"]]
        try await RestoreBench.with(tree) { bench throws in
            _ = try await bench.restore(BucketDouble([try StoredThing("a.jpg", "new")]))
            #expect(try bench.tree == ["Pictures": ["a.jpg": "new", FilePath(bytes: other.name): "o"]])
        }
    }

    // MARK: Stopping

    @Test func aStoppedRestoreKeepsItsPartAndGoesOnFromIt() async throws {
        try await RestoreBench.with { bench throws in
            let (pauses, pausing) = AsyncStream<Void>.makeStream()
            let isBroken = Shared(true)
            let bucket = BucketDouble([try StoredThing("a.jpg", Self.text)]) { _, call in
                call.verb == .get && isBroken.value ? .cut(after: 7) : nil
            }
            let restorer = Restorer(
                bench.setup(bucket) {
                    $0.pause = { _ in
                        pausing.yield()
                        try await Task.sleep(for: .seconds(3_600))
                    }
                })
            let run = Task { try await restorer.run() }
            try await pauses.first("the restore pauses")
            #expect(restorer.progress.retriesWaiting == 1)
            run.cancel()
            await #expect(throws: CancellationError.self) { try await run.value }
            #expect(try bench.tree.files.values.map(\.count) == [7])
            isBroken.change { $0 = false }
            #expect(try await bench.restore(bucket).received == 9)
        }
    }

    @Test func aClientThatIsClosedStopsTheRun() async throws {
        try await RestoreBench.with { bench throws in
            let bucket = BucketDouble(try Self.things()) { number, _ in number == 2 ? .fails(.cancelled) : nil }
            await #expect(throws: CancellationError.self) { try await bench.restore(bucket) }
        }
    }
}
