import Fixtures
import Foundation
import Platform
import TestSupport
import Testing

@testable import Queue

@Suite struct QueueWindowTests {
    static let now = Items.now
    static let large = Asset.Rank.largeSize
    static let ladder = RetryLadder()

    /// A reference, so that expectations may change the window.
    final class Window {
        var value: QueueWindow

        init(_ items: Item...) {
            value = QueueWindow([], at: now)
            for item in items { add(item) }
        }

        init(loading items: [Item]) { value = QueueWindow(items, at: now) }

        @discardableResult
        func add(
            _ item: Item, _ origin: Asset.Rank.Origin = .backlog
        ) -> (UploadQueue.Admission, [QueueChange]) {
            value.admit(item, origin: origin, at: now)
        }

        func claim(at date: Date = now) -> Item? { value.claim(.any, at: date) }

        @discardableResult
        func finish(
            _ item: Item, _ outcome: UploadOutcome, at date: Date = now
        ) -> (item: Item?, changes: [QueueChange]) {
            value.apply(outcome, to: item.id, at: date, ladder: ladder, random: 0.5)
        }

        @discardableResult
        func rewrite(at date: Date = now, _ change: (Item) -> Item?) -> Int { value.rewrite(at: date, change).count }

        func remove(_ isUnwanted: (Item) -> Bool) -> [Item] { value.remove(where: isUnwanted) }
        func nextAttempt() -> Date? { value.nextAttempt() }
        func item(at place: String) -> Item? { value.item(at: place) }
        var all: [Item] { value.all }
        var counts: QueueCounts { value.counts }

        /// The items that would be claimed, in order, without claiming them.
        func claims(_ lane: WaitingLane = .any, at date: Date = now) -> [String] {
            var copy = value
            var paths: [String] = []
            while let item = copy.claim(lane, at: date) { paths.append(item.path) }
            return paths
        }
    }

    // MARK: Admission

    @Test func theSameContentIsKnown() {
        let item = Items.pending("a.jpg", content: 1)
        let window = Window(item)
        let again = window.add(Items.pending("a.jpg", content: 1), .named)
        #expect(again.0 == .known(item.id) && again.1.isEmpty)
        #expect(window.all == [item])
    }

    @Test(arguments: [
        ("newer content", Items.pending("a.jpg", content: 2)),
        ("the same bytes with another time", Items.pending("a.jpg", content: 1, age: 60)),
        ("another size", Items.pending("a.jpg", content: 1, size: 2)),
    ])
    func replaces(_ row: (why: String, item: Item)) {
        let old = Items.pending("a.jpg", content: 1)
        let window = Window(old)
        let (admission, changes) = window.add(row.item)
        #expect(admission == .added && changes == [.withdrawn(old.id), .set(row.item)], "\(row.why)")
        #expect(window.all == [row.item])
        #expect(window.claims() == ["a.jpg"])
    }

    @Test func onRequestTheSameContentIsSentAgainOnce() {
        let old = Items.pending("a.jpg", made: Self.now - 10)
        let window = Window(old)
        let requested = { Items.with(Items.pending("a.jpg", made: Self.now)) { $0.forcedAt = Self.now } }
        let fresh = requested()
        #expect(window.add(fresh, .named).0 == .added)
        #expect(window.add(requested(), .named).0 == .known(fresh.id))
        #expect(window.all == [fresh])
    }

    /// The file was being read when the user asked for it.
    @Test func anItemThatIsMadeAfterARequestTakesItOver() {
        let window = Window()
        let plain = Items.pending("a.jpg", made: Self.now)
        window.add(plain)
        let requested = Items.with(Items.pending("a.jpg", made: Self.now)) { $0.forcedAt = Self.now - 1 }
        let forced = Items.with(plain) { $0.forcedAt = requested.forcedAt }
        let (admission, changes) = window.add(requested, .named)
        #expect(admission == .known(plain.id) && changes == [.set(forced)])
        #expect(window.all == [forced] && window.claims() == ["a.jpg"])
    }

