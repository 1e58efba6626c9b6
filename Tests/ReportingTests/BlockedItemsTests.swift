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
@testable import Uploading

/// Blocked items leave the queue's window, and come back.
@Suite struct BlockedItemsTests {
    static let now = Items.now
    static let room = Item.Failure(code: "limit.budget", message: "no room", retryable: false)

    /// A queue with a window of ten items, and a library that knows their files.
    struct Fixture {
        let folder: FilePath
        let disk: any Disk
        let library: Library
        let queue: UploadQueue
        let blocked: BlockedItems

        init(_ folder: FilePath, _ disk: any Disk = RecordingDisk(), window: Int = 10) throws {
            self.folder = folder
            self.disk = disk
            library = try Library(path: folder.appending("library.sqlite"))
            queue = try UploadQueue(
                store: QueueStore(disk: disk, quarantine: RecordingDisk()), now: now)
            blocked = BlockedItems(queue: queue, library: library, destination: "there", window: window)
        }

        static func with(_ body: (Fixture) async throws -> Void) async throws {
            try await FileTree().withDirectory { try await body(try Fixture($0)) }
        }

        /// The same state as another process finds it, after reconciling.
        func restarted() async throws -> Fixture {
            try await library.die()
            let fixture = try Fixture(folder, disk, window: blocked.window)
            try await fixture.blocked.reconcile()
            return fixture
        }

        /// Adds `items` to the queue and their files to the library.
        func fill(_ items: [Item], origin: Asset.Rank.Origin = .backlog) async throws {
            let root = try await library.root(at: "/home/Pictures").root
            for item in items {
                let observation = Observation(name: item.filePath.name, size: item.size, modifiedAt: item.modifiedAt)
                _ = try await library.merge(observation, at: item.filePath, root: root.id, origin: origin, now: now)
                _ = try await queue.add(item, origin: origin, now: now)
            }
            try await library.commit()
        }

        /// The paths of the items in the queue, and of those in the library.
        func places() async throws -> (queue: [String], library: [String]) {
            let elsewhere = Shared<[String]>([])
            try await library.eachBlocked { item in elsewhere.change { $0.append(item.path) } }
            return (await queue.all().map(\.path).sorted(), elsewhere.value.sorted())
        }
    }

    static func item(
        _ number: Int, _ reason: Item.Blocked? = .budget, size: Int64 = 1_000, _ failure: Item.Failure = room,
        role: Item.Role = .original
    ) -> Item {
        Items.with(Items.pending(FilePath("\(number).jpg"), size: size, age: Int64(number), role: role)) { item in
            item.blocked = reason
            item.lastError = reason == nil ? nil : failure
            item.lastAttemptAt = now - 60
        }
    }

    // MARK: Out of the window

    @Test(arguments: [(10, 0, 0), (10, 1, 0), (10, 2, 2), (29, 2, 0), (29, 3, 3), (30, 3, 0), (30, 4, 4)])
    func aTenthOfTheWindowMayBeBlocked(window: Int, blocked: Int, moved: Int) async throws {
        try await FileTree().withDirectory { folder in
            let fixture = try Fixture(folder, window: window)
            try await fixture.fill((0..<blocked).map { Self.item($0) } + [Self.item(9, nil)])
            try await fixture.blocked.makeRoom()
            let names = (0..<blocked).map { "\($0).jpg" }
            let places = (queue: Array(names.dropFirst(moved)) + ["9.jpg"], library: Array(names.prefix(moved)))
            #expect(try await fixture.places() == places)
        }
    }

    @Test func beyondThatAllThatIsBlockedMovesWholeAndNothingElseDoes() async throws {
        try await Fixture.with { fixture in
            let large = Items.with(Self.item(2, .tooLarge, size: 5_000)) { $0.resume = Items.resume }
            try await fixture.fill([Self.item(0), Self.item(1, nil), large])
            try await fixture.blocked.makeRoom()
            #expect(try await fixture.places() == (["1.jpg"], ["0.jpg", "2.jpg"]))
            #expect(try await fixture.library.blocked(large.objectKey, destination: "there") == large)
            #expect(await fixture.queue.count().open == 1)
            let again = try await fixture.restarted()
            #expect(try await again.places() == (["1.jpg"], ["0.jpg", "2.jpg"]))
        }
    }

    @Test func itIsSummedUpByReasonAndCode() async throws {
        try await Fixture.with { fixture in
            let picture = Items.with(Items.pending("7.jpg", role: .thumbnail(512))) { item in
                item.blocked = .budget
                item.lastError = Self.room
            }
            try await fixture.fill([Self.item(0, size: 20), Self.item(1, size: 10), picture, Self.item(3, .signIn)])
            try await fixture.blocked.makeRoom()
            let sums = try await fixture.library.blockedSums()
            #expect(sums.map(\.reason) == [.budget, .signIn])
            #expect(sums.map(\.count) == [3, 1])
            #expect(sums.map(\.files) == [2, 1])
            #expect(sums.map(\.smallest.path) == ["1.jpg", "3.jpg"])
        }
    }

