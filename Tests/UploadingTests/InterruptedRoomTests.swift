import Fixtures
import Foundation
import Platform
import Records
import Roots
import Supabase
import TestSupport
import Testing

@testable import Catalog
@testable import Configuration
@testable import Queue
@testable import Uploading

/// The room that a run leaves for what an earlier one was sending when it ended.
@Suite struct InterruptedRoomTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Room of 1,000 bytes that 100 bytes leave, in whichever way they were left.
        let room: Int64
        let change: @Sendable (inout Item) -> Void

        init(_ sentence: String, room: Int64, _ change: @escaping @Sendable (inout Item) -> Void) {
            (testDescription, self.room, self.change) = (sentence, room, change)
        }
    }

    private static let refusal = Item.Failure(code: .http(500), message: "words", retryable: true)

    private static let rows = [
        Row("was never tried", room: 1_000) { _ in },
        Row("was being sent", room: 900) { ($0.status, $0.lastAttemptAt) = (.uploading, Items.now) },
        Row("was being sent once more", room: 900) {
            ($0.status, $0.lastAttemptAt, $0.lastError) = (.uploading, Items.now, refusal)
        },
        Row("was given up by a stop", room: 900) { $0.lastAttemptAt = Items.now },
        Row("was accepted and not proven", room: 900) { ($0.sent, $0.lastAttemptAt) = (true, Items.now) },
        Row("backs off after a refusal", room: 1_000) {
            ($0.lastAttemptAt, $0.lastError, $0.nextAttemptAt) = (Items.now, refusal, Items.now + 9)
        },
        Row("waits for room", room: 1_000) {
            ($0.lastAttemptAt, $0.lastError, $0.blocked) = (Items.now, refusal, .budget)
        },
        Row("waits no longer", room: 1_000) { ($0.lastAttemptAt, $0.lastError) = (Items.now, refusal) },
        Row("failed", room: 1_000) {
            ($0.status, $0.lastAttemptAt, $0.lastError) = (.failed, Items.now, refusal)
        },
        Row("is stored", room: 1_000) {
            ($0.status, $0.sent, $0.lastAttemptAt, $0.completedAt) = (.completed, true, Items.now, Items.now)
        },
    ]

    @Test(arguments: rows)
    func whatMayBeStoredTakesItsRoom(_ row: Row) async throws {
        let item = Items.with(Items.pending("a.jpg", size: 100), row.change)
        let budget = BudgetReservations(StorageBudget(limit: 1_000))
        let uploader = try await Self.uploader(of: item, budget)
        try await uploader.rememberInterrupted()
        try await Self.count(budget, uploader.library)
        #expect(budget.room == row.room)
        #expect(try await uploader.reserve(item) == nil, "its own room")
        #expect(budget.room == 900)
    }

    /// Its file was renamed meanwhile: the object is a leftover until the server was asked, or was never begun.
    @Test(arguments: rows.filter { $0.testDescription != "is stored" })
    func whatIsWithdrawnLeavesNoMoreThanThat(_ row: Row) async throws {
        let item = Items.with(Items.pending("a.jpg", size: 100), row.change)
        let budget = BudgetReservations(StorageBudget(limit: 1_000))
        let uploader = try await Self.uploader(of: item, budget)
        try await uploader.rememberInterrupted()
        _ = try await uploader.withdraw([RootedPath(root: item.root, path: item.filePath)])
        try await Self.count(budget, uploader.library)
        #expect(budget.room == row.room)
    }

    /// Both were being sent when the earlier run ended: one waits for room, and may be stored all the same.
    @Test func whatDoesNotFitKeepsTheRoomThatItMayHaveTaken() async throws {
        let items = [Items.pending("a.jpg", size: 600), Items.pending("b.jpg", size: 700)].map {
            Items.with($0) { $0.status = .uploading }
        }
        let budget = BudgetReservations(StorageBudget(limit: 1_000))
        let uploader = try await Self.uploader(of: items, budget)
        try await uploader.rememberInterrupted()
        #expect(try await uploader.reserve(items[0])?.code == .limit(.budget))
        #expect(try await uploader.reserve(Items.pending("c.jpg", size: 100)) != nil)
        #expect(budget.room == 0)
    }

    /// Bytes that were accepted were the item's, and an object that nothing contradicts is it.
    ///
    /// Others may be anything.
    @Test(arguments: [true, false])
    func onlyWhatWasNotAcceptedIsDoubtful(isSent: Bool) async throws {
        let item = Items.with(Items.pending("a.jpg", size: 100)) {
            ($0.status, $0.sent, $0.lastAttemptAt) = (.uploading, isSent, Items.now)
        }
        let uploader = try await Self.uploader(of: item, BudgetReservations())
        try await uploader.rememberInterrupted()
        let (library, name) = (uploader.library, UploadBench.destination.name)
        let isDoubtful = try await library.wasAttempted(destination: name, key: item.objectKey, sha256: item.sha256)
        #expect(isDoubtful == !isSent)
        #expect(try await library.isOurs(destination: name, key: item.objectKey, sha256: item.sha256))
    }

    /// One that waits for long is in the library, where it is tried again from.
    @Test func whatTheLibraryKeepsForTheQueueKeepsItsRoom() async throws {
        let item = Items.with(Items.pending("a.jpg", size: 600)) { $0.status = .uploading }
        let budget = BudgetReservations(StorageBudget(limit: 1_000))
        let uploader = try await Self.uploader(of: item, budget)
        try await uploader.rememberInterrupted()
        let waiting = Items.with(item) { ($0.status, $0.blocked, $0.lastError) = (.pending, .tooLarge, Self.refusal) }
        let root = try await uploader.library.root(at: FilePath("/m/\(item.root)")).root
        try await uploader.library.see(waiting, below: root)
        #expect(
            try await uploader.library.keep(blocked: [waiting], destination: UploadBench.destination.name).count == 1)
        _ = try await uploader.queue.withdraw { $0.id == item.id }
        #expect(try await uploader.reserve(Items.pending("c.jpg", size: 500)) != nil)
        #expect(budget.room == 400)
    }

    private static func count(_ budget: BudgetReservations, _ library: Library) async throws {
        try await budget.count(in: library, at: UploadBench.destination.name)
    }

    private static func uploader(of item: Item, _ budget: BudgetReservations) async throws -> Uploader {
        try await uploader(of: [item], budget)
    }

    /// An uploader whose queue has loaded `items`, as an earlier run has left them.
    private static func uploader(of items: [Item], _ budget: BudgetReservations) async throws -> Uploader {
        let library = try Library.empty()
        let disk = RecordingDisk()
        let store = QueueStore(disk: disk, quarantine: RecordingDisk())
        var writer = try RecordWriter(store, after: try store.load(), entries: [Item](), foldSize: 8 << 20)
        try await writer.record(items.map { .set($0) }) { items }?.wait()
        let queue = try UploadQueue(store: store, now: Items.now)
        return UploadBench.idle(library, queue, budget)
    }
}
