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
        BudgetReservations(StorageBudget(limit: 100, stored: stored))
    }

    private static func leftovers(_ bytes: Int64, at item: Item = Items.pending("z"), look: Int = 0) -> Leftovers {
        var leftovers = Leftovers(look: look)
        leftovers.add(bytes, at: item.objectKey.text)
        return leftovers
    }

    /// Only where something waits for room is the end of a reservation worth a look at all that waits.
    @Test(arguments: [false, true])
    func roomThatComesBackIsToldOnlyWhereSomethingWaits(hasRefused: Bool) {
        let budget = Self.budget(stored: 50)
        #expect(budget.reserve(Self.small, replacing: 0) == nil)
        if hasRefused { #expect(budget.reserve(Self.large, replacing: 0) != nil) }
        #expect(budget.release(Self.small.id) == hasRefused)
        #expect(!budget.release(Self.small.id), "it has none any more")
        #expect(budget.shrink(by: 10) == hasRefused)
        #expect(budget.room == 60)
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
        budget.count(leftovers: Self.leftovers(fact.input.before))
        if fact.input.hasRefused { #expect(budget.reserve(Self.large, replacing: 0) != nil) }
        #expect(budget.count(leftovers: Self.leftovers(fact.input.after)) == fact.output)
        #expect(budget.room == 100 - fact.input.after)
    }

    /// Two looks cross on their way.
    @Test func anOlderLookAtLeftoversCountsNoMore() {
        let budget = Self.budget()
        for (look, bytes, room) in [(3, 50, 50), (2, 10, 50), (3, 50, 50), (4, 20, 80)] as [(Int, Int64, Int64)] {
            budget.count(leftovers: Self.leftovers(bytes, look: look))
            #expect(budget.room == room, "\(look)")
        }
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
        let budget = Self.budget(stored: 90 - fact.input.leftover)
        budget.count(leftovers: Self.leftovers(fact.input.leftover, at: Self.large))
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

    /// A new start counts receipts anew: what was reserved belongs to attempts that are over.
    @Test func aLoadForgetsWhatWasReserved() {
        let budget = Self.budget()
        #expect(budget.reserve(Self.large, replacing: 0) == nil)
        budget.count(leftovers: Self.leftovers(30))
        budget.load(stored: 20)
        #expect(budget.room == 80)
        #expect(budget.limit == 100)
        // The reservation of before is none: its receipt is among the 20.
        budget.commit([(Self.large.id, 0)])
        #expect(budget.room == 80)
    }

    @Test func receiptsOfABatchAreCountedTogether() {
        let budget = Self.budget()
        #expect(budget.reserve(Self.small, replacing: 0) == nil)
        #expect(budget.reserve(Self.large, replacing: 0) == nil)
        #expect(budget.room == 0)
        budget.commit([(Self.small.id, 0), (Self.large.id, 60), (Items.pending("c").id, 7)])
        #expect(budget.room == 60, "the second was moved, and the third was never reserved")
    }
}