    @Test(arguments: [Asset.State.excluded, .held])
    func whatIsNotToBeSentIsLeftToTheStepThatTakesItOut(state: Asset.State) async throws {
        try await Fixture.with { fixture in
            try await fixture.fill([Self.item(0), Self.item(1)])
            try await fixture.library.mark("0.jpg", as: state)
            try await fixture.blocked.makeRoom()
            #expect(try await fixture.places() == (["0.jpg"], ["1.jpg"]))
        }
    }

    // MARK: Back again

    /// A change to the library while it holds items.
    struct Event: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let happen: @Sendable (isolated Library) throws -> Void
        let paths: [String]

        init(_ what: String, _ paths: [String], _ happen: @escaping @Sendable (isolated Library) throws -> Void) {
            testDescription = what
            self.happen = happen
            self.paths = paths
        }
    }

    @Test(arguments: [
        Event("its reason ends", ["0.jpg"]) { try $0.unblock(.budget) },
        Event("another reason ends", []) { try $0.unblock(.offline) },
        Event("only what a code is behind", []) { try $0.unblock(.budget, code: "http.402") },
        Event("size limits are forgotten", ["1.jpg", "2.jpg"]) { try $0.unblock(.tooLarge) },
        Event("the smallest is tried", ["2.jpg"]) { try $0.unblockSmallest(.tooLarge) },
        Event("it fits exactly", ["0.jpg"]) { try $0.unblock(fitting: 1_000) },
        Event("it does not fit", []) { try $0.unblock(fitting: 999) },
    ])
    func whatMayBeSentAgainComesBack(_ event: Event) async throws {
        try await Fixture.with { fixture in
            try await fixture.fill([
                Self.item(0), Self.item(1, .tooLarge, size: 3_000), Self.item(2, .tooLarge, size: 2_000),
            ])
            try await fixture.blocked.makeRoom()
            try await event.happen(fixture.library)
            #expect(try await fixture.blocked.bringBack(now: Self.now) == event.paths.count)
            let back = await fixture.queue.all()
            #expect(back.map(\.path).sorted() == event.paths)
            #expect(back.allSatisfy { $0.isDue(at: Self.now) })
            #expect(try await fixture.places().library.count == 3 - event.paths.count)
        }
    }

    @Test(
        arguments: [
            (0, []), (99, []), (100, [3]), (599, [1]), (600, [0]), (1_050, [0, 2]), (1_100, [0, 1]),
            (1_200, [0, 1, 3]), (1_599, [0, 1, 2]), (1_600, [0, 1, 2, 3]),
        ] as [(Int64, [Int])])
    func asMuchComesBackAsFitsTogetherNewestFirst(room: Int64, back: [Int]) async throws {
        try await Fixture.with { fixture in
            try await fixture.fill([
                Self.item(0, size: 600), Self.item(1, size: 500), Self.item(2, size: 400), Self.item(3, size: 100),
            ])
            try await fixture.blocked.makeRoom()
            try await fixture.library.unblock(fitting: room)
            _ = try await fixture.blocked.bringBack(now: Self.now)
            let places = (queue: back, library: (0..<4).filter { !back.contains($0) })
            #expect(
                try await fixture.places() == (places.queue.map { "\($0).jpg" }, places.library.map { "\($0).jpg" }))
        }
    }

    @Test func noMoreComesBackThanTheWindowHolds() async throws {
        try await Fixture.with { fixture in
            try await fixture.fill((0..<25).map { Self.item($0) })
            try await fixture.blocked.makeRoom()
            try await fixture.library.unblock(.budget)
            #expect(try await fixture.library.holdsFreed())
            #expect(try await fixture.blocked.bringBack(now: Self.now) == 10)
            #expect(try await fixture.blocked.bringBack(now: Self.now) == 0)
            let first = try #require(try await fixture.queue.claim(now: Self.now))
            #expect(first.path == "0.jpg", "the newest")
            try await fixture.queue.finish(first.id, .verified, now: Self.now)
            #expect(try await fixture.blocked.bringBack(now: Self.now) == 1)
        }
    }

    @Test func whatTheUserNamedIsStillFirst() async throws {
        try await Fixture.with { fixture in
            try await fixture.fill([Self.item(1), Self.item(2)])
            try await fixture.fill([Self.item(9)], origin: .named)
            try await fixture.blocked.makeRoom()
            try await fixture.library.unblock(.budget)
            _ = try await fixture.blocked.bringBack(now: Self.now)
            #expect(try await fixture.queue.claim(now: Self.now)?.path == "9.jpg")
        }
    }

    @Test func whatFillsItsPlaceMeanwhileStands() async throws {
        try await Fixture.with { fixture in
            try await fixture.fill([Self.item(0), Self.item(1)])
            try await fixture.blocked.makeRoom()
            let newer = Items.pending("0.jpg", content: 9)
            _ = try await fixture.queue.add(newer, origin: .arrival, now: Self.now)
            try await fixture.library.unblock(.budget)
            _ = try await fixture.blocked.bringBack(now: Self.now)
            let queued = await fixture.queue.all()
            #expect(queued.map(\.path).sorted() == ["0.jpg", "1.jpg"])
            #expect(queued.contains(newer))
            #expect(try await fixture.places().library.isEmpty)
        }
    }

    // MARK: What files do meanwhile

    @Test(arguments: [
        Event("deleted", ["0.jpg"]) { try $0.look("0.jpg", nil) },
        Event("changed", ["0.jpg"]) { library in
            try library.look("0.jpg", Observation(name: Array("0.jpg".utf8), size: 7, modifiedAt: FileTime(now)))
        },
        Event("cancelled", ["0.jpg"]) { library in
            try library.exclude([try #require(try library.asset(root: "Pictures", path: "0.jpg"))])
        },
    ])
    func aFileThatGoesTakesItsItemAlong(_ event: Event) async throws {
        try await Fixture.with { fixture in
            try await fixture.fill([Self.item(0), Self.item(1)])
            try await fixture.blocked.makeRoom()
            try await event.happen(fixture.library)
            #expect(try await fixture.places() == ([], ["1.jpg"]))
        }
    }

    @Test func theBrakeHoldsWhatLivesInTheLibraryToo() async throws {
        try await Fixture.with { fixture in
            try await fixture.fill([Self.item(0), Self.item(1), Self.item(2, nil)])
            for path in ["0.jpg", "1.jpg"] as [FilePath] { try await fixture.library.mark(path, as: .queued) }
            try await fixture.blocked.makeRoom()
            let files = Set(["0.jpg", "2.jpg"].map { RootedPath(root: "Pictures", path: $0) })
            let known = try await fixture.library.blocked(among: files)
            #expect(known.map(\.path) == ["0.jpg"])
            try await fixture.library.hold(known, reason: "too many")
            #expect(try await fixture.places() == (["2.jpg"], ["1.jpg"]))
            #expect(try await fixture.library.asset(root: "Pictures", path: "0.jpg")?.state == .held)
        }
    }

    /// That its picture waits says nothing about the original.
    @Test(arguments: [(Item.Role.original, Asset.State.queued), (.thumbnail(512), .seen)])
    func aQueuedFileIsReadAgainUnlessItsItemLivesInTheLibrary(_ role: Item.Role, _ state: Asset.State) async throws {
        try await Fixture.with { fixture in
            try await fixture.fill((0...1).map { Self.item($0, role: role) })
            for path in ["0.jpg", "1.jpg"] as [FilePath] { try await fixture.library.mark(path, as: .queued) }
            try await fixture.blocked.makeRoom()
            try await fixture.library.requeue(.queued) { _, _ in true }
            for path in ["0.jpg", "1.jpg"] as [FilePath] {
                #expect(try await fixture.library.asset(root: "Pictures", path: path)?.state == state)
            }
        }
    }
}

// MARK: - Crashes

extension BlockedItemsTests {
    /// After a crash, each item is in exactly one of the two, unchanged except for being unblocked.
    private func expectAll(_ items: [Item], in fixture: Fixture, _ step: String) async throws {
        let (queued, elsewhere) = try await fixture.places()
        #expect((queued + elsewhere).sorted() == items.map(\.path).sorted(), "\(step)")
        for item in items {
            let known =
                if let queued = await fixture.queue.item(at: item.place) { queued } else {
                    try #require(try await fixture.library.blocked(item.objectKey, destination: "there"), "\(step)")
                }
            #expect(known == item || known == item.unblocked, "\(step)")
        }
    }

    @Test func aQueueThatCannotBeWrittenLosesAndDoublesNothing() async throws {
        let items = (0..<3).map { Self.item($0) }
        for calls in 0... {
            let recording = RecordingDisk()
            try await FileTree().withDirectory { folder in
                let first = try Fixture(folder, recording)
                try await first.fill(items)
                try await first.queue.close()
            }
            let failing = FailingDisk(recording, callsBeforeFailure: calls)
            try await FileTree().withDirectory { folder in
                // The library of the first fixture is not needed: nothing was moved yet.
                try await Fixture(folder).fill(items)
                do {
                    let fixture = try Fixture(folder, failing)
                    try await fixture.blocked.makeRoom()
                    try await fixture.library.unblock(.budget)
                    _ = try await fixture.blocked.bringBack(now: Self.now)
                    try await fixture.library.commit()
                } catch {}
                try await expectAll(items, in: try await Fixture(folder, recording).restarted(), "call \(calls)")
            }
            if !failing.hasFailed { return #expect(calls > 6, "both ways are to be covered") }
        }
    }

    @Test(arguments: ["INSERT", "UPDATE OF here", "UPDATE OF reason", "DELETE"])
    func aLibraryThatCannotBeWrittenLosesAndDoublesNothing(event: String) async throws {
        let items = (0..<3).map { Self.item($0) }
        try await Fixture.with { fixture in
            try await fixture.fill(items)
            try await fixture.library.refuse(event)
            await #expect(throws: DatabaseError.self) {
                try await fixture.blocked.makeRoom()
                try await fixture.library.unblock(.budget)
                _ = try await fixture.blocked.bringBack(now: Self.now)
            }
            try await fixture.library.allowAgain()
            try await expectAll(items, in: try await fixture.restarted(), event)
        }
    }

    @Test func whatACrashLeftInBothIsTheQueues() async throws {
        try await Fixture.with { fixture in
            let items = [Self.item(0), Self.item(1)]
            try await fixture.fill(items)
            _ = try await fixture.library.keep(blocked: items, destination: "there")
            #expect(try await fixture.library.blockedSums().isEmpty, "while the queue has them they count there")
            let again = try await fixture.restarted()
            #expect(try await again.places() == (["0.jpg", "1.jpg"], []))
        }
    }

    @Test func aCompletedItemDoesNotSpeakForTheNewerOneOfItsKey() async throws {
        try await Fixture.with { fixture in
            let old = Items.pending("0.jpg", content: 1)
            try await fixture.fill([old])
            let claimed = try #require(try await fixture.queue.claim(now: Self.now))
            try await fixture.queue.finish(claimed.id, .verified, now: Self.now)
            try await fixture.fill([Self.item(0), Self.item(1)])
            try await fixture.blocked.makeRoom()
            let again = try await fixture.restarted()
            #expect(try await again.places().library == ["0.jpg", "1.jpg"])
        }
    }
}

// MARK: - Reports

extension BlockedItemsTests {
    @Test func whatWaitsForOneCauseIsOneLineWhereverItLives() {
        func sum(_ reason: Item.Blocked?, _ code: FailureCode) -> BlockedSum {
            BlockedSum(reason: reason, code: code, count: 30, files: 10, smallest: Self.item(0))
        }
        let queued = Report.Blocked.counted([Self.item(0), Self.item(1), Self.item(2, .tooLarge)])
        let all = Report.Blocked.merged(
            queued, [sum(nil, "limit.budget"), sum(.budget, "limit.budget"), sum(.budget, "http.402")])
        #expect(all.map(\.reason) == ["budget", "budget", "tooLarge"])
        #expect(all.map(\.count).sorted() == [1, 30, 32])
        #expect(all.first { $0.count == 30 }?.next.contains("Settle the plan") == true)
    }
}

// MARK: - Libraries of before

extension BlockedItemsTests {
    @Test func aLibraryOfTheVersionBeforeHoldsNoneAndLearnsTo() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            try await Library(path: path).setFact("a", to: "b")
            try Connection(path: path.display).execute("DROP TABLE blocked; PRAGMA user_version = 2")
            let look = try Library(path: path, isReadOnly: true)
            #expect(try await look.blockedSums().isEmpty)
            #expect(try await look.eachBlocked { _ in } == 0)
            let fixture = try Fixture(folder)
            try await fixture.fill([Self.item(0), Self.item(1)])
            try await fixture.blocked.makeRoom()
            #expect(try await Library(path: path, isReadOnly: true).eachBlocked { _ in } == 2)
        }
    }
}

extension Library {
    fileprivate func look(_ path: FilePath, _ observation: Observation?) throws {
        _ = try merge(observation, at: path, root: try roots()[0].id, origin: .arrival, now: Items.now)
    }

    fileprivate func mark(_ path: FilePath, as state: Asset.State) throws {
        try write("UPDATE assets SET state = ? WHERE name = ?", .integer(state.rawValue), .blob(path.bytes))
        try commit()
    }

    /// Makes every such change to blocked items fail, as on a full disk.
    fileprivate func refuse(_ event: String) throws {
        try database.execute(
            "CREATE TRIGGER broken BEFORE \(event) ON blocked BEGIN SELECT RAISE(ROLLBACK, 'full'); END")
    }

    /// Simulates a kill: uncommitted changes are lost.
    fileprivate func die() throws {
        if database.isInTransaction { try database.execute("ROLLBACK") }
    }

    fileprivate func allowAgain() throws { try database.execute("DROP TRIGGER broken") }
}