    @Test func aFailedItemGivesWayToTheSameContent() throws {
        let window = Window(Items.pending("a.jpg"))
        window.finish(try #require(window.claim()), .refused(Items.tooLarge))
        let fresh = Items.pending("a.jpg")
        #expect(window.add(fresh).0 == .added)
        #expect(window.all.map(\.id) == [fresh.id])
        // The replaced item, which had the same bytes, may have been stored.
        #expect(window.all.first?.mayHaveArrived == true)
    }

    @Test func aCompletedItemBlocksNone() throws {
        let window = Window(Items.pending("a.jpg"))
        let done = try #require(window.claim())
        window.finish(done, .verified)
        #expect(window.item(at: done.place) == nil)
        window.add(Items.pending("a.jpg"))
        #expect(window.counts.completed == 1 && window.counts.pending == 1)
    }

    // MARK: Order

    @Test func whatIsDueGoesInUploadOrder() {
        let window = Window()
        func add(_ path: FilePath, _ origin: Asset.Rank.Origin, size: Int64 = 1, age: Int64 = 100, retries: Int = 0) {
            let item = Items.with(Items.pending(path, size: size, age: age)) { $0.retryCount = retries }
            window.add(item, origin)
        }
        add("retry", .named, retries: 1)
        add("large", .backlog, size: Self.large, age: 1)
        add("old", .backlog, age: 900)
        add("new", .backlog, age: 5)
        add("arrived", .arrival, age: 999)
        add("arrived large", .arrival, size: Self.large)
        add("named", .named, age: 999)
        #expect(window.claims() == ["named", "arrived", "arrived large", "new", "old", "large", "retry"])
        #expect(window.claims(.smallOnly) == ["named", "arrived", "new", "old", "retry"])
        #expect(
            window.claims(.largeFirst) == ["arrived large", "large", "named", "arrived", "new", "old", "retry"])
    }

    @Test func theSizeThatIsLargeIsFiftyMillion() {
        let window = Window(
            Items.pending("just small", size: 49_999_999, age: 9), Items.pending("large", size: 50_000_000, age: 1))
        #expect(window.claims() == ["just small", "large"])
        #expect(window.claims(.smallOnly) == ["just small"])
    }

    // MARK: Time

    @Test func aRetryIsDueWhenItsTimeHasCome() throws {
        let window = Window(Items.pending("a.jpg"), Items.pending("b.jpg", age: 9_999))
        #expect(window.nextAttempt() == nil)
        let item = try #require(window.claim())
        window.finish(item, .retry(Items.busy, after: nil))
        #expect(window.nextAttempt() == Self.now + 2)
        #expect(window.claims() == ["b.jpg"])
        #expect(window.claims(at: Self.now + 1.999) == ["b.jpg"])
        #expect(window.claims(at: Self.now + 2) == ["b.jpg", "a.jpg"])
    }

    @Test func theNextAttemptIsTheEarliestThatStillStands() throws {
        let window = Window(Items.pending("a.jpg", age: 1), Items.pending("b.jpg", age: 2))
        for wait in [60, 90] {
            let item = try #require(window.claim())
            window.finish(item, .retry(Items.busy, after: .seconds(wait)))
        }
        #expect(window.nextAttempt() == Self.now + 66)
        window.rewrite { $0.path == "a.jpg" ? Items.with($0) { $0.blocked = .paused } : nil }
        #expect(window.nextAttempt() == Self.now + 99)
        window.rewrite { $0.unblocked }
        #expect(window.nextAttempt() == Self.now + 66)
        window.rewrite { $0.requested }
        #expect(window.nextAttempt() == nil)
        #expect(window.claims() == ["a.jpg", "b.jpg"])
    }

