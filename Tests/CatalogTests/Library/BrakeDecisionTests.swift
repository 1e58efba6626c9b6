import Database
import Fixtures
import Foundation
import MediaModel
import Platform
import Queue
import Records
import Roots
import Testing
import Text

@testable import Catalog
@testable import Reporting

/// What the library counts for the brake, and what its decisions do.
@Suite struct BrakeDecisionTests {
    private static let now = Shelf.now
    private static let hold = Asset.BrakeMark.held.rawValue

    /// A library with `stored` files that have receipts, of which the first `changed` hold other bytes now.
    private func shelf(stored: Int) async throws -> Shelf {
        let shelf = try await Shelf()
        try await shelf.see("0.jpg")
        try await shelf.library.fill(count: stored)
        return shelf
    }

    /// Has the library judge the change of the file with that number.
    private func change(_ number: Int, in shelf: Shelf, at date: Date = now) async throws -> AssetAdmission {
        let path = FilePath("\(number).jpg")
        let asset = try await shelf.asset(path)
        let identity = try #require(MediaIdentity(header: [0xFF, 0xD8, 0xFF, 0xE0], fileExtension: Array("jpg".utf8)))
        let admission = try await shelf.library.admission(
            of: IdentifiedAsset(
                asset: asset, identity: identity, sha256: Shelf.hash("changed \(number)"),
                file: try OpenFile(reading: "/dev/null")),
            as: ObjectKey(root: "Pictures", path: path), destination: Shelf.destination, at: date)
        if admission == .held { try await shelf.library.mark(path, as: .held) }
        return admission
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let stored: Int
        let changed: Int
        let isHeld: Bool
        var testDescription: String { "\(changed) of \(stored) \(isHeld ? "are" : "are not") too many" }
    }

    /// More than 50, and more than a tenth.
    @Test(arguments: [
        Row(stored: 60, changed: 50, isHeld: false), Row(stored: 60, changed: 51, isHeld: true),
        Row(stored: 509, changed: 51, isHeld: true), Row(stored: 510, changed: 51, isHeld: false),
        Row(stored: 510, changed: 52, isHeld: true),
    ])
    func theChangeThatIsOneTooMany(_ row: Row) async throws {
        let shelf = try await shelf(stored: row.stored)
        for number in 0..<(row.changed - 1) { _ = try await change(number, in: shelf) }
        #expect(try await change(row.changed - 1, in: shelf) == (row.isHeld ? .held : .free))
        #expect(shelf.library.mayBrake == row.isHeld)
    }

