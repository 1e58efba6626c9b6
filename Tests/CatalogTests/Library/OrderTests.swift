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

/// What the user names, what is read first, and what is gone here: the library's answers by state, path and time.
@Suite struct OrderTests {
    // MARK: What is read first

    struct Waiting: Sendable {
        let name: FilePath
        var origin = Asset.Rank.Origin.backlog
        var size: Int64 = 7
        var age: Double = 0
    }

    private static let waiting = [
        Waiting(name: "old.jpg", age: 90), Waiting(name: "new.jpg", age: 10),
        Waiting(name: "large.jpg", size: 50_000_000), Waiting(name: "nearly.jpg", size: 49_999_999, age: 50),
        Waiting(name: "arrived.jpg", origin: .arrival, age: 99), Waiting(name: "named.jpg", origin: .named, age: 999),
        Waiting(name: "arrived-large.jpg", origin: .arrival, size: 60_000_000),
    ]

    private func waiting() async throws -> Shelf {
        let shelf = try await Shelf()
        for file in Self.waiting {
            let observation = Observation(
                name: file.name.name, size: file.size, modifiedAt: FileTime(Shelf.now - file.age))
            _ = try await shelf.library.merge(
                observation, at: file.name, root: shelf.root.id, origin: file.origin, now: Shelf.now)
        }
        return shelf
    }

    @Test(
        arguments: [
            (
                .upload,
                [
                    "named.jpg", "arrived.jpg", "arrived-large.jpg", "new.jpg", "nearly.jpg", "old.jpg", "large.jpg",
                ]
            ), (.largeFirst, ["arrived-large.jpg", "large.jpg"]),
        ] as [(BacklogOrder, [FilePath])])
    func filesAreReadInTheOrderInWhichTheyAreSent(_ order: BacklogOrder, _ names: [FilePath]) async throws {
        let shelf = try await waiting()
        #expect(try await shelf.library.take(10, order).map(\.path) == names)
        // Each is taken once.
        #expect(try await shelf.library.take(10, order).isEmpty)
        #expect(try await shelf.library.counts()[.seen] == Self.waiting.count)
        #expect(try await shelf.library.number("SELECT count(*) FROM assets WHERE state = 1") == Int64(names.count))
    }

    @Test func noMoreAreTakenThanAskedForAndTheRestLater() async throws {
        let shelf = try await waiting()
        #expect(try await shelf.library.take(0).isEmpty)
        #expect(try await shelf.library.take(2).map(\.path) == ["named.jpg", "arrived.jpg"])
        #expect(try await shelf.library.take(2).map(\.path) == ["arrived-large.jpg", "new.jpg"])
    }

    /// What the brake may yet hold is not read in a hurry.
    @Test func suspectsAreLeftOutWhereThatIsAskedFor() async throws {
        let shelf = try await waiting()
        try await shelf.library.mark("named.jpg", as: .seen, brake: .suspect)
        #expect(try await shelf.library.take(1, suspects: false).map(\.path) == ["arrived.jpg"])
        #expect(try await shelf.library.take(1).map(\.path) == ["named.jpg"])
    }

    /// Another look does not take a file's place in the order away.
    @Test func aFileThatWasNamedStaysFirst() async throws {
        let shelf = try await waiting()
        try await shelf.see("named.jpg", size: 9, after: -5)
        #expect(try await shelf.library.take(1).map(\.path) == ["named.jpg"])
    }

    @Test(arguments: Asset.State.allCases)
    func whatHoldsUpTheEndOfAPass(_ state: Asset.State) async throws {
        for mark in [nil, Asset.BrakeMark.held] {
            let shelf = try await Shelf()
            try await shelf.see("a.jpg", at: Shelf.now)
            try await shelf.library.mark("a.jpg", as: state, brake: mark)
            let isOpen = [.seen, .identifying, .queued].contains(state) || state == .held && mark == nil
            // The last before the clock was set back.
            for (seconds, later, counts) in [(-0.001, 60.0, false), (0, 60, true), (60, 60, true), (-60, -1, true)] {
                let library = shelf.library
                let count = try await library.unsettled(foundBefore: Shelf.now + seconds, now: Shelf.now + later)
                #expect(count == (isOpen && counts ? 1 : 0))
            }
            let isRead = [.seen, .identifying].contains(state) || state == .held && mark == nil
            #expect(try await shelf.library.isBacklogEmpty() == !isRead)
        }
    }

