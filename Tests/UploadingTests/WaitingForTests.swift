import Fixtures
import Foundation
import Platform
import Roots
import Supabase
import TestSupport
import Testing
import Text

@testable import Catalog
@testable import Configuration
@testable import Queue
@testable import Uploading

/// What items wait for, and what frees which of them.
@Suite struct WaitingForTests {
    /// What stands in an item's way: the reason and the code behind it.
    struct Wait: Hashable, CustomTestStringConvertible, Sendable {
        let reason: Item.Blocked
        let code: FailureCode?
        var testDescription: String { "\(reason.rawValue), \(code?.text ?? "no code")" }

        init(_ reason: Item.Blocked, _ code: FailureCode? = nil) { (self.reason, self.code) = (reason, code) }

        func item(_ number: Int, size: Int64 = 1_000) -> Item {
            Items.with(Items.pending(FilePath("\(number).jpg"), size: size)) {
                $0.blocked = reason
                $0.lastError = code.map { Item.Failure(code: $0, message: "words", retryable: false) }
            }
        }
    }

    private static let waits = [
        Wait(.offline, .network(.unreachable)), Wait(.offline, .http(540)), Wait(.offline, .network(.untrusted)),
        Wait(.signIn, .auth(.refused)), Wait(.signIn, .auth(.signedOut)), Wait(.signIn, .auth(.wrongKind)),
        Wait(.signIn, .storage(.accessDenied)), Wait(.signIn, .http(403)), Wait(.signIn),
        Wait(.bucket, .storage(.noSuchBucket)), Wait(.budget, .limit(.budget)), Wait(.budget, .http(402)),
        Wait(.budget, .http(507)), Wait(.tooLarge, .limit(.storage)), Wait(.tooLarge, .limit(.proxy)),
        Wait(.metered, .other("network.metered")), Wait(.paused), Wait(.away, .file("ENOENT")),
    ]

    /// Which of `waits` ends where the circuit closes that was open for a reason.
    private static func ends(_ wait: Wait, after reason: Circuit.Reason) -> Bool {
        switch reason {
        case .offline, .projectPaused, .untrusted: wait.reason == .offline
        case .signIn: [.auth(.refused), .auth(.signedOut), .auth(.wrongKind)].contains(wait.code)
        case .bucketMissing: wait.reason == .bucket
        case .quota: [.http(402), .http(507)].contains(wait.code)
        case .overloaded: false
        }
    }

    @Test(arguments: Circuit.Reason.allCases)
    func whatWaitsForACircuitToClose(_ reason: Circuit.Reason) {
        for (number, wait) in Self.waits.enumerated() {
            #expect(wait.item(number).waits(for: reason) == Self.ends(wait, after: reason), "\(wait.testDescription)")
            // What is sent, stored or given up waits for nothing.
            for status in Item.Status.allCases where status != .pending {
                let item = Items.with(wait.item(number)) { $0.status = status }
                #expect(!item.waits(for: reason))
            }
        }
    }

    /// Whether an item waits for room, and not for a payment or a disk.
    @Test(arguments: waits)
    func onlyTheBudgetIsWaitedForAsRoom(_ wait: Wait) {
        #expect(wait.item(0).waitsForRoom == (wait == Wait(.budget, .limit(.budget))))
    }

    // MARK: An uploader that nothing runs

    private struct Bench {
        let uploader: Uploader
        let queue: UploadQueue
        let library: Library

        /// The numbers of the items that nothing keeps any more.
        func free() async -> [Int] {
            await queue.all().filter { $0.blocked == nil }.compactMap { Int($0.path.dropLast(4)) }.sorted()
        }
    }

    private func bench(_ items: [Item], limit: Int64? = nil, stored: Int64 = 0) async throws -> Bench {
        let library = try Library.empty()
        let queue = try UploadQueue(
            store: QueueStore(disk: RecordingDisk(), quarantine: RecordingDisk()), now: Items.now)
        for item in items { _ = try await queue.add(item, origin: .backlog, now: Items.now) }
        if stored > 0 {
            let former = Items.pending("former.jpg", size: stored)
            try await library.noteAttempt(former, destination: UploadBench.destination.name)
        }
        let uploader = UploadBench.idle(library, queue, BudgetReservations(StorageBudget(limit: limit)))
        return Bench(uploader: uploader, queue: queue, library: library)
    }

    private static let all = waits.enumerated().map { $1.item($0) }