    struct Late: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let seconds: Double
        let counts: Bool
    }

    /// Fifty changes at one time, and one more later.
    @Test(arguments: [
        Late(testDescription: "at once", seconds: 0, counts: true),
        Late(testDescription: "a moment before the hour is over", seconds: 3_599.999, counts: true),
        Late(testDescription: "when the hour is over", seconds: 3_600, counts: false),
        Late(testDescription: "the clock was corrected by a minute", seconds: -60, counts: true),
        Late(testDescription: "the clock was set back", seconds: -60.001, counts: false),
    ])
    func onlyTheChangesOfAnHourAreAddedUp(_ row: Late) async throws {
        let shelf = try await shelf(stored: 60)
        for number in 0..<50 { _ = try await change(number, in: shelf) }
        #expect(try await change(50, in: shelf, at: Self.now + row.seconds) == (row.counts ? .held : .free))
    }

    /// The same file counts once, however often it changes.
    @Test func aFileThatChangesAgainAndAgainCountsOnce() async throws {
        let shelf = try await shelf(stored: 60)
        for second in 0..<100 { #expect(try await change(0, in: shelf, at: Self.now + Double(second)) == .free) }
    }

    @Test func whatIsNotStoredOrStoredSoIsNoChange() async throws {
        let shelf = try await shelf(stored: 60)
        for number in 0..<50 { _ = try await change(number, in: shelf) }
        // Never stored.
        try await shelf.see("new.jpg")
        let asset = try await shelf.asset("new.jpg")
        let free = try await shelf.library.admitChange(
            asset, to: Shelf.hash("new"), destination: Shelf.destination, at: Self.now)
        #expect(free == .free)
        // Stored elsewhere only.
        let elsewhere = try await shelf.library.admitChange(
            try await shelf.asset("51.jpg"), to: Shelf.hash("new"), destination: "elsewhere", at: Self.now)
        #expect(elsewhere == .free)
        // The bytes that are stored.
        let same = try await shelf.library.admitChange(
            try await shelf.asset("52.jpg"), to: String(repeating: "ab", count: 32), destination: Shelf.destination,
            at: Self.now)
        #expect(same == .free)
        // What the user approved.
        try await shelf.library.mark("53.jpg", as: .identifying, brake: .approved)
        #expect(try await change(53, in: shelf) == .free)
        #expect(try await change(54, in: shelf) == .held)
    }

    /// Files that are known to have changed are read before any is sent.
    @Test(arguments: [(50, 1, true), (50, 0, false), (1, 50, true), (1, 49, false)])
    func unreadFilesThatChangedAreWaitedFor(_ changed: Int, _ suspects: Int, _ waits: Bool) async throws {
        let shelf = try await shelf(stored: 60)
        for number in 0..<suspects {
            try await shelf.library.mark(FilePath("\(number).jpg"), as: .seen, brake: .suspect)
        }
        for number in 0..<(changed - 1) { _ = try await change(59 - number, in: shelf) }
        let verdict = try await shelf.library.admitChange(
            try await shelf.asset(FilePath("\(59 - changed + 1).jpg")), to: Shelf.hash("other"),
            destination: Shelf.destination, at: Self.now)
        #expect(verdict == (waits ? .wait : .free))
    }

    /// A file that is still being written counts with those that changed, until the scan after it.
    @Test func whatIsStillBeingWrittenIsWaitedForUntilTheNextScan() async throws {
        let shelf = try await shelf(stored: 60)
        for number in 0..<50 { _ = try await change(number, in: shelf) }
        let looks = [DirectoryObservation(path: "", files: [Shelf.observation("55.jpg", size: 99, isSettled: false)])]
        _ = try await shelf.library.merge(looks, root: shelf.root.id, origin: .backlog, at: Self.now)
        func verdict() async throws -> BrakeVerdict {
            try await shelf.library.admitChange(
                try await shelf.asset("49.jpg"), to: Shelf.hash("other"), destination: Shelf.destination, at: Self.now)
        }
        #expect(try await verdict() == .wait)
        await shelf.library.forgetFreshChanges()
        #expect(try await verdict() == .free)
    }

    /// What happens to one of fifty files that changed before another one changes.
    enum After: CaseIterable, Sendable {
        case gone, changedAgain, written

        func happen(_ shelf: Shelf) async throws {
            switch self {
            case .gone: try await shelf.miss("3.jpg")
            case .changedAgain: try await shelf.library.mark("3.jpg", as: .seen, brake: .suspect)
            case .written:
                let files = [Shelf.observation("3.jpg", size: 99, isSettled: false)]
                let look = DirectoryObservation(path: "", files: files)
                _ = try await shelf.library.merge([look], root: shelf.root.id, origin: .backlog, at: now)
            }
        }
    }

    /// One that is gone is not to be sent, and one that changes again counts once.
    @Test(arguments: After.allCases)
    func aFileCountsOnce(_ after: After) async throws {
        let shelf = try await shelf(stored: 60)
        for number in 0..<49 { _ = try await change(number, in: shelf) }
        try await after.happen(shelf)
        #expect(try await change(49, in: shelf) == .free)
        if after == .gone { #expect(try await change(50, in: shelf) == .free) }
        let isFull = try await change(51, in: shelf)
        #expect(isFull == .held)
    }

    /// However many files have gone since they changed.
    @Test func noMoreFilesHaveChangedThanAreStored() async throws {
        let shelf = try await shelf(stored: 60)
        try await shelf.library.note(changes: 60, at: Self.now)
        for number in 0..<5 { try await shelf.miss(FilePath("\(number).jpg")) }
        try await shelf.library.mark("9.jpg", as: .held)
        let decision = try await shelf.library.decideBrake(at: Self.now)
        #expect(decision == .held(reason: "55 of 55 stored files changed within one hour"))
    }

    struct Decision: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let changed: Int
        var suspects = 0
        var isUndecided = true
        var isOn = false
        let decision: BrakeDecision
        let state: Asset.State
        let mark: Asset.BrakeMark?
        let isOnAfterwards: Bool
    }

    private static let reason = "51 of 60 stored files changed within one hour"

    @Test(arguments: [
        Decision(
            testDescription: "nothing waits", changed: 0, isUndecided: false, decision: .nothing, state: .stored,
            mark: nil, isOnAfterwards: false),
        Decision(
            testDescription: "a few only", changed: 50, decision: .released, state: .seen, mark: .approved,
            isOnAfterwards: false),
        Decision(
            testDescription: "perhaps too many", changed: 50, suspects: 1, decision: .nothing, state: .held, mark: nil,
            isOnAfterwards: false),
        Decision(
            testDescription: "too many", changed: 51, decision: .held(reason: reason), state: .held, mark: .held,
            isOnAfterwards: true),
        Decision(
            testDescription: "few, and the brake holds already", changed: 1, isOn: true,
            decision: .held(reason: "so many"), state: .held, mark: .held, isOnAfterwards: true),
        Decision(
            testDescription: "none waits any more, and it held", changed: 0, isUndecided: false, isOn: true,
            decision: .nothing, state: .stored, mark: nil, isOnAfterwards: false),
        Decision(
            testDescription: "none waits, and one is not read yet", changed: 0, suspects: 1, isUndecided: false,
            isOn: true, decision: .nothing, state: .stored, mark: nil, isOnAfterwards: true),
    ])
    func whatIsDecided(_ row: Decision) async throws {
        let shelf = try await shelf(stored: 60)
        try await shelf.library.note(changes: row.changed, at: Self.now)
        for number in 0..<row.suspects {
            try await shelf.library.mark(FilePath("\(59 - number).jpg"), as: .seen, brake: .suspect)
        }
        if row.isUndecided { try await shelf.library.mark("0.jpg", as: .held) }
        if row.isOn { try await shelf.library.setFact(Library.brakeFact, to: "so many") }
        #expect(try await shelf.library.decideBrake(at: Self.now) == row.decision)
        #expect(try await shelf.state("0.jpg") == row.state)
        #expect(try await shelf.library.brake(of: "0.jpg") == row.mark?.rawValue)
        #expect((try await shelf.library.fact(Library.brakeFact) != nil) == row.isOnAfterwards)
    }

    /// The user's word counts for each file, and with the last one the brake is off.
    @Test func withTheLastApprovalTheBrakeIsOff() async throws {
        let shelf = try await shelf(stored: 60)
        try await shelf.library.note(changes: 51, at: Self.now)
        for number in 0..<2 { try await shelf.library.mark(FilePath("\(number).jpg"), as: .held) }
        _ = try await shelf.library.decideBrake(at: Self.now)
        #expect(try await shelf.library.heldFiles(limit: 5) == ["Pictures/0.jpg", "Pictures/1.jpg"])
        #expect(try await shelf.library.heldFiles(limit: 1).count == 1)
        try await shelf.library.approve([try await shelf.asset("0.jpg")])
        #expect(try await shelf.library.heldCount() == 1)
        #expect(try await shelf.library.fact(Library.brakeFact) != nil)
        try await shelf.library.approve([try await shelf.asset("1.jpg")])
        #expect(try await shelf.library.fact(Library.brakeFact) == nil)
        for number in 0..<2 {
            let asset = try await shelf.asset(FilePath("\(number).jpg"))
            #expect(asset.state == .seen && asset.rank.isNamed)
            // It goes by without being counted again.
            #expect(try await change(number, in: shelf) == .free)
        }
        #expect(try await shelf.library.number("SELECT count(*) FROM changes") == 49)
    }

    /// What is not held, or not in the queue, is not concerned.
    @Test(arguments: Asset.State.allCases)
    func onlyWhatIsHeldIsApprovedAndOnlyWhatIsQueuedIsHeld(_ state: Asset.State) async throws {
        let shelf = try await shelf(stored: 1)
        try await shelf.library.mark("0.jpg", as: state)
        try await shelf.library.hold([RootedPath(root: "Pictures", path: "0.jpg")], reason: "many")
        #expect(try await shelf.state("0.jpg") == (state == .queued ? .held : state))
        #expect(try await shelf.library.brake(of: "0.jpg") == (state == .queued ? Self.hold : nil))
        try await shelf.library.mark("0.jpg", as: state)
        try await shelf.library.approve([try await shelf.asset("0.jpg")])
        #expect(try await shelf.state("0.jpg") == (state == .held ? .seen : state))
    }

    /// After a start the brake is asked only where it may have something to say.
    @Test(
        arguments: [(nil, nil, false), (Asset.State.held, nil, true), (.held, .held, false), (.stored, nil, false)]
            as [(Asset.State?, Asset.BrakeMark?, Bool)])
    func aStartKnowsWhetherTheBrakeMayHaveSomethingToDecide(
        _ state: Asset.State?, _ mark: Asset.BrakeMark?, _ mayBrake: Bool
    ) async throws {
        let shelf = try await shelf(stored: 1)
        if let state { try await shelf.library.mark("0.jpg", as: state, brake: mark) }
        #expect(try await shelf.library.mayHold() == mayBrake)
        try await shelf.library.setFact(Library.brakeFact, to: "so many")
        #expect(try await shelf.library.mayHold())
    }
}

