import Database
import Fixtures
import Foundation
import Platform
import Queue
import Records
import Roots
import Testing
import Text

@testable import Catalog

/// What is known of objects that were to be moved, from the request on.
@Suite struct MoveTests {
    private static let item = Shelf.item("a.jpg")
    private static let other = ObjectKey(text: "Pictures/former.jpg")
    private static let destination = Shelf.destination
    private static let held = HeldObject(id: "n", size: 7, eTag: nil, version: "w", updatedAt: nil)

    /// What happens to a move, each a minute after the one before.
    enum Event: Sendable {
        case asked, answered, settled

        func happen(_ shelf: Shelf, at now: Date) async throws {
            switch self {
            case .asked: try await shelf.library.noteMove(of: item, from: other, destination: destination, at: now)
            case .answered:
                try await shelf.library.noteAnswer(toMoveFrom: other, to: item.objectKey, destination: destination)
            case .settled: for move in try await shelf.moves { try await shelf.library.settle(move, at: now) }
            }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let events: [Event]
        var isSettled = false
        /// Minutes from the first event to the last request without an answer; `nil` where each has one.
        let noted: Double?
        var testDescription: String { "\(events)" }
    }

    /// A request that was given up may arrive whatever was answered to another one.
    @Test(arguments: [
        Row(events: [.asked], noted: 0),
        Row(events: [.asked, .answered], noted: nil),
        Row(events: [.asked, .settled], isSettled: true, noted: 0),
        Row(events: [.asked, .settled, .answered], noted: nil),
        Row(events: [.asked, .asked], noted: 1),
        Row(events: [.asked, .asked, .answered], noted: 0),
        Row(events: [.asked, .settled, .asked], noted: 2),
        Row(events: [.asked, .settled, .asked, .answered, .settled], isSettled: true, noted: 0),
        Row(events: [.asked, .answered, .asked, .answered], noted: nil),
        Row(events: [.asked, .asked, .asked, .answered], noted: 1),
        Row(events: [.asked, .asked, .answered, .answered], noted: nil),
    ])
    func whichRequestIsStillExpected(_ row: Row) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Self.item)
        for (minute, event) in row.events.enumerated() {
            try await event.happen(shelf, at: Shelf.now + Double(minute) * 60)
        }
        let move = try #require(try await shelf.moves.first)
        #expect(try await shelf.moves.count == 1)
        #expect(move.isSettled == row.isSettled)
        #expect(move.notedAt == row.noted.map { Shelf.now + $0 * 60 } ?? Date(timeIntervalSince1970: 0))
        #expect(move.place == (try await shelf.asset("a.jpg").place))
        // It is no attempt, but what it brings is ours.
        #expect(try await shelf.attempts(Self.item).isEmpty)
        try await shelf.library.change("DELETE FROM receipts")
        for (key, isOurs) in [(Self.item.objectKey, true), (Self.other, false)] {
            #expect(
                try await shelf.library.isOurs(destination: Self.destination, key: key, sha256: Self.item.sha256)
                    == isOurs)
        }
    }

    /// A move that was settled is forgotten once no request for it can arrive.
    @Test(arguments: [([Event.asked], 599.0, true), ([.asked], 601, false), ([.asked, .answered], 61, false)])
    func aMoveIsExpectedForItsTime(_ events: [Event], _ seconds: Double, _ isExpected: Bool) async throws {
        let shelf = try await Shelf()
        for event in events { try await event.happen(shelf, at: Shelf.now) }
        try await Event.settled.happen(shelf, at: Shelf.now + seconds)
        #expect(try await !shelf.moves.isEmpty == isExpected)
    }

    /// The answer is about the request before.
    @Test func aMoveThatIsNotedAnewIsNotSettledByAnEarlierAnswer() async throws {
        let shelf = try await Shelf()
        try await Event.asked.happen(shelf, at: Shelf.now)
        let before = try #require(try await shelf.moves.first)
        try await Event.asked.happen(shelf, at: Shelf.now + 60)
        for seconds in [60.0, 3_600] { try await shelf.library.settle(before, at: Shelf.now + seconds) }
        #expect(try await shelf.moves.map(\.notedAt) == [Shelf.now + 60])
        #expect(try await shelf.moves.map(\.isSettled) == [false])
    }

    /// Both are expected, and each may bring the bytes.
    @Test func twoObjectsMayBeMovedToOneKey() async throws {
        let shelf = try await Shelf()
        try await Event.asked.happen(shelf, at: Shelf.now)
        try await shelf.library.remember(Self.item, destination: Self.destination)
        let third = ObjectKey(text: "Pictures/third.jpg")
        try await shelf.library.noteMove(
            of: Self.item, from: third, destination: Self.destination, at: Shelf.now + 60)
        let moves = try await shelf.library.expectedMoves(to: Self.item.objectKey, destination: Self.destination)
        #expect(moves.map(\.source) == [Self.other, third])
        #expect(moves.map(\.notedAt) == [Shelf.now, Shelf.now + 60])
        #expect(try await shelf.attempts(Self.item).map(\.state) == [.unknown])
        // A receipt says what lies there now, and not what may still arrive.
        try await shelf.library.record([(Shelf.receipt(Self.item, verified: Shelf.now + 60), Self.item)])
        #expect(try await shelf.moves == moves)
    }

    /// The former file is read again where it is back, and has left nothing where it is gone: it was renamed.
    @Test(arguments: Asset.State.allCases, [false, true])
    func aMoveThatTookPlaceTakesTheReceiptAlong(_ state: Asset.State, _ isGone: Bool) async throws {
        for hasAnother in [false, true] {
            let shelf = try await Shelf()
            let former = Shelf.item("former.jpg", content: "a.jpg")
            try await shelf.store(former)
            if hasAnother { try await shelf.library.record([(Shelf.receipt(former, at: "elsewhere"), former)]) }
            try await shelf.library.mark("former.jpg", as: state)
            try await shelf.library.see(Self.item, below: shelf.root)
            try await shelf.library.noteMove(
                of: Self.item, from: former.objectKey, destination: Self.destination, at: Shelf.now)
            let move = try #require(try await shelf.library.expectedMoves(destination: Self.destination).first)
            let at = Shelf.now + 5
            try await shelf.library.settle(
                moved: move, from: Shelf.receipt(former), held: Self.held, isGone: isGone, at: at)
            let known = try await shelf.library.receipt(destination: Self.destination, key: Self.item.objectKey)
            let receipt = try #require(known)
            #expect(receipt.item == former.id.redated(at: at) && receipt.sha256 == former.sha256)
            #expect(receipt.verifiedAt == at)
            #expect(receipt.objectID == "n" && receipt.version == "w")
            #expect(try await shelf.library.receipt(destination: Self.destination, key: former.objectKey) == nil)
            #expect(try await shelf.moves.map(\.isSettled) == [true])
            let next: Asset.State? =
                switch state {
                case _ where hasAnother: state
                case .stored: isGone ? nil : .seen
                case .remoteOnly: nil
                default: state
                }
            #expect(try await shelf.state("former.jpg") == next, "hasAnother: \(hasAnother)")
            // The new file's own item is on its way, and is proven by that receipt.
            #expect(try await shelf.state("a.jpg") == .queued)
        }
    }

    /// The file is back under its former name, and its picture was moved along; others may be made of it just then.
    @Test(
        arguments: [
            (.seen, .made, .wanted), (.identifying, .made, .wanted), (.queued, .made, .wanted),
            (.stored, .made, .wanted),
            (.failed, .made, .wanted), (.stored, .wanted, .lost), (.stored, .lost, .lost), (.stored, .failed, .failed),
            (.gone, .made, .made), (.remoteOnly, .made, .made),
        ] as [(Asset.State, Asset.Pictures, Asset.Pictures)])
    func aPictureThatMovedIsOwedToTheFileThatIsBack(
        _ state: Asset.State, _ before: Asset.Pictures, _ after: Asset.Pictures
    ) async throws {
        let shelf = try await Shelf()
        let (former, picture) = (Shelf.item("former.jpg"), Shelf.item("former.jpg", role: .thumbnail(512)))
        for item in [former, picture] { try await shelf.store(item) }
        try await shelf.store(Self.item)
        try await shelf.library.setPictures(of: try await shelf.asset("former.jpg").place, to: before)
        try await shelf.library.mark("former.jpg", as: state)
        try await shelf.library.noteMove(
            of: Shelf.item("a.jpg", role: .thumbnail(512)), from: picture.objectKey, destination: Self.destination,
            at: Shelf.now)
        let move = try #require(try await shelf.moves.first)
        try await shelf.library.settle(
            moved: move, from: Shelf.receipt(picture), held: Self.held, at: Shelf.now + 5)
        #expect(try await shelf.library.pictures(of: "former.jpg") == after)
    }

    /// The file has other content by now, which was stored under the key of the move; a deletion that came late made room
    /// for the move.
    @Test(arguments: [Item.Role.original, .thumbnail(512)], [true, false])
    func whatALateMoveReplacedIsStoredAgain(_ role: Item.Role, isOther: Bool) async throws {
        let shelf = try await Shelf()
        let former = Shelf.item("former.jpg", content: "a.jpg", role: role)
        let stored = Shelf.item("a.jpg", content: isOther ? "new" : "a.jpg", role: role)
        for path in ["former.jpg", "a.jpg"] { try await shelf.store(Shelf.item(FilePath(path))) }
        for item in [former, stored] { try await shelf.store(item) }
        if role == .original {
            try await shelf.library.change(
                "UPDATE assets SET sha256 = ? WHERE name = CAST('a.jpg' AS BLOB)",
                Value([UInt8](hexadecimal: stored.sha256)))
        }
        try await shelf.library.setPictures(of: try await shelf.asset("a.jpg").place, to: .made)
        try await shelf.library.noteMove(
            of: Shelf.item("a.jpg", role: role), from: former.objectKey, destination: Self.destination, at: Shelf.now)
        let move = try #require(try await shelf.moves.first)
        try await shelf.library.settle(
            moved: move, from: Shelf.receipt(former), held: Self.held, at: Shelf.now + 5)
        let isLost = isOther && role == .original
        #expect(try await shelf.state("a.jpg") == (isLost ? .seen : .stored))
        #expect(try await shelf.library.pictures(of: "a.jpg") == (isOther && !isLost ? .wanted : .made))
    }

    /// The file's own name keeps its former content, and its object beside that was moved for another file.
    @Test(arguments: [true, false], [true, false])
    func aFileWhoseObjectMovedIsNotStoredByItsFormerContent(isAnswered: Bool, isGone: Bool) async throws {
        let shelf = try await Shelf()
        let older = Shelf.item("former.jpg", content: "older")
        let former = Items.with(Shelf.item("former.jpg", content: "a.jpg")) {
            $0.objectKey = $0.objectKey.beside($0.sha256)
        }
        for item in [older, former] { try await shelf.store(item) }
        try await shelf.library.change(
            "UPDATE assets SET sha256 = ?", Value([UInt8](hexadecimal: former.sha256)))
        try await shelf.library.noteMove(
            of: Self.item, from: former.objectKey, destination: Self.destination, at: Shelf.now)
        if isAnswered {
            try await shelf.library.record(
                [(Shelf.receipt(Self.item), Self.item)], moved: [Self.item.id: Shelf.receipt(former)])
        } else {
            let move = try #require(try await shelf.moves.first)
            try await shelf.library.settle(
                moved: move, from: Shelf.receipt(former), held: Self.held, isGone: isGone, at: Shelf.now + 5)
        }
        #expect(try await shelf.state("former.jpg") == .seen)
        let kept = try await shelf.library.receipts(destination: Self.destination, after: "", count: 9)
        #expect(kept.map(\.key) == [Self.item.objectKey, older.objectKey])
    }

    /// The object under the file's own name is set aside late, after the file's new content was stored beside it.
    @Test(arguments: ["new", "a.jpg"], [true, false])
    func aFileGetsItsNameOnceThatIsFree(_ content: String, isBeside: Bool) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Self.item)
        let beside = Items.with(Shelf.item("a.jpg", content: "new")) { $0.objectKey = $0.objectKey.beside($0.sha256) }
        if isBeside { try await shelf.store(beside) }
        try await shelf.library.change(
            "UPDATE assets SET sha256 = ?", Value([UInt8](hexadecimal: Shelf.hash(content))))
        let receipt = Shelf.receipt(Self.item)
        try await shelf.library.noteMove(of: receipt, to: receipt.key.beside(receipt.sha256), at: Shelf.now)
        let move = try #require(try await shelf.moves.first)
        try await shelf.library.settle(moved: move, from: receipt, held: Self.held, at: Shelf.now + 5)
        let isFreed = isBeside || content == "a.jpg"
        #expect(try await shelf.state("a.jpg") == (isFreed ? .seen : .stored))
        // What is stored beside proves nothing any more, so that it is moved.
        let proofs = try await shelf.library.unmarkedReceipts(
            of: Shelf.hash(content), as: receipt.key, destination: Self.destination)
        #expect(proofs.isEmpty)
    }

    /// A failed write took back what a scan knew of the new folder, and by then the file has its former name again.
    @Test func theObjectOfAFileThatIsBackIsNotKeptUnderTheOtherName() async throws {
        let shelf = try await Shelf()
        let former = Shelf.item("former.jpg", content: "2024/a.jpg")
        let item = Shelf.item("2024/a.jpg")
        try await shelf.store(former)
        try await shelf.library.noteMove(
            of: item, from: former.objectKey, destination: Self.destination, at: Shelf.now)
        let move = try #require(try await shelf.moves.first)
        try await shelf.library.settle(moved: move, from: Shelf.receipt(former), held: Self.held, at: Shelf.now + 5)
        #expect(try await shelf.state("former.jpg") == .seen)
        let receipts = try await shelf.library.fileRecord(root: "Pictures", path: "former.jpg")?.receipts
        #expect(receipts == [])
    }

    /// Both moves were asked about before either was settled: what the second has brought is ours, and no receipt's.
    @Test(arguments: [false, true])
    func anObjectIsMovedOnce(isStoredAgain: Bool) async throws {
        let shelf = try await Shelf()
        let former = Shelf.item("former.jpg", content: "a.jpg")
        let second = Shelf.item("b.jpg", content: "a.jpg")
        try await shelf.store(former)
        let receipt = Shelf.receipt(former)
        for item in [Self.item, second] {
            try await shelf.library.noteMove(
                of: item, from: former.objectKey, destination: Self.destination, at: Shelf.now)
        }
        let moves = try await shelf.library.expectedMoves(from: former.objectKey, destination: Self.destination)
        #expect(moves.count == 2)
        try await shelf.library.settle(moved: moves[0], from: receipt, held: Self.held, at: Shelf.now)
        // The file of that name was back by then.
        let again = Items.with(Shelf.item("former.jpg", content: "new")) { $0.objectKey = former.objectKey }
        if isStoredAgain { try await shelf.store(again) }
        try await shelf.library.settle(moved: moves[1], from: receipt, held: Self.held, at: Shelf.now)
        try await shelf.library.settle(moved: moves[0], from: receipt, held: Self.held, at: Shelf.now)
        let left = try await shelf.library.attempts(at: moves[1].key, destination: Self.destination)
        #expect(left.map(\.state) == [.there])
        #expect(try await shelf.moves.map(\.isSettled) == [true, true])
        func holder(_ key: ObjectKey) async throws -> ItemIdentifier? {
            try await shelf.library.receipt(destination: Self.destination, key: key)?.item
        }
        #expect(try await holder(moves[0].key) == former.id.redated(at: Shelf.now))
        #expect(try await holder(moves[1].key) == nil)
        #expect(try await holder(former.objectKey) == (isStoredAgain ? again.id : nil))
    }

    /// As when a folder of equal files is renamed, and the requests for their objects were given up once.
    @Test(arguments: [[], [0], [0, 1]])
    func aMoveThatIsDoneIsExpectedWhereAnotherRequestForItIs(_ again: [Int]) async throws {
        let shelf = try await Shelf()
        let former = ["1.jpg", "2.jpg"].map { Shelf.item($0, content: "a.jpg") }
        let items = ["x/1.jpg", "x/2.jpg"].map { Shelf.item($0, content: "a.jpg") }
        var moved: [ItemIdentifier: Receipt] = [:]
        for (before, item) in zip(former, items) {
            try await shelf.store(before)
            moved[item.id] = Shelf.receipt(before)
            let isAgain = again.contains { items[$0].id == item.id }
            for seconds in isAgain ? [0.0, 60] : [0] {
                try await shelf.library.noteMove(
                    of: item, from: before.objectKey, destination: Self.destination, at: Shelf.now + seconds)
            }
            try await shelf.library.noteAnswer(
                toMoveFrom: before.objectKey, to: item.objectKey, destination: Self.destination)
        }
        try await shelf.library.record(items.map { (Shelf.receipt($0), $0) }, moved: moved)
        let moves = try await shelf.moves
        #expect(Set(moves.map(\.key)) == Set(again.map { items[$0].objectKey }))
        #expect(moves.allSatisfy { $0.isSettled })
    }

    /// A move that has not happened is still expected, but no longer asked about before others.
    @Test func aMoveThatHasNotHappenedIsExpected() async throws {
        let shelf = try await Shelf()
        let others = ["b.jpg", "c.jpg"].map { Shelf.item($0, content: "a.jpg") }
        try await shelf.library.noteMove(of: Self.item, from: Self.other, destination: Self.destination, at: Shelf.now)
        try await shelf.library.noteMove(of: others[0], from: Self.other, destination: Self.destination, at: Shelf.now)
        try await shelf.library.noteMove(of: others[1], from: Self.other, destination: "elsewhere", at: Shelf.now)
        func moves() async throws -> [Move] {
            try await shelf.library.unsettledMoves(from: Self.other, destination: Self.destination)
        }
        let move = try #require(try await moves().first { $0.key == Self.item.objectKey })
        try await shelf.library.settle(move, at: Shelf.now)
        #expect(try await moves().map(\.key) == [others[0].objectKey])
        #expect(try await shelf.moves.count == 2)
    }

    /// Which move is to be settled before an item is sent.
    @Test(arguments: [
        (Shelf.item("former.jpg", content: "x"), true, true), (Shelf.item("a.jpg", content: "x"), true, false),
        (Shelf.item("b.jpg", content: "a.jpg"), true, true), (Shelf.item("b.jpg"), false, false),
        (Shelf.item("b.jpg", content: "a.jpg", role: .thumbnail(512)), false, false),
    ])
    func aMoveIsSettledBeforeAnItemThatItConcerns(_ item: Item, _ isBefore: Bool, _ isAmongOthers: Bool) async throws {
        let shelf = try await Shelf()
        try await shelf.library.noteMove(of: Self.item, from: Self.other, destination: Self.destination, at: Shelf.now)
        for (isOthers, isFound) in [(false, isBefore), (true, isAmongOthers)] {
            let move = try await shelf.library.unsettledMove(
                before: item, isOthers: isOthers, destination: Self.destination)
            #expect((move != nil) == isFound)
            #expect(
                try await shelf.library.unsettledMove(before: item, isOthers: isOthers, destination: "elsewhere") == nil
            )
        }
    }
}