    private static func numbers(_ isMeant: (Wait) -> Bool) -> [Int] {
        waits.indices.filter { isMeant(waits[$0]) }
    }

    /// Silence ends with any answer, whatever the circuit was open for.
    @Test(arguments: Circuit.Reason.allCases)
    func aCircuitThatClosesFreesWhatWaitedForItAndForTheConnection(_ reason: Circuit.Reason) async throws {
        let bench = try await bench(Self.all)
        for wanted in Circuit.Reason.allCases {
            let waits = Self.waits.contains { Self.ends($0, after: wanted) }
            #expect(try await bench.uploader.holdsWaiting(for: wanted) == waits)
        }
        try await bench.uploader.unblock(after: reason)
        #expect(await bench.free() == Self.numbers { Self.ends($0, after: reason) || $0.reason == .offline })
        #expect(try await !bench.uploader.holdsWaiting(for: reason))
    }

    @Test(arguments: [Item.Blocked.offline, .budget, .paused, .signIn, .bucket, .tooLarge, .metered, .away])
    func whatWaitsForOneReasonIsFreedAlone(_ reason: Item.Blocked) async throws {
        let bench = try await bench(Self.all)
        try await bench.uploader.unblock(reason)
        #expect(await bench.free() == Self.numbers { $0.reason == reason })
    }

    /// Of a disk that was full, and of limits that were forgotten.
    @Test func aDiskAndALimitAreForgottenByThemselves() async throws {
        let bench = try await bench(Self.all)
        try await bench.uploader.unblockFull()
        #expect(await bench.free() == Self.numbers { $0.code == .http(507) })
        try await bench.uploader.forgetSizeLimits()
        #expect(await bench.free() == Self.numbers { $0.code == .http(507) || $0.reason == .tooLarge })
    }

    /// Of each cause that may be mended, the smallest goes; of two with one cause only one.
    @Test func theSmallestOfEachCauseIsTried() async throws {
        let items = Self.waits.enumerated().flatMap { number, wait in
            [wait.item(number, size: 5), wait.item(100 + number, size: 4), wait.item(200 + number, size: 6)]
        }
        let bench = try await bench(items)
        try await bench.uploader.probeCauses()
        let mayBeMended = Self.waits.indices.filter {
            [.signIn, .tooLarge].contains(Self.waits[$0].reason) && Self.waits[$0].code != nil
        }
        #expect(await bench.free() == mayBeMended.map { 100 + $0 })
        // While one is on its way, no other of that cause follows.
        try await bench.uploader.probeCauses()
        #expect(await bench.free() == mayBeMended.map { 100 + $0 })
    }

    @Test func onlyThoseThatAreMeantAreTried() async throws {
        let bench = try await bench(Self.all)
        try await bench.uploader.probeCauses { $0.blocked == .tooLarge }
        #expect(await bench.free() == Self.numbers { $0.reason == .tooLarge })
    }

    /// Once one is stored, all that failed or waited for the same cause are due with all their attempts.
    @Test(
        arguments: [
            (FailureCode.storage(.accessDenied), [6, 50]), (.http(403), [7]), (.limit(.proxy), [14]), (.http(500), []),
        ] as [(FailureCode, [Int])])
    func aMendedCauseFreesAllThatShareIt(_ code: FailureCode, _ freed: [Int]) async throws {
        let failed = Items.with(Items.pending("50.jpg")) {
            ($0.status, $0.retryCount) = (.failed, 10)
            $0.lastError = Item.Failure(code: .storage(.accessDenied), message: "words", retryable: false)
        }
        let bench = try await bench(Self.all)
        _ = try await bench.queue.add(Items.pending("50.jpg"), origin: .backlog, now: Items.now)
        let added = try #require(await bench.queue.item(at: failed.place))
        try await bench.queue.update(now: Items.now) { item in
            guard item.id == added.id else { return nil }
            var next = item
            (next.status, next.retryCount, next.lastError) = (.failed, failed.retryCount, failed.lastError)
            return next
        }
        let before = await bench.queue.all().filter { $0.status == .pending && $0.blocked == nil }
        #expect(before.isEmpty)
        let cause = try #require(Cause(code: code, contentType: "image/jpeg"))
        try await bench.uploader.mended(cause)
        let now = await bench.queue.all().filter { $0.status == .pending && $0.blocked == nil }
        #expect(now.compactMap { Int($0.path.dropLast(4)) }.sorted() == freed)
        #expect(now.allSatisfy { $0.retryCount == 0 })
    }