    /// In the order of their rows, so that a loop over them ends.
    @Test func thoseWithoutPicturesComeInPagesAndOnlyWhereTheyWereRead() async throws {
        let shelf = try await Shelf()
        for (number, state) in Asset.State.allCases.enumerated() {
            let path = FilePath("\(number % 2)/\(number).jpg")
            try await shelf.see(path)
            try await shelf.library.setPictures(of: try await shelf.asset(path).place, to: .wanted)
            try await shelf.library.mark(path, as: state)
        }
        var last: Asset.Place?
        var states: Set<Asset.State> = []
        while let asset = try await shelf.library.takeUnpictured(1, after: last).first {
            #expect(states.insert(asset.state).inserted)
            last = asset.place
        }
        #expect(states == [.queued, .stored, .indexed])
        #expect(try await shelf.library.takeUnpictured(10, after: nil).count == 3)
    }

    // MARK: What is selected

    private func selectable() async throws -> Shelf {
        let shelf = try await Shelf()
        let files: [(FilePath, Asset.State, String?)] = [
            ("failed.jpg", .failed, "http.413"), ("2024/failed.jpg", .failed, "http.403"),
            ("2024/unreadable.jpg", .unreadable, "file.EIO"), ("2024/stored.jpg", .stored, nil),
            ("2024/05/held.jpg", .held, nil), ("cancelled.jpg", .excluded, nil), ("gone.jpg", .gone, nil),
            ("2024-old/failed.jpg", .failed, "http.413"),
        ]
        for (number, (path, state, code)) in files.enumerated() {
            try await shelf.see(path, after: Double(number) - 1_000, at: Shelf.now + Double(number))
            let place = try await shelf.asset(path).place
            try await shelf.library.change(
                "UPDATE assets SET state = ?, code = ? WHERE directory = ? AND name = ?", .integer(state.rawValue),
                Value(code), .integer(place.directory), .blob(place.name))
        }
        return shelf
    }

