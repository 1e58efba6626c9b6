import Fixtures
import Foundation
import Platform
import Queue
import Records
import Testing

@testable import Catalog

/// A file changed, and its new bytes are sent over the object of the old ones, whose receipt proves nothing meanwhile.
@Suite struct ReplacementTests {
    private static let former = Shelf.item("a.jpg", content: "former")
    private static let next = Items.with(Shelf.item("a.jpg", content: "next")) { $0.lastAttemptAt = Shelf.now }
    private static let destination = Shelf.destination

    /// What the library hears of the upload.
    enum Event: Sendable {
        /// It is about to begin.
        case begun
        /// The server has taken none of it, all or none of it, or not all.
        case untaken, unanswered, changed
        /// The agent was started again.
        case restarted
        /// A damaged queue had an entry of an earlier attempt left, from before the receipt.
        case broughtBack
        /// An attempt of the next start to settle what is unclear found the new bytes.
        case shown
        case stored

        func happen(_ shelf: Shelf) async throws {
            let (library, destination) = (shelf.library, Shelf.destination)
            switch self {
            case .begun: try await library.noteReplacement(by: next, destination: destination)
            case .untaken: try await library.forgetReplacement(by: next, destination: destination)
            case .unanswered: try await library.remember(next, destination: destination)
            case .changed: try await library.remember(next, destination: destination, bytes: 0)
            case .restarted: try await library.noteCutShortReplacements()
            case .broughtBack:
                let old = Items.with(next) { $0.lastAttemptAt = Shelf.now - 10 }
                try await library.remember(old, destination: destination)
            case .shown:
                for attempt in try await shelf.attempts(next) { try await library.settle(attempt, isThere: 7) }
            case .stored: try await library.record([(Shelf.receipt(next, verified: Shelf.now + 1), next)])
            }
        }
    }

    /// The object of another file has its key, and a failed write has taken back what a scan knew of its folder.
    @Test func aReplacementNamesItsFileInAFolderWhoseRowWasLost() async throws {
        let shelf = try await Shelf()
        let item = Shelf.item("2024/a.jpg", content: "next")
        try await shelf.store(Items.with(Self.former) { $0.objectKey = item.objectKey })
        try await shelf.library.noteReplacement(by: item, destination: Self.destination)
        try await shelf.library.noteCutShortReplacements()
        let place = try #require(try await shelf.attempts(item).first { $0.sha256 == item.sha256 }?.place)
        #expect(try await shelf.library.location(of: place)?.path == "2024/a.jpg")
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let events: [Event]
        /// Whether the former bytes are stored without a question to the server.
        let former: AssetAdmission
        /// What is still expected of the upload.
        var attempt: Attempt.State?
        /// Bytes beyond the receipt's that the budget counts.
        var leftover: Int64 = 0
        var isDoubtful = false
    }

    @Test(arguments: [
        Row(testDescription: "it has not begun", events: [], former: .stored),
        Row(testDescription: "it has begun", events: [.begun], former: .doubtful, attempt: .replacing),
        Row(testDescription: "it began twice", events: [.begun, .begun], former: .doubtful, attempt: .replacing),
        Row(testDescription: "none of it was taken", events: [.begun, .untaken], former: .stored),
        Row(
            testDescription: "an earlier one had no answer", events: [.begun, .unanswered, .begun, .untaken],
            former: .doubtful, attempt: .unknown, leftover: 1, isDoubtful: true),
        Row(
            testDescription: "it has no answer", events: [.begun, .unanswered], former: .doubtful, attempt: .unknown,
            leftover: 1, isDoubtful: true),
        Row(
            testDescription: "the file changed before the first byte", events: [.begun, .changed], former: .stored,
            attempt: .unknown, isDoubtful: true),
        Row(
            testDescription: "the file changed before the first byte, and was then as it had been",
            events: [.begun, .changed, .begun], former: .doubtful, attempt: .unknown, leftover: 1, isDoubtful: true),
        Row(
            testDescription: "the agent ended, and the queue has an older entry of it",
            events: [.begun, .restarted, .broughtBack], former: .doubtful, attempt: .unknown, leftover: 1,
            isDoubtful: true),
        Row(
            testDescription: "the agent ended, and the queue has lost it", events: [.begun, .restarted],
            former: .doubtful, attempt: .unknown, leftover: 1, isDoubtful: true),
        Row(
            testDescription: "and its bytes are there", events: [.begun, .restarted, .shown], former: .doubtful,
            attempt: .there, isDoubtful: true),
        Row(testDescription: "it is stored", events: [.begun, .stored], former: .free),
    ])
    func whatIsKnownOfTheFormerBytes(_ row: Row) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Self.former, Shelf.receipt(Self.former, verified: Shelf.now - 1))
        try await shelf.library.change("UPDATE receipts SET size = 6")
        for event in row.events { try await event.happen(shelf) }
        let admission = try await shelf.library.admission(
            of: Self.former.sha256, size: 6, as: [Self.former.objectKey], destination: Self.destination, forcedAt: nil)
        #expect(admission == row.former)
        #expect(try await shelf.attempts(Self.next).map(\.state) == [row.attempt].compactMap(\.self))
        #expect(try await shelf.library.leftovers(destination: Self.destination).total == row.leftover)
        #expect(
            try await shelf.library.wasAttempted(
                destination: Self.destination, key: Self.next.objectKey, sha256: Self.next.sha256) == row.isDoubtful)
        #expect(
            try await shelf.library.isOurs(
                destination: Self.destination, key: Self.next.objectKey, sha256: Self.next.sha256)
                == (row.attempt != nil || row.former == .free))
    }

    /// Its receipt is for the same bytes, or there is none: nothing is replaced that could count.
    @Test(arguments: [true, false])
    func onlyOtherBytesAreReplaced(isStored: Bool) async throws {
        let shelf = try await Shelf()
        if isStored { try await shelf.store(Self.next) }
        try await Event.begun.happen(shelf)
        #expect(try await shelf.attempts(Self.next) == [])
    }
}
