import Fixtures
import Platform
import Queue
import Records
import TestSupport
import Testing

@testable import Uploading

/// The budget as uploader and record loop share it: who is woken when room comes back.
@Suite struct BudgetReservationsTests {
    private static let (small, large) = (Items.pending("a", size: 40), Items.pending("b", size: 60))

    /// A budget of 100 bytes that `stored` of them are taken of.
    private static func budget(stored: Int64 = 0) -> BudgetReservations {
        BudgetReservations(StorageBudget(limit: 100, occupancy: Occupancy(stored: stored)))
    }

    private static func taken(
        _ stored: Int64 = 0, left bytes: Int64 = 0, at item: Item = Items.pending("z")
    ) -> Occupancy {
        var leftovers = Leftovers()
        leftovers.add(bytes, at: item.objectKey.text)
        return Occupancy(stored: stored, leftovers: leftovers)
    }

    /// Only where something waits for room is the end of a reservation worth a look at all that waits.
    @Test(arguments: [false, true])
    func roomThatComesBackIsToldOnlyWhereSomethingWaits(hasRefused: Bool) {
        let budget = Self.budget(stored: 50)
        #expect(budget.reserve(Self.small, replacing: 0) == nil)
        if hasRefused { #expect(budget.reserve(Self.large, replacing: 0) != nil) }
        #expect(!budget.takeRoomNotice())
        budget.count(Self.taken(50), ending: [Self.small.id])
        #expect(budget.takeRoomNotice() == hasRefused)
        #expect(!budget.takeRoomNotice(), "it is told once")
        budget.count(Self.taken(50), ending: [Self.small.id])
        #expect(!budget.takeRoomNotice(), "it has none any more")
        budget.count(Self.taken(40))
        #expect(budget.takeRoomNotice() == hasRefused)
        #expect(budget.room == 60)
    }

    /// Another look than that of the one who wakes what waits may be the first to see it.
    @Test func roomThatComesBackIsToldHoweverManyLooksFollow() {
        let budget = Self.budget(stored: 50)
        #expect(budget.reserve(Self.large, replacing: 0) != nil)
        for stored in [30, 30, 35] as [Int64] { budget.count(Self.taken(stored)) }
        #expect(budget.takeRoomNotice())
    }

    /// Leftovers before and after, whether anything waits, and whether it may fit now.
    @Test(
        arguments: [
            Fact("fewer", (50, 40, true), true), Fact("none", (50, 0, true), true),
            Fact("as many", (50, 50, true), false),
            Fact("more", (50, 60, true), false), Fact("fewer, and nothing waits", (50, 40, false), false),
        ] as [Fact<(before: Int64, after: Int64, hasRefused: Bool), Bool>])
    func leftoversThatGoMakeRoom(_ fact: Fact<(before: Int64, after: Int64, hasRefused: Bool), Bool>) {
        let budget = Self.budget()
        budget.count(Self.taken(left: fact.input.before))
        if fact.input.hasRefused { #expect(budget.reserve(Self.large, replacing: 0) != nil) }
        budget.count(Self.taken(left: fact.input.after))
        #expect(budget.takeRoomNotice() == fact.output)
        #expect(budget.room == 100 - fact.input.after)
    }

    /// An item waits, and one that is sent ends: what it took is its receipt's then, or what it may have left.
    @Test(
        arguments: [
            Fact("a receipt of as many bytes", (40, 0, 0), false), Fact("a leftover of as many", (0, 40, 0), false),
            Fact("nothing", (0, 0, 0), true),
            Fact("the smaller object that it replaced is gone, too", (40, 0, 10), true),
        ] as [Fact<(stored: Int64, left: Int64, freed: Int64), Bool>])
    func whatAnItemTookIsToldWhereItComesBack(_ fact: Fact<(stored: Int64, left: Int64, freed: Int64), Bool>) {
        let budget = Self.budget(stored: 50)
        #expect(budget.reserve(Self.small, replacing: 0) == nil)
        #expect(budget.reserve(Self.large, replacing: 0) != nil)
        let taken = Self.taken(50 + fact.input.stored - fact.input.freed, left: fact.input.left, at: Self.small)
        budget.count(taken, ending: [Self.small.id])
        #expect(budget.takeRoomNotice() == fact.output)
    }

    /// What an item has to wait for is what it adds, not its size.
    @Test(
        arguments: [
            Fact("a new object", (0, 0), "60 B do not fit into the budget of 100 B, of which 10 B are free"),
            Fact(
                "in place of a smaller one", (20, 0), "40 B do not fit into the budget of 100 B, of which 10 B are free"
            ),
            Fact("over a leftover", (0, 45), "15 B do not fit into the budget of 100 B, of which 10 B are free"),
            Fact("in place of what is nearly as large", (50, 0), nil), Fact("over both", (25, 25), nil),
        ] as [Fact<(receipt: Int64, leftover: Int64), String?>])
    func whatAnItemWaitsForIsWhatItAdds(_ fact: Fact<(receipt: Int64, leftover: Int64), String?>) {
        let budget = Self.budget()
        budget.count(Self.taken(90 - fact.input.leftover, left: fact.input.leftover, at: Self.large))
        let failure = budget.reserve(Self.large, replacing: fact.input.receipt)
        #expect(failure?.message == fact.output)
        #expect(failure.map { !$0.retryable && $0.code == .limit(.budget) } ?? true)
    }

    /// Asked without reserving, for what waits already; the last byte fits.
    @Test(arguments: [(50, true), (49, false), (60, true), (65, true)] as [(Int64, Bool)])
    func theRoomOfNowDecides(replaced: Int64, fits: Bool) {
        let budget = Self.budget(stored: 90)
        #expect((budget.failure(fitting: Self.large, replacing: replaced) == nil) == fits)
        #expect(budget.room == 10, "nothing is reserved by that")
        #expect(BudgetReservations().failure(fitting: Self.large, replacing: 0) == nil, "without a limit all fits")
    }

    /// A new start counts anew: what was reserved belongs to attempts that are over.
    @Test func aLoadForgetsWhatWasReserved() {
        let budget = Self.budget()
        #expect(budget.reserve(Self.large, replacing: 0) == nil)
        budget.load(Self.taken(20))
        #expect(budget.room == 80)
        #expect(budget.limit == 100)
        // The reservation of before is none: its receipt is among the 20.
        budget.count(Self.taken(20), ending: [Self.large.id])
        #expect(budget.room == 80)
    }

    @Test func receiptsOfABatchAreCountedTogether() {
        let budget = Self.budget()
        #expect(budget.reserve(Self.small, replacing: 0) == nil)
        #expect(budget.reserve(Self.large, replacing: 0) == nil)
        #expect(budget.room == 0)
        budget.count(Self.taken(40), ending: [Self.small.id, Self.large.id, Items.pending("c").id])
        #expect(budget.room == 60, "the second was moved, and the third was never reserved")
    }

    /// The receipt that an item was to replace may be forgotten until it is sent, and an object may not be moved after all.
    @Test(
        arguments: [
            Fact("as reserved", (50, 0, 50), false), Fact("a receipt that is gone", (50, 0, 0), true),
            Fact("a larger receipt", (20, 0, 50), false), Fact("sent instead of moved", (0, 60, 0), true),
        ] as [Fact<(reserved: Int64, moving: Int64, now: Int64), Bool>])
    func whatIsSentMayTakeMoreThanWasReserved(_ fact: Fact<(reserved: Int64, moving: Int64, now: Int64), Bool>) {
        let budget = Self.budget()
        #expect(!budget.isShort(Self.large, replacing: 0), "nothing was reserved, so nothing is limited")
        #expect(budget.reserve(Self.large, replacing: fact.input.reserved, moving: fact.input.moving) == nil)
        #expect(budget.isShort(Self.large, replacing: fact.input.now) == fact.output)
    }
}