extension Library {
    /// Stored files `0.jpg`, `1.jpg` and so on, all with the same bytes, beside a file that was seen.
    fileprivate func fill(count: Int) throws {
        try write("DELETE FROM assets")
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(count))"
        let hash = "X'\(String(repeating: "ab", count: 32))'"
        try write(
            """
            \(numbers) INSERT INTO assets (directory, name, size, mtime, state, rank, sha256, found)
            SELECT (SELECT min(id) FROM directories), CAST(i || '.jpg' AS BLOB), 7, \(FileTime(Shelf.now).nanoseconds),
                3, 4, \(hash), 0 FROM n
            """)
        try write(
            """
            \(numbers) INSERT INTO receipts (destination, key, role, item, directory, name, sha256, size, verified)
            SELECT '\(Shelf.destination)', 'Pictures/' || i || '.jpg', 'original', 'item ' || i,
                (SELECT min(id) FROM directories), CAST(i || '.jpg' AS BLOB), \(hash), 7, 0 FROM n
            """)
        try commit()
    }

    /// Changes of the first `count` files.
    fileprivate func note(changes count: Int, at date: Date) throws {
        try write(
            """
            INSERT INTO changes SELECT directory, name, ? FROM assets ORDER BY length(name), name LIMIT \(count)
            """, .integer(FileTime(date).nanoseconds))
    }

    fileprivate func mayHold() throws -> Bool { try Self.holdsChanges(database) }
}
