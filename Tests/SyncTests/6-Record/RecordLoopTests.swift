import Audit
import Configuration
import Fixtures
import Foundation
import Platform
import Records
import Roots
import Supabase
import TestSupport
import Testing
import Text

@testable import Catalog
@testable import Queue
@testable import Sync
@testable import Uploading

/// When the loop that proves what was sent closes a batch.
@Suite(.timeLimit(.minutes(5))) struct RecordLoopTests {
    /// A loop, an item that the server has taken, and a clock that stands still until it is set.
    private struct Bench: Sendable {
        let loop: RecordLoop
        let library: Library
        let queue: UploadQueue
        let accepted: Accepted
        let activity: Activity
        let wake: WakeEvent
        let clock: TestClock
        let budget: BudgetReservations

        /// - Parameters:
        ///   - limit: Bytes that may be stored in all.
        ///   - isLast: Whether it is the item's last attempt, and other bytes are found under its key.
        ///   - answer: What the server says of its object, where that is neither.
        init(
            _ folder: FilePath, limit: Int64? = nil, isLast: Bool = false, answer: ScriptedTransport.Answer? = nil
        ) async throws {
            let text = RecorderTests.content("a.jpg")
            library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            queue = try UploadQueue(store: try QueueStore(state: folder.appending("queue")), now: Items.now)
            var item = Item(
                root: root.name, path: "a.jpg", role: .original, contentType: "image/jpeg",
                size: Int64(text.utf8.count),
                sha256: SHA256.hash(text.utf8).hexadecimal, modifiedAt: FileTime(Items.now), bucket: "media",
                objectKey: ObjectKey(root: root.name, path: "a.jpg"), now: Items.now)
            if isLast { item.retryCount = 9 }
            budget = BudgetReservations(StorageBudget(limit: limit))
            #expect(budget.reserve(item, replacing: 0) == nil)
            try await library.see(item, below: root)
            _ = try await queue.add(item, origin: .arrival, now: Items.now)
            let claimed = try #require(try await queue.claim(now: Items.now))
            let sent = try #require(try await queue.finish(claimed.id, .sent, now: Items.now))
            let md5 = RecorderTests.md5("a.jpg")
            accepted = Accepted(item: sent, objectID: "id-a.jpg", evidence: Evidence(md5: md5), isUploaded: true)
            let storage = StorageClient(
                endpoint: RecorderTests.destination.endpoint, credentials: StorageCredentials(key: "k"),
                transport: ScriptedTransport([
                    answer ?? RecorderTests.info("a.jpg", eTag: isLast ? RecorderTests.md5("b.jpg") : md5)
                ]))
            let clock = TestClock()
            self.clock = clock
            let sleep = clock.clock.sleep
            // What is gathered is gathered at once.
            let wake = WakeEvent(clock: DateClock(now: { clock.now }, sleep: sleep) { _ in await Task.yield() })
            self.wake = wake
            activity = Activity(wake: wake)
            loop = RecordLoop(
                recorder: Recorder(
                    storage: storage, library: library, queue: queue, destination: RecorderTests.destination,
                    budget: budget, clock: { clock.now }),
                queue: queue, library: library, audit: AuditLog(state: folder), activity: activity, wake: wake,
                clock: { clock.now })
        }

        var isStored: Bool { get async { await queue.item(accepted.item.id)?.status == .completed } }

        /// Runs the loop while another file is being sent, for as long as `body` takes.
        func whileSending(_ body: @Sendable () async throws -> Void) async throws {
            let (end, ended) = AsyncStream.makeStream(of: Void.self)
            let other = Items.pending("other.jpg")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = await activity.sending(other) { _ in
                        for await _ in end {}
                        return .ended(.interrupted)
                    }
                    // As the sender does once nothing is being sent.
                    wake.notify()
                }
                try await eventually("another file is being sent") { activity.isSending }
                group.addTask {
                    try await loop.run(heard: { _ in }, mended: { _ in })
                }
                do {
                    try await body()
                } catch {
                    ended.finish()
                    group.cancelAll()
                    throw error
                }
                loop.stop()
                ended.finish()
                try await group.waitForAll()
            }
        }
    }

    /// Seconds that the clock moves by after something was accepted, and whether it is proven then, though others are sent.
    @Test(
        arguments: [
            Fact("a batch waits for two seconds", 2, true), Fact("long after them", 1_000, true),
            Fact("a clock that is set back by an hour", -3_600, true), Fact("by a year", -31_536_000, true),
        ] as [Fact<Double, Bool>])
    func aBatchCloses(_ fact: Fact<Double, Bool>) async throws {
        try await FileTree().withDirectory { folder in
            let bench = try await Bench(folder)
            try await bench.whileSending {
                bench.loop.add(bench.accepted)
                bench.clock.advance(by: fact.input)
                bench.wake.notify(.recording)
                try await eventually("the receipt is there", within: .seconds(20)) { await bench.isStored }
            }
        }
    }

    /// One that is given up, too: the server may hold it all the same, and is asked about it later.
    @Test(arguments: [false, true])
    func whatWasAcceptedTakesItsRoom(isLast: Bool) async throws {
        try await FileTree().withDirectory { folder in
            let bench = try await Bench(folder, limit: 1_000, isLast: isLast)
            try await bench.whileSending {
                bench.loop.add(bench.accepted)
                bench.clock.advance(by: 2)
                bench.wake.notify(.recording)
                try await eventually("it is proven or given up") {
                    await bench.queue.item(bench.accepted.item.id)?.status != .uploading
                }
            }
            #expect(await bench.isStored == !isLast)
            let size = bench.accepted.item.size
            #expect(bench.budget.room == 1_000 - size)
            let left = try await bench.library.leftovers(destination: RecorderTests.destination.name)
            #expect(left.total == (isLast ? size : 0))
        }
    }

    /// It is not proven, and goes from the queue to the library before its room is looked at.
    @Test func whatWaitsInTheLibraryKeepsItsRoom() async throws {
        try await FileTree().withDirectory { folder in
            let bench = try await Bench(folder, limit: 1_000, answer: .json("", status: 540))
            bench.loop.add(bench.accepted)
            bench.loop.stop()
            let moved = Shared(0)
            try await bench.loop.run {
                _ in
                let items = try await bench.queue.withdraw { $0.id == bench.accepted.item.id }
                moved.change { $0 += items.count }
            } mended: {
                _ in
            }
            #expect(moved.value == 1)
            let later = try Library(path: folder.appending("library.sqlite"))
            let left = try await later.leftovers(destination: RecorderTests.destination.name)
            #expect(left.total == bench.accepted.item.size, "a later run knows it from there alone")
            #expect(bench.budget.room == 1_000 - bench.accepted.item.size)
        }
    }

    /// Before that it waits for others, and the end of all sending closes it whatever the clock says.
    @Test(arguments: [0, 1.9, -50])
    func aBatchThatIsNotDueWaitsForTheEndOfSending(seconds: Double) async throws {
        try await FileTree().withDirectory { folder in
            let bench = try await Bench(folder)
            try await bench.whileSending {
                bench.loop.add(bench.accepted)
                bench.clock.advance(by: seconds)
                let heard = bench.wake.wakeups
                bench.wake.notify(.recording)
                try await eventually("the loop comes round") { bench.wake.lastHeard(by: .recording) > heard }
                #expect(await !bench.isStored)
            }
            #expect(await bench.isStored)
            #expect(bench.activity.snapshot.isQuiet)
        }
    }
}
