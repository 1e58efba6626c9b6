import Fixtures
import Foundation
import Platform
import Queue
import Records
import Roots
import Testing
import Text

@testable import Catalog

/// What is known of bytes that may lie under a key without a receipt, from the request on.
@Suite struct AttemptStateTests {
    private static let item = Items.with(Shelf.item("a.jpg")) { $0.lastAttemptAt = Shelf.now }
    private static let other = ObjectKey(text: "Pictures/former.jpg")
    private static let destination = Shelf.destination

    /// What happens to an attempt.
    enum Event: CaseIterable, Sendable {
        case sent, accepted, shown, deleted, leftover

        func happen(_ shelf: Shelf) async throws {
            let library = shelf.library
            let attempt = try await shelf.attempts(item).first
            switch self {
            case .sent: try await library.remember(item, destination: destination)
            case .accepted: try await library.noteAttempt(item, destination: destination, isDoubtful: false)
            case .shown, .deleted: if let attempt { try await settle(attempt, library) }
            case .leftover:
                try await library.noteLeftover(of: Shelf.receipt(item), sha256: item.sha256, size: 8)
            }
        }

        func settle(_ attempt: Attempt, _ library: Library) async throws {
            switch self {
            case .shown: try await library.settle(attempt, isThere: 9)
            case .deleted: try await library.settle(deleted: attempt)
            case .sent, .accepted, .leftover: break
            }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let events: [Event]
        let state: Attempt.State
        var size: Int64 = 7
        /// Whether it may hold other bytes than its metadata says.
        var isDoubtful = true
        var testDescription: String { "\(events)" }
    }

    /// A failed write or a power cut takes back what a scan knew of a new folder, but not the items of files in it.
    @Test func anAttemptNamesItsFileInAFolderWhoseRowWasLost() async throws {
        let shelf = try await Shelf()
        let item = Shelf.item("2024/a.jpg")
        try await shelf.library.remember(item, destination: Self.destination)
        let place = try #require(try await shelf.attempts(item).first?.place)
        let file = try #require(try await shelf.library.location(of: place))
        #expect(file.root == "Pictures")
        #expect(file.path == "2024/a.jpg")
    }