    struct Choice: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var which = Selection.Which.failed
        var code: FailureCode?
        var since: Double?
        var places: [FilePath] = []
        let files: [FilePath]
    }

    @Test(arguments: [
        Choice(
            testDescription: "what failed",
            files: [
                "2024-old/failed.jpg", "2024/failed.jpg", "2024/unreadable.jpg", "failed.jpg",
            ]),
        Choice(testDescription: "with a code", code: .http(413), files: ["2024-old/failed.jpg", "failed.jpg"]),
        Choice(testDescription: "with a code that none has", code: .http(500), files: []),
        Choice(
            testDescription: "below a directory", places: ["2024"], files: ["2024/failed.jpg", "2024/unreadable.jpg"]),
        Choice(testDescription: "one file", places: ["2024/failed.jpg"], files: ["2024/failed.jpg"]),
        Choice(
            testDescription: "a file and a directory", places: ["failed.jpg", "2024"],
            files: ["2024/failed.jpg", "2024/unreadable.jpg", "failed.jpg"]),
        Choice(testDescription: "a file that is not known", places: ["2024/none.jpg"], files: []),
        Choice(testDescription: "a file that did not fail", places: ["2024/stored.jpg"], files: []),
        Choice(testDescription: "a beginning of a name", places: ["20"], files: []),
        Choice(
            testDescription: "found since", since: 1,
            files: [
                "2024-old/failed.jpg", "2024/failed.jpg", "2024/unreadable.jpg",
            ]),
        Choice(
            testDescription: "found since a moment later", since: 1.001,
            files: [
                "2024-old/failed.jpg", "2024/unreadable.jpg",
            ]),
        Choice(testDescription: "what is held", which: .changed, files: ["2024/05/held.jpg"]),
        Choice(testDescription: "what is held elsewhere", which: .changed, places: ["2024-old"], files: []),
        Choice(testDescription: "what is missing", which: .missing, files: ["2024/stored.jpg"]),
        Choice(testDescription: "what is missing, by name", which: .missing, places: ["2024/failed.jpg"], files: []),
        Choice(
            testDescription: "all", which: .all,
            files: [
                "2024-old/failed.jpg", "2024/failed.jpg", "2024/stored.jpg", "2024/unreadable.jpg", "failed.jpg",
            ]),
        Choice(
            testDescription: "all below the root, which takes in what was cancelled", which: .all, places: [""],
            files: [
                "2024-old/failed.jpg", "2024/failed.jpg", "2024/stored.jpg", "2024/unreadable.jpg", "cancelled.jpg",
                "failed.jpg",
            ]),
        Choice(
            testDescription: "what was cancelled, by name", which: .all, places: ["cancelled.jpg"],
            files: ["cancelled.jpg"]),
    ])
    func whatASelectionTakes(_ row: Choice) async throws {
        let shelf = try await selectable()
        var selection = Selection()
        selection.which = row.which
        selection.code = row.code
        selection.since = row.since.map { Shelf.now + $0 }
        selection.paths = row.places.map { shelf.root.path.appending($0) }
        let places = row.places.map { (root: shelf.root.id, path: $0) }
        let missing: Set = [try await shelf.asset("2024/stored.jpg").place, try await shelf.asset("gone.jpg").place]
        let found = try await shelf.library.select(selection, below: places, missing: missing)
        #expect(found.map(\.path).sorted() == row.files)
        // Below another root there is nothing.
        let elsewhere = try await shelf.library.select(
            selection, below: [(root: shelf.root.id + 1, path: "")], missing: missing)
        #expect(elsewhere.isEmpty)
    }

    // MARK: What is gone here

    @Test(arguments: Asset.State.allCases)
    func onlyInStorageIsWhatHasAReceiptAndNoFile(_ state: Asset.State) async throws {
        let shelf = try await Shelf()
        for path in ["a.jpg", "b.jpg", "c.jpg"] as [FilePath] { try await shelf.store(Shelf.item(path)) }
        try await shelf.library.mark("b.jpg", as: state)
        let isGone = [.gone, .remoteOnly].contains(state)
        let paged = try await shelf.library.remoteOnly(destination: Shelf.destination, after: "", count: 10)
        #expect(paged.map(\.path) == (isGone ? ["b.jpg"] : []))
        #expect(try await shelf.library.remoteOnly(destination: "elsewhere", after: "", count: 10).isEmpty)
        #expect(
            try await shelf.library.remoteOnly(destination: Shelf.destination, after: "Pictures/b.jpg", count: 10)
                .isEmpty)
        let named = try await shelf.library.remoteOnly(
            destination: Shelf.destination,
            of: ["b.jpg", "a.jpg", "none.jpg"].map { RootedPath(root: "Pictures", path: $0) })
        #expect(named.map(\.path) == (isGone ? ["b.jpg"] : []))
        let living = try await shelf.library.livingAsset(of: Shelf.receipt(Shelf.item("b.jpg")))
        #expect((living != nil) == ![.gone, .remoteOnly, .excluded].contains(state))
        let stored = try await shelf.library.storedAsset(of: Shelf.receipt(Shelf.item("b.jpg")))
        #expect((stored != nil) == (state == .stored))
    }

    /// An object without any row of its file belongs to nothing here.
    @Test func aReceiptWithoutAFileIsOnlyInStorage() async throws {
        let shelf = try await Shelf()
        try await shelf.store(Shelf.item("a.jpg"))
        try await shelf.library.change("DELETE FROM assets")
        let found = try await shelf.library.remoteOnly(destination: Shelf.destination, after: "", count: 10)
        #expect(found.map(\.name) == ["Pictures/a.jpg"])
    }

    /// With its last receipt a file that is gone is forgotten; one that is back is not, and is read again.
    @Test(arguments: Asset.State.allCases)
    func whatWasPrunedIsForgottenWithItsLastReceipt(_ state: Asset.State) async throws {
        let shelf = try await Shelf()
        let (original, picture) = (Shelf.item("a.jpg"), Shelf.item("a.jpg", role: .thumbnail(512)))
        try await shelf.store(original)
        try await shelf.store(picture)
        try await shelf.library.mark("a.jpg", as: state)
        try await shelf.library.forgetPruned([Shelf.receipt(original)])
        let next = state == .stored ? .seen : state
        #expect(try await shelf.state("a.jpg") == next)
        try await shelf.library.forgetPruned([Shelf.receipt(picture)])
        let isGone = [.gone, .remoteOnly].contains(state)
        #expect(try await shelf.state("a.jpg") == (isGone ? nil : next))
        // The root has had files all the same, by which its disk is known.
        #expect(try await shelf.library.knowsFiles(below: shelf.root.id))
    }

    /// A file that came back while its picture was being deleted has it made again, unless it is read again anyway, or has
    /// one: the same, or in another format.
    @Test(arguments: Asset.State.allCases, [nil] + ThumbnailFormat.stored)
    func aPrunedPictureIsMadeAgainWhereItsFileIsBack(_ state: Asset.State, other: ThumbnailFormat?) async throws {
        let shelf = try await Shelf()
        let (original, picture) = (Shelf.item("a.jpg"), Shelf.item("a.jpg", role: .thumbnail(512)))
        try await shelf.store(original)
        try await shelf.store(picture)
        if let other {
            var anew = Shelf.item("a.jpg", role: .thumbnail(512))
            anew.objectKey = ObjectKey(thumbnail: 512, of: original.objectKey, format: other)
            try await shelf.store(anew)
        }
        try await shelf.library.mark("a.jpg", as: state)
        try await shelf.library.change("UPDATE assets SET thumbnails = 2")
        try await shelf.library.forgetPruned([Shelf.receipt(picture)])
        let isWanted = [.queued, .stored].contains(state) && other == nil
        let wanted = try await shelf.library.number("SELECT count(*) FROM assets WHERE thumbnails = 1")
        #expect(wanted == (isWanted ? 1 : 0))
    }

    /// What was stored anew since it was listed is another object.
    @Test func aReceiptThatWasEarnedMeanwhileIsNotPruned() async throws {
        let shelf = try await Shelf()
        let (before, now) = (Shelf.item("a.jpg"), Shelf.item("a.jpg", content: "now"))
        try await shelf.store(before)
        try await shelf.store(now)
        try await shelf.library.forgetPruned([Shelf.receipt(before)])
        #expect(
            try await shelf.library.receipt(destination: Shelf.destination, key: now.objectKey)?.item == now.id)
    }

    // MARK: Proofs

    /// Only of the very receipt that was looked at is anything proven.
    @Test func aProofIsOfTheReceiptThatWasLookedAt() async throws {
        let shelf = try await Shelf()
        let items = ["a.jpg", "b.jpg", "c.jpg"].map { Shelf.item(FilePath($0)) }
        for item in items { try await shelf.store(item, Shelf.receipt(item, proof: .size)) }
        try await shelf.store(Shelf.item("d.jpg"))
        let page = try await shelf.library.unproven(destination: Shelf.destination, after: "", count: 2)
        #expect(page.map(\.key) == items.prefix(2).map(\.objectKey))
        let rest = try await shelf.library.unproven(
            destination: Shelf.destination, after: "Pictures/b.jpg", count: 2)
        #expect(rest.map(\.key) == [items[2].objectKey])
        try await shelf.library.confirm(page[1], at: Shelf.now + 1)
        for receipt in page { try await shelf.library.prove(receipt, by: .readBack) }
        let left = try await shelf.library.unproven(destination: Shelf.destination, after: "", count: 9)
        #expect(left.map(\.key) == [items[1].objectKey, items[2].objectKey])
        #expect(try await shelf.library.counts().proofs == [.size: 2, .readBack: 1, .md5: 1])
    }
}
