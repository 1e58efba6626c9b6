import Foundation
import Platform
import TestSupport
import Testing

@testable import Catalog
@testable import Fixtures
@testable import Queue

@Suite struct UploadQueueTests {
    static let now = Items.now
    /// Small enough that a few items make it fold.
    static let foldSize = 3_000
    /// No backoff, so that jitter is zero and every next state is known.
    static let ladder = RetryLadder(base: .zero, cap: .zero)

    static func queue(_ disk: any Disk, foldSize: Int = foldSize) throws -> UploadQueue {
        try UploadQueue(
            store: QueueStore(disk: disk, quarantine: RecordingDisk()), ladder: ladder, foldSize: foldSize, now: now)
    }

    static func loaded(_ disk: any Disk) throws -> [Item] {
        try QueueStore(disk: disk, quarantine: RecordingDisk()).load().entries
    }

    /// The life of a queue: everything that can happen to items, with a restart in between.
    struct Script {
        let disk: any Disk
        let ledger = PromiseLog<Item>()
        /// Called with every promise.
        let promised: (String) -> Void

        func run() async throws {
            var queue = try queue(disk)
            for number in 0..<4 {
                try await add(Items.pending(FilePath("\(number).jpg"), age: Int64(number)), to: queue)
            }
            try await end(.verified, in: queue)
            try await end(.retry(Items.busy, after: nil), in: queue)
            let sending = try await claim(queue)
            // Newer content, while the older is being sent.
            try await add(Items.pending("2.jpg", content: 9, age: 0), to: queue, replacing: sending)
            try await finish(sending, .sent, in: queue)
            try await end(.sent, in: queue)
            queue = try await restart()
            try await end(.refused(Items.tooLarge), in: queue)
            try await update(queue) { Items.with($0) { $0.blocked = .paused } }
            try await update(queue) { $0.unblocked }
            try await withdraw(queue) { $0.status == .failed }
            try await add(Items.pending("5.jpg"), to: queue)
            try await end(.moved(ObjectKey(text: "Pictures/5--00000000.jpg")), in: queue)
            try await end(.withdrawn, in: queue)
            try await queue.close()
        }

        private func keep(_ id: ItemIdentifier) { promised(ledger.promise(id)) }

        private func add(_ item: Item, to queue: UploadQueue, replacing old: Item? = nil) async throws {
            ledger.attempt(item.id, item)
            if let old { ledger.attempt(old.id, nil) }
            var admission = try await queue.add(item, origin: .backlog, now: now)
            if case .displaces(let open) = admission {
                #expect(open == old && open.mayHaveArrived)
                admission = try await queue.add(item, origin: .backlog, displacing: open, now: now)
            }
            #expect(admission == .added)
            keep(item.id)
            if let old { keep(old.id) }
        }

        private func claim(_ queue: UploadQueue) async throws -> Item {
            // Noted first, since a power cut may keep changes that were not acknowledged yet.
            let due = await queue.all().compactMap { $0.claimed(at: now) }
            for item in due { ledger.attempt(item.id, item) }
            let item = try #require(try await queue.claim(now: now))
            keep(item.id)
            return item
        }

        private func finish(_ item: Item, _ outcome: UploadOutcome, in queue: UploadQueue) async throws {
            if await queue.item(item.id) != nil {
                ledger.attempt(item.id, item.after(outcome, at: now, ladder: ladder, random: 0))
            }
            _ = try await queue.finish(item.id, outcome, now: now)
            keep(item.id)
        }

        private func end(_ outcome: UploadOutcome, in queue: UploadQueue) async throws {
            try await finish(try await claim(queue), outcome, in: queue)
        }

        private func update(_ queue: UploadQueue, _ change: @Sendable @escaping (Item) -> Item?) async throws {
            let changed = await queue.all().filter { $0.status == .pending || $0.status == .failed }
            for item in changed { ledger.attempt(item.id, change(item)) }
            try await queue.update(now: now, change)
            for item in changed { keep(item.id) }
        }