    @Test(arguments: [
        Row(events: [.sent], state: .unknown),
        Row(events: [.sent, .sent], state: .unknown),
        Row(events: [.sent, .shown], state: .there, size: 9),
        Row(events: [.sent, .shown, .sent], state: .unknown, size: 9),
        Row(events: [.sent, .shown, .deleted], state: .unknown, size: 0),
        Row(events: [.leftover], state: .there, size: 8),
        Row(events: [.sent, .leftover], state: .unknown, size: 8),
        Row(events: [.accepted], state: .unknown, isDoubtful: false),
        Row(events: [.accepted, .sent], state: .unknown),
        Row(events: [.sent, .accepted], state: .unknown),
    ])
    func whatIsKnownAfterwards(_ row: Row) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Self.item)
        for event in row.events { try await event.happen(shelf) }
        let attempts = try await shelf.attempts(Self.item)
        let attempt = try #require(attempts.first)
        #expect(attempts.count == 1)
        #expect(attempt.state == row.state)
        #expect(attempt.size == row.size)
        #expect(attempt.place == (try await shelf.asset("a.jpg").place))
        #expect(
            try await shelf.library.wasAttempted(
                destination: Self.destination, key: Self.item.objectKey, sha256: Self.item.sha256) == row.isDoubtful)
        // Whatever is known, an object with that hash there is ours, and no other.
        for (key, sha256, isOurs) in [
            (Self.item.objectKey, Self.item.sha256, true), (Self.item.objectKey, Shelf.hash("x"), false),
            (Self.other, Self.item.sha256, false),
        ] {
            try await shelf.library.change("DELETE FROM receipts")
            #expect(
                try await shelf.library.isOurs(destination: Self.destination, key: key, sha256: sha256) == isOurs)
            #expect(try await !shelf.library.isOurs(destination: "elsewhere", key: key, sha256: sha256))
        }
    }

    /// A mark is about the object that is there, an attempt about what may still come.
    @Test(arguments: [ObjectMark.outdated, .lastCopy], Event.allCases)
    func aMarkAndAnAttemptStandBesideEachOther(_ mark: ObjectMark, _ event: Event) async throws {
        var left: [[Attempt]] = []
        for isMarkedFirst in [true, false, nil] {
            let shelf = try await Shelf()
            try await shelf.store(Self.item)
            if isMarkedFirst == true { try await shelf.mark(Self.item, mark) }
            try await Event.sent.happen(shelf)
            try await event.happen(shelf)
            if isMarkedFirst == false { try await shelf.mark(Self.item, mark) }
            #expect(try await shelf.library.marks() == (isMarkedFirst == nil ? [] : [mark]))
            let key = Self.item.objectKey
            #expect(try await shelf.library.isOurs(destination: Self.destination, key: key, sha256: Self.item.sha256))
            left.append(try await shelf.attempts(Self.item))
        }
        #expect(left[0] == left[2] && left[1] == left[2])
    }

    /// A receipt of the file's own drops the mark of what was there before.
    @Test(arguments: [(ObjectMark.outdated, false, false), (.lastCopy, false, false), (.lastCopy, true, true)])
    func aReceiptKeepsTheMarkForAnotherFile(_ mark: ObjectMark, isOfOther: Bool, isKept: Bool) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Self.item)
        try await shelf.see("b.jpg")
        try await shelf.mark(Self.item, mark, for: isOfOther ? "b.jpg" : nil)
        try await shelf.store(Self.item)
        #expect(try await shelf.library.marks() == (isKept ? [mark] : []))
        // Other bytes have taken its place.
        try await shelf.store(Shelf.item("a.jpg", content: "other"))
        #expect(try await shelf.library.marks() == [])
    }

    /// The answer is about the request before.
    @Test(arguments: [Event.shown, .deleted])
    func whatIsNotedAnewIsNotSettledByAnEarlierAnswer(_ event: Event) async throws {
        let shelf = try await Shelf()
        try await Event.sent.happen(shelf)
        let before = try #require(try await shelf.attempts(Self.item).first)
        let again = Items.with(Self.item) { $0.lastAttemptAt = Shelf.now + 60 }
        try await shelf.library.remember(again, destination: Self.destination)
        try await event.settle(before, shelf.library)
        try await shelf.library.forget(before)
        let after = try await shelf.attempts(Self.item)
        #expect(after.map(\.state) == [.unknown] && after.map(\.size) == [7])
        #expect(after.map(\.notedAt) == [Shelf.now + 60])
    }

    struct Stored: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let events: [Event]
        /// Seconds from the attempt to the receipt.
        var after = 60.0
        /// Whether it was other bytes that were stored.
        var isOther = false
        let left: Attempt.State?
    }

    /// A receipt settles what was before it, but for what may still arrive.
    @Test(arguments: [
        Stored(testDescription: "it was just sent", events: [.sent], left: .unknown),
        Stored(
            testDescription: "it was sent, and other bytes were stored", events: [.sent], isOther: true, left: .unknown),
        Stored(testDescription: "it was seen there", events: [.sent, .shown], left: .unknown),
        Stored(
            testDescription: "it was sent a moment before that cannot arrive", events: [.sent], after: 599.9,
            left: .unknown),
        Stored(testDescription: "it can no longer arrive", events: [.sent], after: 600, left: nil),
    ])
    func aReceiptSettlesWhatCanNoLongerArrive(_ row: Stored) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Self.item)
        for event in row.events { try await event.happen(shelf) }
        let stored = row.isOther ? Shelf.item("a.jpg", content: "other") : Self.item
        try await shelf.library.record([(Shelf.receipt(stored, verified: Shelf.now + row.after), stored)])
        #expect(try await shelf.attempts(Self.item).map(\.state) == [row.left].compactMap(\.self))
    }

    /// Other bytes may have come since: the receipt does not prove what is there.
    @Test(
        arguments: [
            ([], 0, AssetAdmission.stored), ([.sent], 1, .doubtful), ([.sent], -1, .stored),
            ([.sent, .shown], 1, .doubtful),
        ] as [([Event], Double, AssetAdmission)])
    func aReceiptProvesNothingWhereOtherBytesMayHaveCome(
        _ events: [Event], _ seconds: Double, _ admission: AssetAdmission
    ) async throws {
        let shelf = try await Shelf()
        let stored = Shelf.item("a.jpg", content: "stored")
        try await shelf.store(stored, Shelf.receipt(stored, verified: Shelf.now - seconds))
        for event in events { try await event.happen(shelf) }
        #expect(
            try await shelf.library.admission(
                of: stored.sha256, size: 7, as: [stored.objectKey], destination: Self.destination, forcedAt: nil)
                == admission)
    }

    /// The file is again what it was when its object was deleted, such as to make room, and the answer was lost.
    @Test(arguments: [(-1.0, AssetAdmission.doubtful), (1, .stored)])
    func aReceiptProvesNothingWhereItsObjectMayBeDeleted(_ seconds: Double, _ admission: AssetAdmission) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Self.item, Shelf.receipt(Self.item, verified: Shelf.now + seconds))
        try await shelf.library.noteDeletion(
            of: [Self.item.objectKey], destination: Self.destination, at: Shelf.now)
        let found = try await shelf.library.admission(
            of: Self.item.sha256, size: 7, as: [Self.item.objectKey], destination: Self.destination, forcedAt: nil)
        #expect(found == admission)
    }

    /// The file may come back after its object was found to be gone, and nothing was sent meanwhile.
    @Test(
        arguments: [
            (Self.item, .missing, .doubtful), (Self.item, .different, .doubtful), (Self.item, .unreadable, .doubtful),
            (Self.item, .damaged, .stored),
            (Shelf.item("a.jpg", content: "former"), .missing, .stored),
        ] as [(Item, Discrepancy.Kind, AssetAdmission)])
    func aReceiptProvesNothingWhereItsObjectWasFoundWrong(
        _ item: Item, _ kind: Discrepancy.Kind, _ admission: AssetAdmission
    ) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Self.item)
        try await shelf.library.remember(
            [Discrepancy(kind, of: Shelf.receipt(item), isDeep: false)], destination: Self.destination,
            isComplete: true, wasDownloaded: { _ in false }, at: Shelf.now)
        let found = try await shelf.library.admission(
            of: Self.item.sha256, size: 7, as: [Self.item.objectKey], destination: Self.destination, forcedAt: nil)
        #expect(found == admission)
    }

    /// An item that was claimed, and whose file was found changed before a byte was sent, has replaced nothing.
    @Test(arguments: [
        ("its request was made", "a.jpg", Int64?.none, AssetAdmission.doubtful),
        ("one byte was sent", "a.jpg", 1, .doubtful),
        ("nothing was sent", "a.jpg", 0, .stored), ("it was empty, and may be there", "", 0, .doubtful),
    ])
    func onlyWhatWasSentMayHaveReplacedTheObject(
        _ sentence: String, _ content: String, _ bytes: Int64?, _ admission: AssetAdmission
    ) async throws {
        let shelf = try await Shelf()
        let stored = Shelf.item("a.jpg", content: "stored")
        try await shelf.store(stored, Shelf.receipt(stored, verified: Shelf.now - 1))
        try await shelf.library.remember(
            Shelf.item("a.jpg", content: content), destination: Self.destination, bytes: bytes)
        let found = try await shelf.library.admission(
            of: stored.sha256, size: 7, as: [stored.objectKey], destination: Self.destination, forcedAt: nil)
        #expect(found == admission, "\(sentence)")
    }

    struct Admission: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var sha256 = item.sha256
        var size: Int64 = 7
        var keys = [item.objectKey]
        var destination = Shelf.destination
        /// Seconds after the receipt at which the bytes were asked for again.
        var forcedAfter: Double?
        var isMoving = false
        let admission: AssetAdmission
    }

    @Test(arguments: [
        Admission(testDescription: "these bytes", admission: .stored),
        Admission(testDescription: "other bytes", sha256: Shelf.hash("x"), admission: .free),
        Admission(testDescription: "another size", size: 8, admission: .free),
        Admission(testDescription: "another key", keys: [other], admission: .free),
        Admission(testDescription: "one of two keys", keys: [other, item.objectKey], admission: .stored),
        Admission(testDescription: "no key", keys: [], admission: .free),
        Admission(testDescription: "another destination", destination: "elsewhere", admission: .free),
        Admission(testDescription: "asked for before they were stored", forcedAfter: -1, admission: .stored),
        Admission(testDescription: "asked for at that moment", forcedAfter: 0, admission: .stored),
        Admission(testDescription: "asked for again", forcedAfter: 1, admission: .free),
        Admission(testDescription: "the object may have been moved away", isMoving: true, admission: .free),
    ])
    func whichReceiptStandsForTheBytes(_ row: Admission) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Self.item)
        if row.isMoving {
            try await shelf.library.noteMove(
                of: Shelf.item("new.jpg", content: "a.jpg"), from: Self.item.objectKey, destination: Self.destination,
                at: Shelf.now)
        }
        let admission = try await shelf.library.admission(
            of: row.sha256, size: row.size, as: row.keys, destination: row.destination,
            forcedAt: row.forcedAfter.map { FileTime(Shelf.now + $0) })
        #expect(admission == row.admission)
    }

    /// Also where it seems to be newer because the clock has been set back, and once a look has found its object.
    @Test(arguments: [-3_600.0, 0, 60])
    func noReceiptThatIsThereCountsForAnOrderToSendAgain(later: Double) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Self.item)
        let order = Shelf.now + later
        try await shelf.library.request([try await shelf.asset("a.jpg")], forcedAt: order)
        let receipt = try await shelf.library.receipt(destination: Self.destination, key: Self.item.objectKey)
        try await shelf.library.confirm(try #require(receipt), at: order + 5)
        let admission = try await shelf.library.admission(
            of: Self.item.sha256, size: 7, as: [Self.item.objectKey], destination: Self.destination,
            forcedAt: FileTime(order))
        #expect(admission == .free)
    }

    /// A file that is gone, whose content another one had: once that one has changed, the object alone holds it.
    @Test(arguments: [false, true])
    func whatAnotherFileHadIsTheLastCopyOnceThatChanges(hasChanged: Bool) async throws {
        let shelf = try await Shelf()
        let (gone, heir) = (Shelf.item("a.jpg"), Shelf.item("b.jpg", content: "a.jpg"))
        for item in [gone, heir] { try await shelf.store(item) }
        try await shelf.miss("a.jpg")
        try await shelf.library.mark("a.jpg", as: .remoteOnly)
        try await shelf.library.outdate(Shelf.receipt(gone))
        if hasChanged { try await shelf.store(Shelf.item("b.jpg", content: "new")) }
        // Another file gets the name.
        try await shelf.see("a.jpg", size: 9, after: 60)
        #expect(try await shelf.library.isLastCopy(Shelf.receipt(gone)) == hasChanged)
    }

    @Test(arguments: Asset.State.allCases)
    func anObjectKeepsTheFileThatIsHereWithItsContent(_ state: Asset.State) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Self.item)
        try await shelf.library.mark("a.jpg", as: state)
        let other = Items.with(Shelf.item("b.jpg", content: "a.jpg")) { $0.objectKey = Self.item.objectKey }
        func otherFile(of item: Item) async throws -> FilePath? {
            try await shelf.library.uploadContext(of: item, destination: Self.destination).otherFile?.path
        }
        #expect((try await otherFile(of: other) == "a.jpg") == ![.gone, .remoteOnly].contains(state))
        #expect(try await otherFile(of: Self.item) == nil)
        try await shelf.library.change("UPDATE assets SET sha256 = x'00'")
        #expect(try await otherFile(of: other) == nil)
    }

    /// The object of another content was set aside to the key that a new file with that content has.
    @Test(arguments: ["a.jpg", "b.jpg"])
    func onlyItsOwnReceiptCompletesAnItem(_ path: FilePath) async throws {
        let shelf = try await Shelf()
        let item = Items.with(Shelf.item(path, content: "a.jpg", made: Shelf.now - 60)) {
            $0.objectKey = Self.item.objectKey
        }
        try await shelf.library.see(item, below: shelf.root)
        try await shelf.store(Self.item)
        let known = try await shelf.library.uploadContext(of: item, destination: Self.destination)
        #expect(known.isProven == (path == "a.jpg") && known.receipt != nil)
    }

    /// Two files that were sent at the same time have found the same object: only one of them can be stored by it.
    @Test(arguments: ["a.jpg", "b.jpg"], [true, false])
    func aFileWhoseObjectAnotherOneTakesIsReadAgain(_ taker: FilePath, isGone: Bool) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Self.item)
        if isGone { try await shelf.miss("a.jpg") }
        let other = Items.with(Shelf.item(taker, content: "a.jpg")) { $0.objectKey = Self.item.objectKey }
        try await shelf.store(other)
        let isTaken = taker == "b.jpg" && !isGone
        #expect(try await shelf.state("a.jpg") == (isTaken ? .seen : taker == "a.jpg" ? .stored : .remoteOnly))
    }

    /// Bytes that were sent after the receipt was earned, for a file that is not stored as it is now.
    @Test(arguments: Asset.State.allCases, [Item.Role.original, .thumbnail(512)])
    func whatALaterAttemptMayHaveReplacedIsToldOfByItsFile(_ state: Asset.State, _ role: Item.Role) async throws {
        // What is in storage alone has no file that could tell of it; a picture goes the way of its file.
        let silent: Set<Asset.State> = role == .original ? [.stored, .gone, .remoteOnly, .excluded] : [.stored]
        for (seconds, text) in [(-1.0, "new"), (-1, "same"), (1, "new"), (1, "same")] {
            let shelf = try await Shelf()
            try await shelf.store(Self.item)
            let stored = Shelf.item("a.jpg", content: "same", role: role)
            try await shelf.library.record([(Shelf.receipt(stored), stored)])
            try await shelf.library.mark("a.jpg", as: state)
            #expect(try await !shelf.library.isOvertaken(Shelf.receipt(stored)))
            let later = Items.with(Shelf.item("a.jpg", content: text, role: role)) {
                $0.lastAttemptAt = Shelf.now + seconds
            }
            try await shelf.library.remember(later, destination: Self.destination)
            // The same bytes once more are what the receipt says.
            let isToldOf = text == "new" && seconds > 0 && !silent.contains(state)
            #expect(try await shelf.library.isOvertaken(Shelf.receipt(stored)) == isToldOf, "\(text) \(seconds)")
        }
    }

    // MARK: What is looked at

    /// A time ahead is one of a clock that was set back since.
    @Test(arguments: [(0.0, false), (-599.0, false), (-600.0, false), (-600.001, true), (86_400.0, false)])
    func anAttemptIsAskedAboutOnceItCanNoLongerArrive(_ seconds: Double, _ isAskedAbout: Bool) async throws {
        let shelf = try await Shelf()
        let item = Items.with(Self.item) { $0.lastAttemptAt = Shelf.now + seconds }
        try await shelf.library.remember(item, destination: Self.destination)
        let unseen = try await shelf.library.unseenAttempts(
            destination: Self.destination, before: Shelf.now - Attempt.echo, count: 10)
        #expect(!unseen.isEmpty == isAskedAbout)
    }

    @Test func theOldestAreAskedAboutFirstAndTheNewestAreShownFirst() async throws {
        let shelf = try await Shelf()
        for (number, name) in ["c.jpg", "a.jpg", "b.jpg", "d.jpg"].enumerated() {
            let item = Items.with(Shelf.item(FilePath(name))) { $0.lastAttemptAt = Shelf.now - 9_000 + Double(number) }
            try await shelf.library.remember(item, destination: Self.destination)
        }
        let shown = try #require(try await shelf.attempts(Shelf.item("d.jpg")).first)
        try await shelf.library.settle(shown, isThere: 7)
        func names(_ attempts: [Attempt]) -> [String] { attempts.map { String($0.key.text.suffix(5)) } }
        let unseen = try await shelf.library.unseenAttempts(
            destination: Self.destination, before: Shelf.now, count: 2)
        #expect(names(unseen) == ["c.jpg", "a.jpg"])
        let doubtful = try await shelf.library.doubtfulAttempts(destination: Self.destination, count: 4)
        #expect(names(doubtful) == ["b.jpg", "a.jpg", "c.jpg", "d.jpg"])
        let page = try await shelf.library.attempts(destination: Self.destination, after: "Pictures/a.jpg", count: 2)
        #expect(names(page) == ["b.jpg", "c.jpg"])
    }

    /// Two attempts under one key come together, whatever the length of a page.
    @Test func aPageOfAttemptsHoldsWholeKeys() async throws {
        let shelf = try await Shelf()
        for content in ["x", "y", "z"] {
            try await shelf.library.remember(Shelf.item("a.jpg", content: content), destination: Self.destination)
        }
        try await shelf.library.remember(Shelf.item("b.jpg"), destination: Self.destination)
        let first = try await shelf.library.attempts(destination: Self.destination, after: "", count: 1)
        #expect(first.map(\.key.text) == Array(repeating: "Pictures/a.jpg", count: 3))
        let rest = try await shelf.library.attempts(destination: Self.destination, after: "Pictures/a.jpg", count: 1)
        #expect(rest.map(\.key.text) == ["Pictures/b.jpg"])
    }
}
