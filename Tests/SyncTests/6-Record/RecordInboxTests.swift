import Fixtures
import Foundation
import Platform
import Testing
import Text

@testable import Queue
@testable import Sync
@testable import Uploading

/// When what was accepted is proven together.
@Suite struct RecordInboxTests {
    private static let size = RecordLoop.batchSize

    private static func accepted(_ count: Int) -> [Accepted] {
        (0..<count).map { Accepted(item: Items.pending(FilePath("\($0).jpg")), objectID: nil, evidence: Evidence()) }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let count: Int
        var isIdle = false
        /// Seconds since the first was accepted.
        var after = 0.0
        let batch: Int
    }

    @Test(arguments: [
        Row(testDescription: "the first waits for others", count: 1, batch: 0),
        Row(testDescription: "a moment before it has waited long enough", count: 1, after: 1.999, batch: 0),
        Row(testDescription: "it has waited long enough", count: 1, after: 2, batch: 1),
        Row(testDescription: "none will follow soon", count: 1, isIdle: true, batch: 1),
        Row(testDescription: "one is missing for a page", count: size - 1, batch: 0),
        Row(testDescription: "a page", count: size, batch: size),
        Row(testDescription: "more than a page", count: size + 1, batch: size),
        Row(testDescription: "the clock was corrected by a minute", count: 1, after: -60, batch: 0),
        Row(testDescription: "the clock was set back", count: 1, after: -3_600, batch: 1),
    ])
    func aBatchClosesWhenItIsFullOrHasWaited(_ row: Row) {
        var inbox = RecordLoop.Inbox()
        inbox.accepted = Self.accepted(row.count)
        inbox.wait = DatedWait(from: Items.now, seconds: RecordLoop.patience)
        let all = inbox.accepted
        let taken = inbox.take(isIdle: row.isIdle, at: Items.now + row.after)
        #expect(taken.batch == Array(all.prefix(row.batch)))
        #expect(!taken.isOver)
        // Nothing is lost, and what is left gathers anew.
        #expect(inbox.accepted == Array(all.dropFirst(row.batch)))
        #expect((inbox.wait == nil) == (row.batch == row.count))
        let left = row.count - row.batch
        if row.batch > 0, left > 0 {
            #expect(inbox.take(isIdle: false, at: Items.now + row.after + 1.999).batch.isEmpty)
            #expect(inbox.take(isIdle: false, at: Items.now + row.after + 2).batch.count == left)
        }
    }

    /// It ends once it was told to, nothing is being sent, and nothing is left.
    @Test(arguments: [true, false], [true, false])
    func itEndsWhenNothingWillFollow(_ isStopping: Bool, _ isIdle: Bool) {
        var inbox = RecordLoop.Inbox()
        inbox.isStopping = isStopping
        #expect(inbox.take(isIdle: isIdle, at: Items.now).isOver == (isStopping && isIdle))
        inbox.accepted = Self.accepted(1)
        inbox.wait = DatedWait(from: Items.now, seconds: RecordLoop.patience)
        #expect(!inbox.take(isIdle: isIdle, at: Items.now).isOver)
    }
}