        private func withdraw(_ queue: UploadQueue, _ isUnwanted: @Sendable @escaping (Item) -> Bool) async throws {
            for item in await queue.all().filter(isUnwanted) { ledger.attempt(item.id, nil) }
            for item in try await queue.withdraw(isUnwanted) { keep(item.id) }
        }

        /// The process was killed and starts again.
        private func restart() async throws -> UploadQueue {
            for item in try loaded(disk) { ledger.attempt(item.id, item.recovered) }
            let queue = try queue(disk)
            for item in await queue.all() { keep(item.id) }
            return queue
        }
    }

    // MARK: Durability

    @Test func afterAPowerCutEverythingPromisedIsThere() async throws {
        let disk = RecordingDisk()
        let script = Script(disk: disk) { disk.acknowledge($0) }
        try await script.run()
        let folds = disk.calls.filter { $0 == "rename queue.json.new queue.json" }.count
        #expect(folds >= 5, "the script is to fold in the middle")
        for cut in disk.powerCuts() {
            let promised = PromiseLog<Item>.counts(cut.acknowledged)
            let found = try QueueStore(disk: cut.disk, quarantine: RecordingDisk()).load()
            #expect(script.ledger.complaints(about: found.entries, promised: promised) == [], "\(cut)")
        }
    }

    @Test func aSecondCutWhileStartingAfterTheFirstLosesNothingEither() async throws {
        let disk = RecordingDisk()
        let script = Script(disk: disk) { disk.acknowledge($0) }
        try await script.run()
        for (number, cut) in disk.powerCuts().enumerated() where number % 11 == 0 {
            let second = cut.disk
            let before = try Self.loaded(second).map(\.recovered)
            let queue = try Self.queue(second)
            #expect(await queue.all().sorted { $0.id.text < $1.id.text } == before.sorted { $0.id.text < $1.id.text })
            #expect(await queue.count().uploading == 0)
            for again in second.powerCuts() {
                let found = try Self.loaded(again.disk).map(\.recovered)
                #expect(Set(found) == Set(before), "\(cut), then \(again)")
            }
        }
    }

    @Test(arguments: [FailingDisk.Afterwards.recovers, .staysBroken])
    func whateverCallFailsWhatWasPromisedStays(afterwards: FailingDisk.Afterwards) async throws {
        for callsBeforeFailure in 0... {
            let contents = RecordingDisk()
            let disk = FailingDisk(contents, callsBeforeFailure: callsBeforeFailure, afterwards: afterwards)
            let script = Script(disk: disk) { _ in }
            do {
                try await script.run()
                // Listing the directory for old journals is the last step of a fold, and the only one that may fail.
                #expect(!disk.hasFailed)
            } catch let error as SystemError {
                #expect(error.isDiskFull)
            }
            #expect(script.ledger.complaints(about: try Self.loaded(contents)) == [], "call \(callsBeforeFailure)")
            if !disk.hasFailed { return #expect(callsBeforeFailure > 80) }
        }
    }

    @Test func afterAFailedFoldEveryChangeThrows() async throws {
        var folds = 0
        for callsBeforeFailure in 0... {
            let disk = RecordingDisk()
            let failing = FailingDisk(disk, callsBeforeFailure: callsBeforeFailure, afterwards: .recovers)
            guard let queue = try? Self.queue(failing) else { continue }
            folds += 1
            if (try? await queue.close()) != nil { break }
            await #expect(throws: SystemError.self) {
                _ = try await queue.add(Items.pending("a.jpg"), origin: .named, now: Self.now)
            }
            await #expect(throws: SystemError.self) { try await queue.close() }
            #expect(try Self.loaded(disk).isEmpty)
        }
        #expect(folds > 8)
    }

