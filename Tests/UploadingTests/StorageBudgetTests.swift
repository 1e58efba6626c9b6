import Foundation
import Records
import Testing

@testable import Configuration
@testable import Queue
@testable import Uploading

@Suite struct StorageBudgetTests {
    private static let (one, two) = (ItemIdentifier(text: "1"), ItemIdentifier(text: "2"))
    private static let (first, second) = (ObjectKey(text: "1.jpg"), ObjectKey(text: "2.jpg"))

    private static func budget(_ limit: Int64?, stored: Int64 = 0) -> StorageBudget {
        StorageBudget(limit: limit, occupancy: taken(stored))
    }

    private static func taken(_ stored: Int64 = 0, left bytes: Int64 = 0, at key: ObjectKey = first) -> Occupancy {
        var leftovers = Leftovers()
        leftovers.add(bytes, at: key.text)
        return Occupancy(stored: stored, leftovers: leftovers)
    }

    /// Whether the end of an item's reservation makes room.
    private static func frees(_ budget: inout StorageBudget, _ id: ItemIdentifier) -> Bool {
        let used = budget.used
        budget.release(id)
        return budget.used < used
    }

    @Test(
        arguments: [
            ("the byte that still fits", 100, 0, true), ("one more", 101, 0, false),
            ("a larger object in place of one", 150, 50, true), ("too much larger", 151, 50, false),
            ("smaller always fits", 10, 500, true), ("empty always fits", 0, 0, true),
        ] as [(String, Int64, Int64, Bool)])
    func whatFits(why: String, size: Int64, replaced: Int64, fits: Bool) {
        var budget = Self.budget(1_000, stored: 900)
        #expect(budget.reserve(Self.one, size - replaced, at: Self.first) == fits, "\(why)")
    }

    @Test func roomIsTakenAtOnceGivenBackOnFailureAndKeptByTheReceipt() {
        var budget = Self.budget(100)
        #expect(budget.reserve(Self.one, 60, at: Self.first) == true)
        #expect(budget.reserve(Self.two, 60, at: Self.second) == false)
        #expect(budget.reserve(Self.two, 40, at: Self.second) == true)
        #expect(budget.room == 0)
        #expect(Self.frees(&budget, Self.two) == true)
        #expect(Self.frees(&budget, Self.two) == false)
        budget.occupancy = Self.taken(60)
        #expect(Self.frees(&budget, Self.one) == true)
        #expect(budget.room == 40)
    }

    /// What an attempt may have stored is counted as a leftover by the time that its room is given back.
    @Test func whatMayBeStoredTakesItsRoomOnce() {
        var budget = Self.budget(100)
        #expect(budget.reserve(Self.one, 60, at: Self.first) == true)
        budget.occupancy = Self.taken(left: 60)
        #expect(budget.room == 40)
        #expect(Self.frees(&budget, Self.one) == false, "what is counted as a leftover gives none back")
        #expect(budget.reserve(Self.two, 70, at: Self.second) == false)
        #expect(budget.reserve(Self.one, 70, at: Self.first) == true, "it is the same object")
        #expect(budget.room == 30)
    }

    /// A sum of sizes that servers stated may be anything.
    @Test func leftoversBeyondAllNumbersLeaveNoRoom() {
        var budget = Self.budget(1_000, stored: 5_000)
        #expect(budget.reserve(Self.one, 9 - 20, at: Self.first) == true)
        budget.occupancy = Self.taken(5_000, left: .max, at: Self.second)
        #expect(budget.room == 0)
    }

    @Test func askedAgainAnItemCountsOnce() {
        var budget = Self.budget(100)
        #expect(budget.reserve(Self.one, 60, at: Self.first) == true)
        #expect(budget.reserve(Self.one, 60, at: Self.first) == true)
        #expect(budget.room == 40)
    }

    /// Its object leaves another key with it.
    @Test func whatIsMovedNeedsNoRoom() {
        var budget = Self.budget(1_000, stored: 950)
        #expect(budget.reserve(Self.one, 100, at: Self.first) == false)
        #expect(budget.reserve(Self.one, 100, moving: 100, at: Self.first) == true)
        #expect(budget.room == 50)
    }

    @Test func whatShrinksGivesRoomBackWithItsReceipt() {
        var budget = Self.budget(1_000, stored: 900)
        #expect(budget.reserve(Self.one, 100 - 300, at: Self.first) == true)
        #expect(budget.room == 100)
        budget.occupancy = Self.taken(700)
        #expect(Self.frees(&budget, Self.one) == false)
        #expect(budget.room == 300)
    }

    @Test func leftoversTakeRoomThatOnlyTheirOwnKeysGiveBack() {
        var budget = Self.budget(1_000, stored: 300)
        budget.occupancy = Self.taken(300, left: 600)
        #expect(budget.room == 100)
        #expect(budget.reserve(Self.two, 200, at: Self.second) == false)
        #expect(budget.reserve(Self.one, 600, at: Self.first) == true)
        #expect(budget.room == 100)
        budget.occupancy = Self.taken(900)
        #expect(Self.frees(&budget, Self.one) == true)
        #expect(budget.room == 100)
    }

    /// What an earlier run was about to send may be more than fits, and may not lie there.
    @Test func whatMayLieThereGivesNoRoomBeyondTheLimit() {
        var budget = Self.budget(100, stored: 60)
        budget.occupancy = Self.taken(60, left: 50)
        #expect(budget.room == 0)
        #expect(budget.reserve(Self.one, 41, at: Self.first) == false)
        #expect(budget.reserve(Self.one, 40, at: Self.first) == true)
        #expect(budget.reserve(Self.two, 1, at: Self.second) == false)
        #expect(budget.reserve(Self.one, 0, at: Self.first) == true, "empty always fits")
    }

    /// An attempt without an answer is written down while its item keeps its room.
    @Test func bytesOfOneKeyCountOnce() {
        var budget = Self.budget(100)
        #expect(budget.reserve(Self.one, 60, at: Self.first) == true)
        budget.occupancy = Self.taken(left: 60)
        #expect(budget.room == 40)
        budget.occupancy = Self.taken(left: 70)
        #expect(budget.room == 30, "what lies there is larger")
        #expect(Self.frees(&budget, Self.one) == false, "the leftover stays")
        #expect(budget.room == 30)
    }

    @Test func whatIsStoredBeyondTheLimitLeavesNoRoom() {
        #expect(Self.budget(10, stored: 20).room == 0)
        #expect(Self.budget(nil, stored: 20).room == nil)
    }

    @Test(
        arguments: [
            (nil, "https://abc.supabase.co/storage/v1", 900_000_000),
            (nil, "https://abc.storage.supabase.co", 900_000_000),
            (nil, "https://supabase.example.org", nil), (nil, "http://127.0.0.1:9", nil),
            (nil, "https://abc.supabase.co.evil.org", nil), (.unlimited, "https://abc.supabase.co", nil),
            (.bytes(7), "http://h", 7),
        ] as [(StorageAllowance?, String, Int64?)])
    func theLimitOfADestination(allowance: StorageAllowance?, url: String, limit: Int64?) {
        #expect(StorageBudget.limit(allowance, url: url) == limit)
    }
}