    /// Found by the simulator (353492185822): such an item was never sent again.
    @Test func whatWasDueBeforeTheClockWasSetBackWaitsAgain() throws {
        let window = Window(Items.pending("a.jpg", age: 1), Items.pending("b.jpg", age: 2), Items.pending("c.jpg"))
        for _ in 0..<3 { window.finish(try #require(window.claim()), .retry(Items.busy, after: .seconds(60))) }
        // All are due, one is sent; then the others have their time to come.
        let sent = try #require(window.claim(at: Self.now + 100))
        #expect(window.value.hasDue(at: Self.now) == false)
        #expect(window.nextAttempt() == Self.now + 66)
        #expect(window.claim(at: Self.now + 10) == nil)
        #expect(window.nextAttempt() == Self.now + 66)
        #expect(Set(window.claims(at: Self.now + 66) + [sent.path]) == ["a.jpg", "b.jpg", "c.jpg"])
    }

    /// A clock without a battery begins in other years, and is set right by the network: nothing waits till then.
    @Test(arguments: [false, true])
    func whatWasTriedInYearsToComeIsDueOnceTheClockIsRight(isRestarted: Bool) throws {
        let window = Window(
            Items.pending("a.jpg", age: 1), Items.pending("b.jpg", age: 2), Items.pending("c.jpg", age: 3))
        let ahead = Self.now + 1e8
        window.finish(try #require(window.claim(at: ahead)), .retry(Items.busy, after: nil), at: ahead)
        window.finish(try #require(window.claim(at: ahead)), .refused(Items.tooLarge), at: ahead)
        #expect(window.claims(at: ahead + 1) == ["c.jpg"])
        let later = isRestarted ? Window(loading: window.all) : window
        #expect(later.value.hasDue(at: Self.now) == true)
        #expect(Set(later.claims(at: Self.now)) == ["a.jpg", "b.jpg", "c.jpg"])
        // An attempt by the right clock waits as ever.
        for _ in 0..<3 {
            later.finish(try #require(later.claim(at: Self.now)), .retry(Items.busy, after: .seconds(60)))
        }
        #expect(later.claim(at: Self.now) == nil)
        #expect(later.nextAttempt() == Self.now + 66)
    }

    @Test func aFailedItemHasItsDailyTryThoughNothingWaitsForIt() throws {
        let window = Window(Items.pending("a.jpg"))
        let item = try #require(window.claim())
        window.finish(item, .refused(Items.tooLarge))
        for _ in 0..<3 { #expect(window.nextAttempt() == nil) }
        #expect(window.claims(at: Self.now + 86_399).isEmpty)
        #expect(window.claims(at: Self.now + 86_400) == ["a.jpg"])
    }

    @Test func whatIsBlockedIsNotClaimedUntilItIsUnblocked() {
        let window = Window(Items.pending("a.jpg"), Items.pending("b.jpg", age: 9_999))
        let blocked = window.rewrite { item in
            item.path == "a.jpg" ? Items.with(item) { $0.blocked = .offline } : nil
        }
        #expect(blocked == 1 && window.counts.blocked == 1)
        #expect(window.claims() == ["b.jpg"])
        window.rewrite { $0.blocked == .offline ? $0.unblocked : nil }
        #expect(window.claims() == ["a.jpg", "b.jpg"])
    }

    // MARK: One sender a place

    @Test func newerContentWaitsForTheSenderOfTheOlder() throws {
        let window = Window(Items.pending("a.jpg", content: 1))
        let old = try #require(window.claim())
        window.add(Items.pending("a.jpg", content: 2), .named)
        #expect(window.claims().isEmpty)
        #expect(window.claim() == nil)
        // Replaced once more while it waits.
        let newest = Items.pending("a.jpg", content: 3)
        window.add(newest, .named)
        #expect(window.claim() == nil)
        #expect(window.finish(old, .verified).item == nil)
        #expect(window.claim()?.id == newest.id)
        #expect(window.claim() == nil)
        #expect(window.counts.completed == 0)
    }

    @Test(arguments: ItemTransitionTests.outcomes.filter { $0 != .sent })
    func whateverBecameOfTheOlderItsPlaceIsFreeAfterwards(outcome: UploadOutcome) throws {
        let window = Window(Items.pending("a.jpg", content: 1))
        let old = try #require(window.claim())
        let newer = Items.pending("a.jpg", content: 2)
        window.add(newer)
        #expect(window.claim() == nil)
        window.finish(old, outcome)
        #expect(window.claim()?.id == newer.id)
    }

    @Test func whatWasSentHoldsItsPlaceUntilItIsProven() throws {
        let window = Window(Items.pending("a.jpg", content: 1))
        let item = try #require(window.claim())
        #expect(window.finish(item, .sent).item?.status == .uploading)
        #expect(window.claim() == nil)
        #expect(window.finish(item, .verified).item?.status == .completed)
        #expect(window.finish(item, .retry(Items.busy, after: nil)).changes.isEmpty)
    }

    @Test func twoFilesThatWantOneKeyTakeTurns() throws {
        let key = ObjectKey(text: "Pictures/b.jpg")
        let window = Window(Items.pending("a.jpg", age: 1), Items.pending("b.jpg", age: 2))
        let first = try #require(window.claim())
        let second = try #require(window.claim())
        #expect(window.finish(first, .moved(key)).item?.objectKey == key)
        #expect(window.claim() == nil)
        window.finish(second, .verified)
        #expect(window.claim()?.id == first.id)
    }

    @Test func anItemThatMovedLeavesItsOldPlaceFree() throws {
        let window = Window(Items.pending("a.jpg", content: 1))
        let item = try #require(window.claim())
        let moved = try #require(
            window.finish(item, .moved(item.objectKey.beside(item.sha256))).item)
        #expect(window.item(at: item.place) == nil && window.item(at: moved.place)?.id == item.id)
        #expect(window.claim()?.id == item.id)
    }

    @Test func aDuplicateThatMovesOntoItsDuplicateIsWithdrawn() throws {
        // After a crash a scan may offer a file again that is already queued beside a foreign object.
        let beside = Items.with(Items.pending("a.jpg", content: 1)) { item in
            item.objectKey = item.objectKey.beside(item.sha256)
            item.retryCount = 3
        }
        let again = Items.pending("a.jpg", content: 1, made: Self.now)
        let window = Window(beside, again)
        let first = try #require(window.claim())
        let second = try #require(window.claim())
        #expect(first.id == again.id && second.id == beside.id, "retries last")
        let end = window.finish(first, .moved(beside.objectKey))
        #expect(end.item == nil && end.changes == [.withdrawn(again.id)])
        #expect(window.all.map(\.id) == [beside.id])
    }

    // MARK: Withdrawal and updates

    @Test func whatIsBeingSentOrDoneIsNeitherWithdrawnNorRewritten() throws {
        let window = Window(
            Items.pending("sending", age: 1), Items.pending("done", age: 2), Items.pending("failed", age: 3),
            Items.pending("waiting", age: 4))
        _ = try #require(window.claim())
        for outcome in [UploadOutcome.verified, .refused(Items.tooLarge)] {
            window.finish(try #require(window.claim()), outcome)
        }
        #expect(window.rewrite { $0 } == 0)
        #expect(window.rewrite { Items.with($0) { $0.retryCount = 5 } } == 2)
        #expect(Set(window.remove { _ in true }.map(\.path)) == ["failed", "waiting"])
        #expect(Set(window.all.map(\.path)) == ["sending", "done"])
        #expect(window.claims(at: Self.now + 100_000).isEmpty)
    }

    @Test func aWithdrawnFileFreesItsPlace() throws {
        let window = Window(Items.pending("a.jpg"))
        let item = try #require(window.claim())
        #expect(window.finish(item, .withdrawn).changes == [.withdrawn(item.id)])
        #expect(window.all.isEmpty && window.item(at: item.place) == nil && window.counts == QueueCounts())
    }

    // MARK: Trimming

    @Test(arguments: [Item.Status.completed, .failed])
    func theNewestThousandDoneAreKept(status: Item.Status) {
        let items = (0..<1_300).map { number in
            Items.with(Items.pending(FilePath("\(number).jpg"))) {
                $0.status = status
                $0.lastAttemptAt = Self.now + Double(number * 7 % 1_300)
                $0.nextAttemptAt = status == .failed ? Self.now + 90_000 : nil
                $0.completedAt = status == .completed ? $0.lastAttemptAt : nil
            }
        }
        let window = Window(loading: items)
        #expect(window.all.count == 1_000)
        #expect(window.all.allSatisfy { ($0.lastAttemptAt ?? Self.now) >= Self.now + 300 })
        #expect(window.counts.completed + window.counts.failed == 1_000)
        let places = items.filter { window.item(at: $0.place) != nil }.count
        #expect(places == (status == .failed ? 1_000 : 0))
    }

    @Test func openItemsAreNeverTrimmed() {
        let items = (0..<3_000).map { Items.pending(FilePath("\($0).jpg")) }
        #expect(Window(loading: items).all.count == 3_000)
    }

    @Test func anItemThatFailedTwiceCountsOnce() throws {
        let window = Window(Items.pending("a.jpg"))
        for day in 0..<5 {
            let date = Self.now + Double(day) * 86_400
            let item = try #require(window.claim(at: date))
            window.finish(item, .refused(Items.tooLarge), at: date)
        }
        #expect(window.counts.failed == 1)
    }

    // MARK: All of it at random

    static func recount(_ window: Window) -> QueueCounts {
        var counts = QueueCounts()
        for item in window.all { counts.add(item) }
        return counts
    }

    @Test(arguments: 1...8)
    func whateverHappensTheIndexesAgreeWithTheItems(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let window = Window()
        var now = Self.now
        var sending: [Item] = []
        for step in 0..<1_500 {
            now += Double.random(in: 0...400, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0...3:
                let item = Items.pending(
                    FilePath("\(Int.random(in: 0..<12, using: &generator)).jpg"),
                    content: UInt8.random(in: 0..<4, using: &generator), made: now)
                window.add(item, .arrival)
            case 4...6:
                if let item = window.claim(at: now) { sending.append(item) }
            case 7, 8:
                guard let index = sending.indices.randomElement(using: &generator) else { continue }
                let outcome = ItemTransitionTests.outcomes.randomElement(using: &generator) ?? .verified
                let end = window.finish(sending[index], outcome, at: now)
                if end.item?.status != .uploading { sending.remove(at: index) }
            default:
                window.rewrite(at: now) { $0.unblocked }
                if step.isMultiple(of: 7) { _ = window.remove { $0.path == "3.jpg" } }
            }
            #expect(window.counts == Self.recount(window))
            #expect(window.value.unfinished == window.all.filter { $0.status != .completed })
            let places = sending.compactMap { window.value.items[$0.id] == nil ? nil : $0.place }
            #expect(Set(places).count == places.count, "two senders at one place")
            #expect(window.counts.uploading == places.count)
        }
        // Nothing is forgotten: once all senders have reported, every open item gets its turn.
        for item in sending { window.finish(item, .interrupted, at: now) }
        window.rewrite(at: now) { $0.requested }
        let open = window.counts.open
        #expect(open == window.counts.pending)
        while let item = window.claim(at: now) { window.finish(item, .verified, at: now) }
        #expect(window.counts.open == 0)
    }
}