    @Test func manyCallersAtOnceArePromisedOnlyWhatIsDurable() async throws {
        let disk = RecordingDisk()
        let queue = try Self.queue(disk, foldSize: 20_000)
        let ranks: [Item.Status: Int] = [.pending: 1, .uploading: 2, .completed: 3]
        try await withThrowingTaskGroup { group in
            for caller in 0..<8 {
                group.addTask {
                    for number in 0..<5 {
                        let item = Items.pending(FilePath("\(caller)-\(number).jpg"))
                        _ = try await queue.add(item, origin: .backlog, now: Self.now)
                        disk.acknowledge("\(item.id.text) 1")
                        guard let claimed = try await queue.claim(now: Self.now) else { continue }
                        disk.acknowledge("\(claimed.id.text) 2")
                        try await queue.finish([(claimed.id, .sent), (claimed.id, .verified)], now: Self.now)
                        disk.acknowledge("\(claimed.id.text) 3")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(await queue.count().completed == 40)
        for (number, cut) in disk.powerCuts().enumerated() where number % 3 == 0 {
            let found = Dictionary(try Self.loaded(cut.disk).map { ($0.id.text, ranks[$0.status] ?? 0) }) { $1 }
            var promised: [String: Int] = [:]
            for words in cut.acknowledged.map({ $0.split(separator: " ") }) {
                promised[String(words[0])] = max(promised[String(words[0])] ?? 0, Int(words[1]) ?? 0)
            }
            for (id, rank) in promised { #expect(found[id] ?? 0 >= rank, "\(cut)") }
        }
    }

    // MARK: On a real disk

    @Test func aKilledQueueGoesOnWhereItWas() async throws {
        try await FileTree().withDirectory { root in
            let first = try Self.queue(try LocalDisk(directory: root))
            for number in 0..<30 {
                _ = try await first.add(
                    Items.pending(FilePath("\(number).jpg"), age: Int64(number)), origin: .backlog, now: Self.now)
            }
            let sent = try #require(try await first.claim(now: Self.now))
            try await first.finish(sent.id, .sent, now: Self.now)
            let begun = try #require(try await first.claim(now: Self.now))
            let second = try Self.queue(try LocalDisk(directory: root))
            #expect(await second.all().map(\.path) == first.all().map(\.path))
            let again = try #require(await second.item(sent.id))
            #expect(again.status == .pending && again.sent && again.mayHaveArrived)
            #expect(await second.item(begun.id)?.mayHaveArrived == true)
            #expect(await second.count().pending == 30 && second.warnings.isEmpty)
        }
    }

    @Test func theJournalIsFoldedWhenItIsLargeEnough() async throws {
        let disk = RecordingDisk()
        let queue = try Self.queue(disk, foldSize: 4_000)
        var numbers: Set<Int> = []
        for number in 0..<60 {
            _ = try await queue.add(Items.pending(FilePath("\(number).jpg")), origin: .backlog, now: Self.now)
            let journals = disk.contents.keys.compactMap(QueueFile.journalNumber)
            numbers.formUnion(journals)
            #expect(journals.count <= 2)
            // A fold follows the line that exceeded the size.
            #expect(disk.contents.allSatisfy { QueueFile.journalNumber($0.key) == nil || $0.value.count < 4_600 })
        }
        #expect(numbers.count > 5)
        try await queue.close()
        #expect(try QueueFile(disk.contents["queue.json"] ?? []).entries.count == 60)
    }

    @Test func aRunThatChangesNothingWritesNothing() async throws {
        let disk = RecordingDisk()
        let first = try Self.queue(disk)
        _ = try await first.add(Items.pending("a.jpg"), origin: .backlog, now: Self.now)
        try await first.close()
        let before = disk.calls
        let second = try Self.queue(disk)
        #expect(await second.all() == first.all())
        try await second.close()
        #expect(disk.calls == before)
        // The next start resets interrupted work, which the file does not show.
        let third = try Self.queue(disk)
        _ = try await third.claim(now: Self.now)
        #expect(disk.calls.count > before.count)
        let fourth = try Self.queue(disk)
        #expect(await fourth.all().map(\.status) == [.pending])
    }

    @Test func claimsMadeTogetherAreDurableBeforeAnyIsGivenAway() async throws {
        let disk = RecordingDisk()
        let queue = try Self.queue(disk, foldSize: 8 << 20)
        for name in ["a.jpg", "b.jpg"] {
            _ = try await queue.add(Items.pending(FilePath(name)), origin: .backlog, now: Self.now)
        }
        let claims = [try await queue.reserve(now: Self.now), try await queue.reserve(now: Self.now)].compactMap { $0 }
        #expect(claims.count == 2)
        #expect(try await queue.reserve(now: Self.now) == nil)
        for claim in claims { #expect(try await claim.item().status == .uploading) }
        let lines = disk.contents.filter { QueueFile.journalNumber($0.key) != nil }
            .flatMap { String(decoding: $0.value, as: UTF8.self).split(separator: "\n") }
        #expect(lines.count { $0.contains(#""status":"uploading""#) } == 2)
    }

    @Test func queueJSONHoldsTheNewestThousandThatAreDone() async throws {
        let disk = RecordingDisk()
        let queue = try Self.queue(disk, foldSize: 8 << 20)
        for number in 0..<1_100 {
            let date = Self.now + Double(number)
            _ = try await queue.add(Items.pending(FilePath("\(number).jpg")), origin: .backlog, now: date)
            let item = try #require(try await queue.claim(now: date))
            try await queue.finish(item.id, .verified, now: date)
        }
        try await queue.close()
        let items = try QueueFile(disk.contents["queue.json"] ?? []).entries
        #expect(Set(items.map(\.path)) == Set((100..<1_100).map { "\($0).jpg" }))
        #expect(await queue.count().completed == 1_000)
        // What the journals still hold is trimmed again at the next start.
        #expect(await (try Self.queue(disk)).count().completed == 1_000)
    }

    // MARK: What callers see

    @Test func noItemIsClaimedTwice() async throws {
        let queue = try Self.queue(RecordingDisk())
        for number in 0..<50 {
            _ = try await queue.add(Items.pending(FilePath("\(number).jpg")), origin: .backlog, now: Self.now)
        }
        let claimed = try await withThrowingTaskGroup(of: [ItemIdentifier].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var mine: [ItemIdentifier] = []
                    while let item = try await queue.claim(now: Self.now) { mine.append(item.id) }
                    return mine
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.count == 50 && Set(claimed).count == 50)
    }

    @Test func howFarAnUploadCameIsKeptAndEarnsAllAttemptsAgain() async throws {
        let disk = RecordingDisk()
        let queue = try Self.queue(disk)
        let item = Items.pending("a.jpg")
        _ = try await queue.add(item, origin: .backlog, now: Self.now)
        try await queue.keep(Items.resume, of: item.id, isDurable: true)
        #expect(await queue.item(item.id)?.resume == nil, "it is not sent")
        _ = try await queue.claim(now: Self.now)
        try await queue.finish(item.id, .retry(Items.busy, after: nil), now: Self.now)
        let again = try #require(try await queue.claim(now: Self.now))
        #expect(again.retryCount == 1)
        try await queue.keep(Item.Resume(uploadID: "u1", createdAt: Self.now, offset: 0), of: item.id, isDurable: true)
        #expect(await queue.item(item.id)?.retryCount == 1, "no byte has arrived")
        try await queue.keep(Items.resume, of: item.id, isDurable: true)
        #expect(await queue.item(item.id)?.retryCount == 0)
        let loaded = try Self.loaded(disk)
        #expect(loaded.map(\.resume) == [Items.resume] && loaded.map(\.retryCount) == [0])
    }

    @Test func whatIsNotWaitedForIsDurableWithTheNextChange() async throws {
        let disk = RecordingDisk()
        let queue = try Self.queue(disk)
        let item = Items.pending("a.jpg")
        _ = try await queue.add(item, origin: .backlog, now: Self.now)
        _ = try await queue.claim(now: Self.now)
        let sent = try #require(try await queue.finish(item.id, .sent, isDurable: false, now: Self.now))
        #expect(sent.sent)
        _ = try await queue.add(Items.pending("b.jpg"), origin: .backlog, now: Self.now)
        #expect(try Self.loaded(disk).first == sent)
    }

    @Test func anItemThatIsNotBeingSentIsReturnedAsItIs() async throws {
        let queue = try Self.queue(RecordingDisk())
        let item = Items.pending("a.jpg")
        _ = try await queue.add(item, origin: .backlog, now: Self.now)
        #expect(try await queue.finish(item.id, .verified, now: Self.now) == item)
        #expect(try await queue.finish(ItemIdentifier(text: "?"), .verified, now: Self.now) == nil)
        #expect(try await queue.add(Items.pending("a.jpg"), origin: .named, now: Self.now) == .known(item.id))
        #expect(await queue.item(at: item.place) == item)
    }

    /// It is in the place that another file's name makes because a foreign object has its own.
    @Test(arguments: [UInt8?.none, 9])
    func anOpenItemOfAnotherFileKeepsItsPlace(content: UInt8?) async throws {
        let queue = try Self.queue(RecordingDisk())
        let old = Items.with(Items.pending("other.jpg", content: content)) {
            $0.objectKey = Items.pending("a.jpg").objectKey
        }
        _ = try await queue.add(old, origin: .backlog, now: Self.now)
        let next = Items.pending("a.jpg", content: 9)
        #expect(try await queue.add(next, origin: .arrival, now: Self.now) == .occupied)
        let sending = try #require(try await queue.claim(now: Self.now))
        #expect(try await queue.add(next, origin: .arrival, now: Self.now) == .occupied)
        #expect(await queue.all() == [sending])
        _ = try await queue.finish(old.id, .verified, now: Self.now)
        #expect(try await queue.add(next, origin: .arrival, now: Self.now) == .added)
    }

    @Test func anItemWhoseBytesMayLieThereGivesWayOnlyOnceThatIsKnown() async throws {
        let disk = RecordingDisk()
        let queue = try Self.queue(disk)
        let old = Items.pending("a.jpg")
        _ = try await queue.add(old, origin: .backlog, now: Self.now)
        let sending = try #require(try await queue.claim(now: Self.now))
        let next = Items.pending("a.jpg", content: 9)
        #expect(try await queue.add(next, origin: .arrival, now: Self.now) == .displaces(sending))
        #expect(await queue.item(at: old.place) == sending)
        #expect(try Self.loaded(disk).map(\.id) == [old.id])
        #expect(try await queue.add(next, origin: .arrival, displacing: old, now: Self.now) == .added)
        #expect(await queue.item(at: old.place) == next)
    }

    /// Also where it is not being sent any more: the server took its bytes, and the proof is to be asked for again.
    @Test func anItemWhoseBytesWereTakenGivesWayOnlyOnceThatIsKnown() async throws {
        let queue = try Self.queue(RecordingDisk())
        let old = Items.pending("a.jpg")
        _ = try await queue.add(old, origin: .backlog, now: Self.now)
        _ = try await queue.claim(now: Self.now)
        try await queue.finish(old.id, .sent, now: Self.now)
        let taken = try await queue.finish(old.id, .interrupted, now: Self.now)
        #expect(taken?.status == .pending)
        let next = Items.pending("a.jpg", content: 9)
        #expect(try await queue.add(next, origin: .arrival, now: Self.now) == .displaces(try #require(taken)))
    }

    @Test func aBlockedItemIsNotClaimedAndAnUnblockedOneIs() async throws {
        let queue = try Self.queue(RecordingDisk())
        _ = try await queue.add(Items.pending("a.jpg"), origin: .backlog, now: Self.now)
        let item = try #require(try await queue.claim(now: Self.now))
        let offline = try await queue.finish(item.id, .unreachable(Items.busy), now: Self.now)
        #expect(offline?.blocked == .offline && offline?.retryCount == 0)
        #expect(try await queue.claim(now: Self.now + 999) == nil)
        #expect(await queue.count().blocked == 1)
        #expect(try await queue.update(now: Self.now) { $0.blocked == .offline ? $0.unblocked : nil } == 1)
        #expect(try await queue.claim(now: Self.now)?.id == item.id)
    }
}