    struct Room: CustomTestStringConvertible, Sendable {
        let limit: Int64?
        let stored: Int64
        let free: [Int]
        var testDescription: String { "\(stored) of \(limit.map(String.init) ?? "all") bytes are stored" }
    }

    /// Each by itself: which of them go is decided once they are claimed.
    @Test(arguments: [
        Room(limit: 1_000, stored: 1_000, free: []), Room(limit: 1_000, stored: 901, free: []),
        Room(limit: 1_000, stored: 900, free: [0]), Room(limit: 1_000, stored: 801, free: [0]),
        Room(limit: 1_000, stored: 800, free: [0, 1]), Room(limit: 1_000, stored: 0, free: [0, 1, 2]),
        Room(limit: nil, stored: 0, free: [0, 1, 2]), Room(limit: 10, stored: 5_000, free: []),
    ])
    func whatFitsIsDueAgain(_ row: Room) async throws {
        let room = Wait(.budget, .limit(.budget))
        let items = [room.item(0, size: 100), room.item(1, size: 200), room.item(2, size: 300)]
        let bench = try await bench(
            items + [Wait(.budget, .http(402)).item(3, size: 1)], limit: row.limit, stored: row.stored)
        try await bench.uploader.unblockWhatFits()
        #expect(await bench.free() == row.free)
        for item in items {
            let fits = row.limit.map { item.size <= max(0, $0 - row.stored) } ?? true
            #expect((try await bench.uploader.failure(fitting: item) == nil) == fits)
        }
    }

    /// The smallest of those that wait is told of, in the words of the room that is left now.
    @Test func theSmallestIsWordedByTheRoomOfNow() async throws {
        let room = Wait(.budget, .limit(.budget))
        let bench = try await bench([room.item(0, size: 900), room.item(1, size: 700)], limit: 1_000, stored: 500)
        try await bench.uploader.rewordRoom()
        let messages = await bench.queue.all().sorted { $0.size > $1.size }.compactMap(\.lastError?.message)
        #expect(messages == ["words", "700 B do not fit into the budget of 1 kB, of which 500 B are free"])
        // What fits by now keeps its words until it is freed.
        let fitting = try await self.bench([room.item(0, size: 400)], limit: 1_000, stored: 500)
        try await fitting.uploader.rewordRoom()
        #expect(await fitting.queue.all().compactMap(\.lastError?.message) == ["words"])
    }

    /// An earlier run could send nothing: one item shows whether that still holds.
    @Test(
        arguments: [
            ([Wait(.bucket, .storage(.noSuchBucket))], .bucketMissing), ([Wait(.budget, .http(402))], .quota),
            ([Wait(.budget, .http(507)), Wait(.bucket, .storage(.noSuchBucket))], .bucketMissing),
            ([Wait(.offline, .network(.lost)), Wait(.budget, .limit(.budget))], nil), ([], nil),
            ([Wait(.budget, .http(507))], nil),
        ] as [([Wait], Circuit.Reason?)])
    func whatWasClosedIsTriedByOne(_ waits: [Wait], _ reason: Circuit.Reason?) async throws {
        for mayProbe in [true, false] {
            let bench = try await bench(waits.enumerated().map { $1.item($0) })
            try await bench.uploader.suspectWhatWas(mayProbe: mayProbe)
            let obstacle = bench.uploader.obstacle
            #expect(obstacle?.reason == reason)
            #expect(obstacle?.isDoubtful == reason.map { _ in true })
            #expect(obstacle?.probeAt == (reason != nil && mayProbe ? Items.now : nil))
            try await bench.uploader.reopen(isSureOfBucket: true)
            // What the caller has seen frees what waits for that; it is doubted once more as long as any does.
            #expect(bench.uploader.obstacle?.reason == reason)
        }
    }

    /// A pause, a restraint and the end hold everything, each by itself.
    @Test func whatHoldsTheUploaderIsToldOf() async throws {
        let bench = try await bench([])
        #expect(!bench.uploader.isPaused && bench.uploader.restraint == nil && !bench.uploader.isBusy)
        bench.uploader.setPaused(true)
        #expect(bench.uploader.isPaused)
        for restraint in Restraint.allCases {
            bench.uploader.setRestraint(restraint)
            #expect(bench.uploader.restraint == restraint)
        }
        bench.uploader.setRestraint(nil)
        bench.uploader.setPaused(false)
        #expect(!bench.uploader.isPaused && bench.uploader.restraint == nil)
    }
}
